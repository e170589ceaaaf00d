"""One voice on SageMaker: model, endpoint configuration, endpoint, and the log group its containers write to."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from firstword.infra.deployment import VARIANT, Place, SpeechDeployment
from firstword.infra.instances import INFERENCE_AMI_GPU, instance

__all__ = ["Hosting"]

_SESSION_GRACE_S = 300


class Hosting(Construct):
    """The endpoint, or only its model and configuration while the deployment is paused.

    `rollback_alarms` are alarm names: one of them firing while an update bakes brings the old fleet back.
    """

    def __init__(
        self,
        scope: Construct,
        *,
        place: Place,
        deployment: SpeechDeployment,
        role: iam.IRole,
        key: kms.IKey,
        rollback_alarms: list[str],
    ) -> None:
        super().__init__(scope, "Hosting")
        self.name = place.endpoint_name(deployment.model)
        group = self._log_group(deployment, key)
        self.model = self._model(deployment, role)
        self.config = self._config(deployment, key)
        if deployment.paused:
            return
        self.endpoint = sagemaker.CfnEndpoint(
            self,
            "Endpoint",
            endpoint_name=self.name,
            endpoint_config_name=self.config.attr_endpoint_config_name,
            # Where load sets the size of the fleet an update must not reset it; where the options do, it must.
            retain_all_variant_properties=deployment.keeps_count,
            deployment_config=_blue_green(deployment, rollback_alarms),
        )
        self.endpoint.node.add_dependency(group)

    def _log_group(self, deployment: SpeechDeployment, key: kms.IKey) -> logs.LogGroup:
        return logs.LogGroup(
            self,
            "Logs",
            log_group_name=f"/aws/sagemaker/Endpoints/{self.name}",
            retention=logs.RetentionDays(f"{_RETENTION[deployment.log_retention_days]}"),
            encryption_key=key,
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _model(self, deployment: SpeechDeployment, role: iam.IRole) -> sagemaker.CfnModel:
        source = sagemaker.CfnModel.ModelDataSourceProperty(
            s3_data_source=sagemaker.CfnModel.S3DataSourceProperty(
                compression_type="None", s3_data_type="S3Prefix", s3_uri=deployment.weights_uri
            )
        )
        network = deployment.network
        return sagemaker.CfnModel(
            self,
            "Model",
            execution_role_arn=role.role_arn,
            enable_network_isolation=deployment.network_isolation,
            primary_container=sagemaker.CfnModel.ContainerDefinitionProperty(
                image=deployment.image_uri,
                model_data_source=source,
                environment=_container_environment(deployment),
            ),
            vpc_config=None
            if network is None
            else sagemaker.CfnModel.VpcConfigProperty(
                subnets=list(network.subnets), security_group_ids=list(network.security_groups)
            ),
        )

    def _config(self, deployment: SpeechDeployment, key: kms.IKey) -> sagemaker.CfnEndpointConfig:
        on_ebs = not any(instance(name).local_storage for name in deployment.types)
        return sagemaker.CfnEndpointConfig(
            self,
            "Config",
            production_variants=[self._variant(deployment, on_ebs)],
            kms_key_id=key.key_id if on_ebs and deployment.encrypt_volume else None,
            metrics_config=sagemaker.CfnEndpointConfig.MetricsConfigProperty(
                enable_enhanced_metrics=True,
                # Scrapes the container's Prometheus page, /metrics on 8080.
                enable_detailed_observability=True,
                metric_publish_frequency_in_seconds=60,
            ),
        )

    def _variant(
        self, deployment: SpeechDeployment, on_ebs: bool
    ) -> sagemaker.CfnEndpointConfig.ProductionVariantProperty:
        pool = [
            sagemaker.CfnEndpointConfig.InstancePoolProperty(instance_type=name, priority=place)
            for place, name in enumerate(deployment.types, start=1)
        ]
        pooled = len(pool) > 1
        return sagemaker.CfnEndpointConfig.ProductionVariantProperty(
            variant_name=VARIANT,
            model_name=self.model.attr_model_name,
            initial_instance_count=deployment.min_instances,
            initial_variant_weight=1,
            instance_type=None if pooled else deployment.types[0],
            instance_pools=pool if pooled else None,
            variant_instance_provision_timeout_in_seconds=900 if pooled else None,
            inference_ami_version=INFERENCE_AMI_GPU if deployment.kind.device == "gpu" else None,
            volume_size_in_gb=30 if on_ebs else None,
            container_startup_health_check_timeout_in_seconds=deployment.startup_timeout_s,
            model_data_download_timeout_in_seconds=deployment.download_timeout_s,
            routing_config=sagemaker.CfnEndpointConfig.RoutingConfigProperty(
                routing_strategy="LEAST_OUTSTANDING_REQUESTS"
            ),
        )


_RETENTION = {
    1: "ONE_DAY",
    3: "THREE_DAYS",
    5: "FIVE_DAYS",
    7: "ONE_WEEK",
    14: "TWO_WEEKS",
    30: "ONE_MONTH",
    60: "TWO_MONTHS",
    90: "THREE_MONTHS",
    180: "SIX_MONTHS",
    365: "ONE_YEAR",
}


def _container_environment(deployment: SpeechDeployment) -> dict[str, str]:
    gpu = deployment.kind.device == "gpu"
    return {
        "FIRSTWORD_ASSETS_SOURCE": "dir:/opt/ml/model",
        "FIRSTWORD_VOICE_BACKEND": "cuda" if gpu else "auto",
        "FIRSTWORD_LOG_FORMAT": "json",
        **deployment.environment,
    }


def _blue_green(
    deployment: SpeechDeployment, rollback_alarms: list[str]
) -> sagemaker.CfnEndpoint.DeploymentConfigProperty:
    """A new fleet beside the old one; half of it takes traffic first where there are instances to halve."""
    several = deployment.min_instances > 1
    routing = sagemaker.CfnEndpoint.TrafficRoutingConfigProperty(
        type="CANARY" if several else "ALL_AT_ONCE",
        # CloudFormation takes it as optional, the call behind it does not.
        wait_interval_in_seconds=_SESSION_GRACE_S if several else 0,
        canary_size=sagemaker.CfnEndpoint.CapacitySizeProperty(type="CAPACITY_PERCENT", value=50) if several else None,
    )
    alarms = [sagemaker.CfnEndpoint.AlarmProperty(alarm_name=name) for name in rollback_alarms]
    return sagemaker.CfnEndpoint.DeploymentConfigProperty(
        auto_rollback_configuration=sagemaker.CfnEndpoint.AutoRollbackConfigProperty(alarms=alarms),
        blue_green_update_policy=sagemaker.CfnEndpoint.BlueGreenUpdatePolicyProperty(
            traffic_routing_configuration=routing,
            maximum_execution_timeout_in_seconds=3600,
            # The old fleet keeps its open sessions this long after the switch.
            termination_wait_in_seconds=_SESSION_GRACE_S,
        ),
    )
