"""What tells a person that a voice is ill: alarms to the topic, and one dashboard."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from constructs import Construct

from firstword.infra.deployment import VARIANT, SpeechDeployment

__all__ = ["Alarms", "dashboard"]


def _metric(endpoint_name: str, name: str, statistic: str, namespace: str = "AWS/SageMaker") -> cloudwatch.Metric:
    return cloudwatch.Metric(
        namespace=namespace,
        metric_name=name,
        dimensions_map={"EndpointName": endpoint_name, "VariantName": VARIANT},
        statistic=statistic,
        period=Duration.minutes(1),
    )


class Alarms(Construct):
    """Three alarms with fixed names: errors, slow first audio, a full fleet. `rollback` names those that undo an
    update while it bakes."""

    def __init__(
        self, scope: Construct, *, endpoint_name: str, deployment: SpeechDeployment, topic: sns.ITopic
    ) -> None:
        super().__init__(scope, "Alarms")
        self._endpoint_name = endpoint_name
        self._notify = actions.SnsAction(topic)
        self._alarm(
            "Errors", "the voice answers with errors", "Invocation5XXErrors", "Sum", threshold=5, periods=2, of=3
        )
        self._alarm(
            "FirstAudio",
            "the first audio comes later than promised",
            "FirstChunkLatency",
            "p95",
            threshold=deployment.first_chunk_slo_ms * 1000,  # CloudWatch has it in microseconds
            periods=3,
            of=5,
        )
        self._alarm(
            "Full",
            "every instance carries twice the streams it is meant to",
            "ConcurrentRequestsPerModel",
            "Average",
            threshold=2 * deployment.target_streams,
            periods=5,
            of=5,
        )
        self.rollback = [f"{endpoint_name}-errors"]

    def _alarm(
        self, id: str, about: str, metric: str, statistic: str, *, threshold: float, periods: int, of: int
    ) -> cloudwatch.Alarm:
        kebab = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in id).lstrip("-")
        alarm = cloudwatch.Alarm(
            self,
            id,
            alarm_name=f"{self._endpoint_name}-{kebab}",
            alarm_description=f"{self._endpoint_name}: {about}.",
            metric=_metric(self._endpoint_name, metric, statistic),
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            threshold=threshold,
            evaluation_periods=of,
            datapoints_to_alarm=periods,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(self._notify)
        alarm.add_ok_action(self._notify)
        return alarm


def dashboard(scope: Construct, *, endpoint_name: str, deployment: SpeechDeployment) -> cloudwatch.Dashboard:
    """First audio, load against target, errors, and what the instances do."""
    board = cloudwatch.Dashboard(scope, "Dashboard", dashboard_name=endpoint_name)
    latency = [_metric(endpoint_name, "FirstChunkLatency", name) for name in ("p50", "p95", "p99")]
    load = [_metric(endpoint_name, "ConcurrentRequestsPerModel", name) for name in ("Average", "Maximum")]
    errors = [_metric(endpoint_name, name, "Sum") for name in ("Invocation4XXErrors", "Invocation5XXErrors")]
    names = ["CPUUtilization", "MemoryUtilization"]
    if deployment.kind.device == "gpu":
        names += ["GPUUtilization", "GPUMemoryUtilization"]
    machine = [_metric(endpoint_name, name, "Average", "/aws/sagemaker/Endpoints") for name in names]
    target = cloudwatch.HorizontalAnnotation(value=deployment.target_streams, label="target per instance")
    board.add_widgets(
        cloudwatch.GraphWidget(title="First audio (µs)", left=latency, width=12),
        cloudwatch.GraphWidget(title="Open streams per instance", left=load, left_annotations=[target], width=12),
    )
    board.add_widgets(
        cloudwatch.GraphWidget(title="Errors", left=errors, width=12),
        cloudwatch.GraphWidget(title="Instances (%)", left=machine, width=12),
    )
    return board
