"""What the agent may do on AWS: run one model, speak through one endpoint, pull one image. Nothing else."""

import re

from aws_cdk import aws_iam as iam

from firstword.errors import UsageError
from firstword.infra.constructs.access import SAGEMAKER_INVOKE_ACTIONS
from firstword.infra.deployment import AgentDeployment, Place

__all__ = ["agent_statements", "bedrock_resources", "repository_arn", "runtime_findings"]

_IMAGE = re.compile(r"^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com/([a-z0-9._/-]+)[:@]")
# Prefixes of cross-region inference profiles: the model then runs in any region of that geography.
_GEOGRAPHIES = ("apac", "au", "ca", "eu", "global", "jp", "us", "us-gov")


def bedrock_resources(place: Place, model_id: str) -> list[str]:
    """The ARNs that running `model_id` touches: a model's own, or a profile's and its model in whichever region."""
    if model_id.startswith("arn:"):
        return [model_id]
    geography, _, model = model_id.partition(".")
    if geography in _GEOGRAPHIES:
        profile = f"arn:aws:bedrock:{place.region}:{place.account}:inference-profile/{model_id}"
        return [profile, f"arn:aws:bedrock:*::foundation-model/{model}"]
    return [f"arn:aws:bedrock:{place.region}::foundation-model/{model_id}"]


def agent_statements(place: Place, deployment: AgentDeployment) -> list[iam.PolicyStatement]:
    """What is added to the role that the runtime construct makes (logs, traces, metrics, workload identity)."""
    endpoint = f"arn:aws:sagemaker:{place.region}:{place.account}:endpoint/{deployment.endpoint_name}"
    statements = [
        iam.PolicyStatement(
            actions=["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"],
            resources=bedrock_resources(place, deployment.bedrock_model_id),
        ),
        iam.PolicyStatement(actions=list(SAGEMAKER_INVOKE_ACTIONS), resources=[endpoint]),
    ]
    if deployment.package == "container":
        statements += [
            iam.PolicyStatement(
                actions=["ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"],
                resources=[repository_arn(deployment.image_uri)],
            ),
            iam.PolicyStatement(actions=["ecr:GetAuthorizationToken"], resources=["*"]),
        ]
    return statements


def repository_arn(image_uri: str) -> str:
    """The repository an image is in. Raises UsageError for one that AgentCore would not take."""
    match = _IMAGE.match(image_uri)
    if match is None:
        raise UsageError(
            f"{image_uri!r} is no image of a private ECR repository.",
            code="bad_image_uri",
            hint="AgentCore takes ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG.",
        )
    account, region, name = match.groups()
    return f"arn:aws:ecr:{region}:{account}:repository/{name}"


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
    for arn in bedrock_resources(place, deployment.bedrock_model_id):
        if "*" in arn:
            reason = "A cross-region profile runs the model in whichever region of its geography has room."
            findings[f"AwsSolutions-IAM5[Resource::{arn}]"] = reason
    return findings
