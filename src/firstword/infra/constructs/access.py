"""Who may do what: the role the speech container runs under and the policies that callers are given."""

from aws_cdk import aws_iam as iam
from constructs import Construct

from firstword.infra.application import acknowledge
from firstword.infra.deployment import Place

__all__ = ["SAGEMAKER_INVOKE_ACTIONS", "caller_policy", "execution_role", "grant_network", "grant_pull"]

# One per way to invoke. Third parties report AccessDenied on streams for callers that hold only the first.
SAGEMAKER_INVOKE_ACTIONS = (
    "sagemaker:InvokeEndpoint",
    "sagemaker:InvokeEndpointWithBidirectionalStream",
    "sagemaker:InvokeEndpointWithResponseStream",
)

_PULL = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"]
_LOGIN = "ecr:GetAuthorizationToken knows no resource; what may be pulled is limited to one repository."


def execution_role(scope: Construct, *, place: Place, repository_arn: str, key_arn: str) -> iam.Role:
    """The role SageMaker assumes for an endpoint: pull one repository, read the weights, write its own log streams.

    It cannot create a log group, so a container that is going away cannot bring back the group a teardown removed.
    """
    role = iam.Role(
        scope,
        "ExecutionRole",
        description=f"firstword {place.prefix}: what the speech container may do",
        assumed_by=iam.ServicePrincipal(
            "sagemaker.amazonaws.com", conditions={"StringEquals": {"aws:SourceAccount": place.account}}
        ),
    )
    for statement in _execution_statements(place, repository_arn, key_arn):
        role.add_to_policy(statement)
    bucket = f"arn:aws:s3:::{place.weights_bucket}"
    groups = _log_groups(place)
    acknowledge(
        role,
        {
            "AwsSolutions-IAM5[Resource::*]": _LOGIN + " cloudwatch:PutMetricData is held to namespaces.",
            f"AwsSolutions-IAM5[Resource::{bucket}/models/*]": "A model is a prefix of files; read only.",
            f"AwsSolutions-IAM5[Resource::{groups}]": "SageMaker names the streams; the groups are this prefix's own.",
            f"AwsSolutions-IAM5[Resource::{groups}:log-stream:*]": "SageMaker names the streams of a container.",
        },
    )
    return role


def _log_groups(place: Place) -> str:
    return f"arn:aws:logs:{place.region}:{place.account}:log-group:/aws/sagemaker/Endpoints/{place.prefix}-*"


def _execution_statements(place: Place, repository_arn: str, key_arn: str) -> list[iam.PolicyStatement]:
    bucket = f"arn:aws:s3:::{place.weights_bucket}"
    groups = _log_groups(place)
    return [
        iam.PolicyStatement(actions=_PULL, resources=[repository_arn]),
        iam.PolicyStatement(actions=["ecr:GetAuthorizationToken"], resources=["*"]),
        iam.PolicyStatement(
            actions=["s3:ListBucket"],
            resources=[bucket],
            conditions={"StringLike": {"s3:prefix": ["models/*"]}},
        ),
        iam.PolicyStatement(actions=["s3:GetObject"], resources=[f"{bucket}/models/*"]),
        iam.PolicyStatement(actions=["kms:Decrypt"], resources=[key_arn]),
        iam.PolicyStatement(
            actions=["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"],
            resources=[groups, f"{groups}:log-stream:*"],
        ),
        iam.PolicyStatement(
            actions=["cloudwatch:PutMetricData"],
            resources=["*"],
            conditions={"StringLike": {"cloudwatch:namespace": ["AWS/SageMaker", "/aws/sagemaker/*"]}},
        ),
    ]


def grant_pull(scope: Construct, *, role: iam.IRole, repository_arn: str) -> iam.Policy:
    """The right to pull an image that is not of the place's own repository. Only a voice that runs one gets it."""
    pull = iam.PolicyStatement(actions=_PULL, resources=[repository_arn])
    return iam.Policy(scope, "ImageAccess", roles=[role], statements=[pull])


def grant_network(scope: Construct, *, role: iam.IRole, place: Place) -> iam.Policy:
    """What SageMaker needs to put the containers into your subnets. Only an endpoint with a network gets it."""
    here = f"arn:aws:ec2:{place.region}:{place.account}"
    interfaces = [f"{here}:network-interface/*", f"{here}:subnet/*", f"{here}:security-group/*"]
    policy = iam.Policy(
        scope,
        "NetworkAccess",
        roles=[role],
        statements=[
            iam.PolicyStatement(
                actions=[
                    "ec2:CreateNetworkInterface",
                    "ec2:CreateNetworkInterfacePermission",
                    "ec2:DeleteNetworkInterface",
                    "ec2:DeleteNetworkInterfacePermission",
                ],
                resources=interfaces,
            ),
            iam.PolicyStatement(
                actions=[
                    "ec2:DescribeDhcpOptions",
                    "ec2:DescribeNetworkInterfaces",
                    "ec2:DescribeSecurityGroups",
                    "ec2:DescribeSubnets",
                    "ec2:DescribeVpcs",
                ],
                resources=["*"],
            ),
        ],
    )
    found = {f"AwsSolutions-IAM5[Resource::{arn}]": "SageMaker names the interfaces it makes." for arn in interfaces}
    acknowledge(policy, found | {"AwsSolutions-IAM5[Resource::*]": "EC2's Describe calls know no resource."})
    return policy


def caller_policy(scope: Construct, *, place: Place) -> iam.ManagedPolicy:
    """A policy to attach to whoever may make this prefix's voices speak, and nothing else."""
    endpoints = f"arn:aws:sagemaker:{place.region}:{place.account}:endpoint/{place.prefix}-*"
    policy = iam.ManagedPolicy(
        scope,
        "SpeechCallers",
        description=f"firstword {place.prefix}: may invoke its voice endpoints",
        statements=[iam.PolicyStatement(actions=list(SAGEMAKER_INVOKE_ACTIONS), resources=[endpoints])],
    )
    acknowledge(policy, {f"AwsSolutions-IAM5[Resource::{endpoints}]": "Every voice of this prefix, by intent."})
    return policy
