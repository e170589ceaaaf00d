"""The stack of one voice: its endpoint, how it scales, who is told when it is ill. Removed whole by `destroy`."""

from aws_cdk import CfnOutput
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from constructs import Construct

from firstword.infra.application import PlaceStack
from firstword.infra.constructs.access import grant_network, grant_pull
from firstword.infra.constructs.hosting import Hosting
from firstword.infra.constructs.scaling import FleetScaling
from firstword.infra.constructs.watch import Alarms, dashboard
from firstword.infra.deployment import Place, SpeechDeployment
from firstword.infra.foundation import Foundation
from firstword.infra.image_names import image_name

__all__ = ["EndpointStack"]


class EndpointStack(PlaceStack):
    """Wires hosting, alarms, scaling and dashboard of `deployment`, which must name an image and weights."""

    def __init__(self, app: Construct, *, place: Place, deployment: SpeechDeployment, foundation: Foundation) -> None:
        super().__init__(
            app,
            place=place,
            name=place.speech_stack(deployment.model),
            about=f"firstword: the voice {deployment.model}",
            options=deployment,
        )
        name = place.endpoint_name(deployment.model)
        alarms = None if deployment.paused else self._alarms(name, deployment, foundation)
        hosting = Hosting(
            self,
            place=place,
            deployment=deployment,
            role=foundation.role,
            key=foundation.key,
            rollback_alarms=alarms.rollback if alarms else [],
        )
        for grant in self._grants(place, deployment, foundation):
            hosting.model.node.add_dependency(grant)
        CfnOutput(self, "EndpointName", value=name)
        if alarms is None:
            return
        hosting.endpoint.node.add_dependency(alarms)
        dashboard(self, endpoint_name=name, deployment=deployment)
        if deployment.scales:
            scaling = FleetScaling(self, account=place.account, endpoint_name=name, deployment=deployment)
            scaling.node.add_dependency(hosting.endpoint)

    def _grants(self, place: Place, deployment: SpeechDeployment, foundation: Foundation) -> list[iam.Policy]:
        """What the shared role lacks for this voice."""
        grants = []
        if deployment.network:
            grants.append(grant_network(self, role=foundation.role, place=place))
        image = image_name(deployment.image_uri, "SageMaker")
        if (image.account, image.region, image.repository) != (place.account, place.region, place.repository("speech")):
            grants.append(grant_pull(self, role=foundation.role, repository_arn=image.repository_arn))
        return grants

    def _alarms(self, name: str, deployment: SpeechDeployment, foundation: Foundation) -> Alarms:
        if deployment.alarm_email:
            sns.Subscription(
                self,
                "AlarmEmail",
                topic=foundation.topic,
                protocol=sns.SubscriptionProtocol.EMAIL,
                endpoint=deployment.alarm_email,
            )
        return Alarms(self, endpoint_name=name, deployment=deployment, topic=foundation.topic)
