"""What every voice and agent of a place shares: the key, the image repositories, the container's role, the alarm topic.

Nothing here costs money while idle but the key. Key and repositories outlive the stack.
"""

from aws_cdk import CfnOutput, Token
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from constructs import Construct

from firstword.infra.application import PlaceStack
from firstword.infra.constructs.access import caller_policy, execution_role
from firstword.infra.constructs.encryption import deployment_key
from firstword.infra.constructs.images import image_repository
from firstword.infra.deployment import Place

__all__ = ["Foundation"]


class Foundation(PlaceStack):
    """The foundation stack. `key`, `role` and `topic` are what an endpoint is wired to."""

    def __init__(self, app: Construct, *, place: Place) -> None:
        about = "firstword: key, image repositories, roles, alarms"
        super().__init__(app, place=place, name=place.foundation_stack, about=about)
        self.key = deployment_key(self, place=place)
        self.speech_images = image_repository(self, place=place, image="speech", key=self.key)
        self.agent_images = image_repository(self, place=place, image="agent", key=self.key)
        self.role = execution_role(
            self, place=place, repository_arn=self.speech_images.repository_arn, key_arn=self.key.key_arn
        )
        self.topic = self._alarm_topic(place)
        callers = caller_policy(self, place=place)
        self._export_all()
        CfnOutput(self, "SpeechCallersPolicy", value=callers.managed_policy_arn)
        CfnOutput(self, "AlarmTopic", value=self.topic.topic_arn)
        CfnOutput(self, "KeyArn", value=self.key.key_arn)

    def _export_all(self) -> None:
        """Export whatever another stack may refer to, always: this stack is deployed alone as well as with others, and
        its template must be the same either way or an export in use would be taken away."""
        images = (self.speech_images.repository_arn, self.agent_images.repository_arn)
        for value in (self.key.key_arn, self.key.key_id, self.role.role_arn, self.role.role_name, *images):
            if Token.is_unresolved(value):
                self.export_value(value)
        self.export_value(self.topic.topic_arn)

    def _alarm_topic(self, place: Place) -> sns.Topic:
        topic = sns.Topic(self, "Alarms", master_key=self.key, enforce_ssl=True)
        topic.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["sns:Publish"],
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                resources=[topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": place.account}},
            )
        )
        return topic
