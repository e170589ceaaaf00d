"""What the agent may do on AWS: run one model, speak through one endpoint, pull one image. Nothing else."""

from aws_cdk import aws_iam as iam

from firstword.infra.bedrock_names import bedrock_touched
from firstword.infra.constructs.access import SAGEMAKER_INVOKE_ACTIONS
from firstword.infra.deployment import AgentDeployment, Place
from firstword.infra.image_names import image_name

__all__ = ["agent_statements", "runtime_findings"]

_RUN_MODEL = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"]


def agent_statements(place: Place, deployment: AgentDeployment) -> list[iam.PolicyStatement]:
    """What is added to the role that the runtime construct makes (logs, traces, metrics, workload identity)."""
    endpoint = f"arn:aws:sagemaker:{place.region}:{place.account}:endpoint/{deployment.endpoint_name}"
    model = bedrock_touched(place, deployment.bedrock_model_id)
    statements = [
        iam.PolicyStatement(actions=_RUN_MODEL, resources=[model.first]),
        iam.PolicyStatement(actions=list(SAGEMAKER_INVOKE_ACTIONS), resources=[endpoint]),
    ]
    if model.through:
        condition = {"StringEquals": {"bedrock:InferenceProfileArn": model.first}}
        statements.append(iam.PolicyStatement(actions=_RUN_MODEL, resources=[model.through], conditions=condition))
    if deployment.package == "container":
        statements += [
            iam.PolicyStatement(
                actions=["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
                resources=[image_name(deployment.image_uri, "AgentCore").repository_arn],
            ),
            iam.PolicyStatement(actions=["ecr:GetAuthorizationToken"], resources=["*"]),
        ]
    return statements


def runtime_findings(place: Place, deployment: AgentDeployment) -> dict[str, str]:
    """cdk-nag's wildcard findings on the runtime's role, each with its reason."""
    logs = f"arn:aws:logs:{place.region}:{place.account}:log-group"
    runtimes = f"{logs}:/aws/bedrock-agentcore/runtimes/*"
    identity = f"arn:aws:bedrock-agentcore:{place.region}:{place.account}:workload-identity-directory/default"
    found = {
        "*": "X-Ray, PutMetricData (held to one namespace) and ecr:GetAuthorizationToken know no resource.",
        runtimes: "AgentCore names the log group of a runtime after an id it makes up.",
        f"{logs}:*": "logs:DescribeLogGroups is a list call over all groups.",
        f"{runtimes}:log-stream:*": "AgentCore names the streams.",
        f"{identity}/workload-identity/*": "AgentCore appends an id of its own to the identity's name.",
    }
    findings = {f"AwsSolutions-IAM5[Resource::{resource}]": reason for resource, reason in found.items()}
    if deployment.package == "zip":
        archive = "The library lets the role read the bootstrap's asset bucket, where the archive is."
        assets = f"arn:aws:s3:::cdk-hnb659fds-assets-{place.account}-{place.region}/*"
        subjects = ("Action::s3:GetBucket*", "Action::s3:GetObject*", "Action::s3:List*", f"Resource::{assets}")
        findings |= {f"AwsSolutions-IAM5[{subject}]": archive for subject in subjects}
    if through := bedrock_touched(place, deployment.bedrock_model_id).through:
        reason = "By way of the profile only: it runs its model in whichever region has room."
        findings[f"AwsSolutions-IAM5[Resource::{through}]"] = reason
    return findings
