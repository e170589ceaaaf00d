"""How the fleet follows its load: up by target tracking, down by one instance whenever that leaves room.

Target tracking alone never scales in once the metric stops arriving, which is what an idle endpoint may do, so its
own scale-in is off and an alarm of ours, to which silence counts as idle, takes one instance away at a time.
"""

from aws_cdk import Duration
from aws_cdk import aws_applicationautoscaling as scaling
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from constructs import Construct

from firstword.infra.deployment import VARIANT, SpeechDeployment

__all__ = ["FleetScaling", "scale_in_threshold"]

_OUT_COOLDOWN_S = 60
_IN_COOLDOWN_S = 300
_IN_PERIODS = 5


def scale_in_threshold(target_streams: float) -> float:
    """Mean open streams per instance below which one instance may go.

    With n instances at load x, n-1 of them carry x*n/(n-1), at worst 2x (from two to one). Under 0.45 of the target
    that stays below 0.9 of it, so a step in is never answered by a step out.
    """
    return round(0.45 * target_streams, 3)


class FleetScaling(Construct):
    """Scalable target, target tracking and the idle alarm of one endpoint's variant."""

    def __init__(self, scope: Construct, *, account: str, endpoint_name: str, deployment: SpeechDeployment) -> None:
        super().__init__(scope, "Scaling")
        target = scaling.ScalableTarget(
            self,
            "Target",
            service_namespace=scaling.ServiceNamespace.SAGEMAKER,
            resource_id=f"endpoint/{endpoint_name}/variant/{VARIANT}",
            role=_service_role(self, account),
            scalable_dimension="sagemaker:variant:DesiredInstanceCount",
            min_capacity=deployment.min_instances,
            max_capacity=deployment.max_instances,
        )
        scaling.CfnScalingPolicy(
            self,
            "Out",
            policy_name=f"{endpoint_name}-out",
            policy_type="TargetTrackingScaling",
            scaling_target_id=target.scalable_target_id,
            target_tracking_scaling_policy_configuration=(
                scaling.CfnScalingPolicy.TargetTrackingScalingPolicyConfigurationProperty(
                    target_value=deployment.target_streams,
                    disable_scale_in=True,
                    scale_out_cooldown=_OUT_COOLDOWN_S,
                    predefined_metric_specification=scaling.CfnScalingPolicy.PredefinedMetricSpecificationProperty(
                        predefined_metric_type="SageMakerVariantConcurrentRequestsPerModelHighResolution"
                    ),
                )
            ),
        )
        step_in = scaling.StepScalingAction(
            self,
            "In",
            scaling_target=target,
            policy_name=f"{endpoint_name}-in",
            adjustment_type=scaling.AdjustmentType.CHANGE_IN_CAPACITY,
            cooldown=Duration.seconds(_IN_COOLDOWN_S),
            metric_aggregation_type=scaling.MetricAggregationType.AVERAGE,
        )
        step_in.add_adjustment(adjustment=-1, upper_bound=0)
        idle = cloudwatch.Alarm(
            self,
            "Idle",
            alarm_description="The fleet carries so little that one instance fewer still has room; it is taken away.",
            metric=cloudwatch.Metric(
                namespace="AWS/SageMaker",
                metric_name="ConcurrentRequestsPerModel",
                dimensions_map={"EndpointName": endpoint_name, "VariantName": VARIANT},
                statistic="Average",
                period=Duration.minutes(1),
            ),
            comparison_operator=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            threshold=scale_in_threshold(deployment.target_streams),
            evaluation_periods=_IN_PERIODS,
            datapoints_to_alarm=_IN_PERIODS,
            treat_missing_data=cloudwatch.TreatMissingData.BREACHING,
        )
        idle.add_alarm_action(actions.ApplicationScalingAction(step_in))


def _service_role(scope: Construct, account: str) -> iam.IRole:
    """The role that AWS keeps for scaling endpoints; the library would make one that may do nothing."""
    name = "AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint"
    arn = f"arn:aws:iam::{account}:role/aws-service-role/sagemaker.application-autoscaling.amazonaws.com/{name}"
    return iam.Role.from_role_arn(scope, "ServiceRole", arn, mutable=False)
