"""The stack of the agent: an AgentCore runtime, the role it runs under, and the policy its callers are given."""

from typing import cast

from aws_cdk import CfnElement, CfnOutput, Duration
from aws_cdk import aws_bedrockagentcore as agentcore
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct

from firstword.infra.agent.access import agent_statements, runtime_findings
from firstword.infra.application import PlaceStack, acknowledge
from firstword.infra.deployment import AgentDeployment, Place

__all__ = ["AgentStack"]

_ENDPOINT = "live"


class AgentStack(PlaceStack):
    """The runtime `deployment` describes, its endpoint `live`, and a managed policy for callers."""

    def __init__(self, app: Construct, *, place: Place, deployment: AgentDeployment) -> None:
        super().__init__(
            app, place=place, name=place.agent_stack, about="firstword: the voice agent", options=deployment
        )
        runtime = self._runtime(place, deployment)
        for statement in agent_statements(place, deployment):
            runtime.add_to_role_policy(statement)
        acknowledge(runtime, runtime_findings(place, deployment))
        endpoint = runtime.add_endpoint(_ENDPOINT, version=runtime.agent_runtime_version)
        self._callers(runtime)
        CfnOutput(self, "RuntimeArn", value=runtime.agent_runtime_arn)
        CfnOutput(self, "RuntimeId", value=runtime.agent_runtime_id)
        CfnOutput(self, "RuntimeEndpoint", value=endpoint.endpoint_name)

    def _runtime(self, place: Place, deployment: AgentDeployment) -> agentcore.Runtime:
        return agentcore.Runtime(
            self,
            "Runtime",
            runtime_name=place.runtime_name,
            description="firstword voice agent",
            agent_runtime_artifact=_artifact(deployment),
            protocol_configuration=agentcore.ProtocolType.HTTP,
            network_configuration=self._network(deployment),
            lifecycle_configuration=agentcore.LifecycleConfiguration(
                idle_runtime_session_timeout=Duration.seconds(deployment.idle_timeout_s)
            ),
            environment_variables={
                "FIRSTWORD_AGENT_MODEL": f"bedrock:{deployment.bedrock_model_id}",
                "FIRSTWORD_AGENT_SPEECH": f"endpoint:{deployment.endpoint_name}",
                "FIRSTWORD_AGENT_REGION": place.region,
                "FIRSTWORD_LOG_FORMAT": "json",
                **deployment.environment,
            },
        )

    def _network(self, deployment: AgentDeployment) -> agentcore.RuntimeNetworkConfiguration:
        if deployment.network is None:
            return agentcore.RuntimeNetworkConfiguration.using_public_network()
        groups = [
            ec2.SecurityGroup.from_security_group_id(self, f"Group{number}", group)
            for number, group in enumerate(deployment.network.security_groups)
        ]
        subnets = [
            ec2.Subnet.from_subnet_id(self, f"Subnet{number}", subnet)
            for number, subnet in enumerate(deployment.network.subnets)
        ]
        # Only the subnets and groups reach the template; the id of their VPC is never used.
        vpc = ec2.Vpc.from_vpc_attributes(
            self,
            "Vpc",
            vpc_id="vpc-00000000",
            availability_zones=["unused"] * len(subnets),
            private_subnet_ids=list(deployment.network.subnets),
        )
        return agentcore.RuntimeNetworkConfiguration.using_vpc(
            self, vpc=vpc, security_groups=groups, vpc_subnets=ec2.SubnetSelection(subnets=subnets)
        )

    def _callers(self, runtime: agentcore.Runtime) -> None:
        arn = runtime.agent_runtime_arn
        policy = iam.ManagedPolicy(
            self,
            "AgentCallers",
            description="May talk to the firstword agent, by request and over /ws",
            statements=[
                iam.PolicyStatement(
                    actions=[
                        "bedrock-agentcore:InvokeAgentRuntime",
                        "bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream",
                    ],
                    resources=[arn, f"{arn}/*"],
                )
            ],
        )
        resource = cast(CfnElement, runtime.node.default_child)
        found = f"AwsSolutions-IAM5[Resource::<{self.get_logical_id(resource)}.AgentRuntimeArn>/*]"
        acknowledge(policy, {found: "A runtime's endpoints are its sub-resources."})
        CfnOutput(self, "AgentCallersPolicy", value=policy.managed_policy_arn)


def _artifact(deployment: AgentDeployment) -> agentcore.AgentRuntimeArtifact:
    if deployment.package == "zip":
        return agentcore.AgentRuntimeArtifact.from_code_asset(
            path=deployment.zip_dir, runtime=agentcore.AgentCoreRuntime.PYTHON_3_12, entrypoint=["main.py"]
        )
    return agentcore.AgentRuntimeArtifact.from_image_uri(deployment.image_uri)
