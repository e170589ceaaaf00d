"""Builds images in AWS for those who have no engine: one CodeBuild project over the context, uploaded as an asset."""

from aws_cdk import CfnOutput, Duration, RemovalPolicy
from aws_cdk import aws_codebuild as codebuild
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3_assets as assets
from constructs import Construct

from firstword.infra.application import PlaceStack, acknowledge
from firstword.infra.deployment import Place
from firstword.infra.foundation import Foundation
from firstword.infra.images.context import BuildContext
from firstword.infra.toolkit.builders import NO_ATTESTATIONS

__all__ = ["BuilderStack"]


class BuilderStack(PlaceStack):
    """One project per image; it may pull the context and push to that image's repository, nothing else."""

    def __init__(self, app: Construct, *, place: Place, foundation: Foundation, context: BuildContext) -> None:
        super().__init__(
            app,
            place=place,
            name=f"{place.builder_stack}-{context.image}",
            about=f"firstword: builds {context.image} images",
        )
        repository = foundation.speech_images if context.image == "speech" else foundation.agent_images
        source = assets.Asset(self, "Context", path=str(context.directory))
        arm = context.platform == "linux/arm64"
        log = logs.LogGroup(
            self,
            "Log",
            retention=logs.RetentionDays.ONE_MONTH,
            encryption_key=foundation.key,
            removal_policy=RemovalPolicy.DESTROY,
        )
        role = self._role(repository.repository_arn, source, log, foundation.key.key_arn)
        project = codebuild.Project(
            self,
            "Build",
            role=role.without_policy_updates(),
            description=f"firstword {place.prefix}: {context.image} image",
            source=codebuild.Source.s3(bucket=source.bucket, path=source.s3_object_key),
            encryption_key=foundation.key,
            timeout=Duration.minutes(60),
            environment=codebuild.BuildEnvironment(
                build_image=codebuild.LinuxArmBuildImage.AMAZON_LINUX_2023_STANDARD_3_0
                if arm
                else codebuild.LinuxBuildImage.STANDARD_7_0,
                compute_type=codebuild.ComputeType.MEDIUM,
                privileged=True,
            ),
            build_spec=codebuild.BuildSpec.from_object(_build_spec(context, place)),
            logging=codebuild.LoggingOptions(cloud_watch=codebuild.CloudWatchLoggingOptions(log_group=log)),
        )
        CfnOutput(self, "Project", value=project.project_name)
        acknowledge(project, {"AwsSolutions-CB3": "Building an image needs the privileged mode of CodeBuild."})

    def _role(self, repository_arn: str, source: assets.Asset, log: logs.LogGroup, key_arn: str) -> iam.Role:
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("codebuild.amazonaws.com"))
        grants = [
            (["s3:GetObject", "s3:GetObjectVersion"], f"{source.bucket.bucket_arn}/{source.s3_object_key}"),
            (["logs:CreateLogStream", "logs:PutLogEvents"], log.log_group_arn),
            (["kms:Decrypt", "kms:GenerateDataKey"], key_arn),
            (_PUSH, repository_arn),
            (["ecr:GetAuthorizationToken"], "*"),
        ]
        for actions, resource in grants:
            role.add_to_policy(iam.PolicyStatement(actions=actions, resources=[resource]))
        login = "ecr:GetAuthorizationToken knows no resource."
        acknowledge(role, {"AwsSolutions-IAM5[Resource::*]": login})
        return role


_PUSH = [
    "ecr:BatchCheckLayerAvailability",
    "ecr:CompleteLayerUpload",
    "ecr:InitiateLayerUpload",
    "ecr:PutImage",
    "ecr:UploadLayerPart",
]


def _build_spec(context: BuildContext, place: Place) -> dict[str, object]:
    options = " ".join(f"--build-arg {key}={value}" for key, value in context.arguments.items())
    target = f"--target {context.target}" if context.target else ""
    host = f"{place.account}.dkr.ecr.{place.region}.amazonaws.com"
    login = "docker login --username AWS --password-stdin"
    return {
        "version": "0.2",
        "env": {"variables": NO_ATTESTATIONS},
        "phases": {
            "pre_build": {"commands": [f"aws ecr get-login-password | {login} {host}"]},
            "build": {"commands": [f"docker build {options} {target} --tag $IMAGE ."]},
            "post_build": {"commands": ["docker push $IMAGE"]},
        },
    }
