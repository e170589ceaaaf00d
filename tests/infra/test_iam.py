"""Permissions: what each part is recorded calling is allowed, and what is allowed beyond that has its reason here."""

import asyncio

import pytest

from fakes.agent_peers import talking
from fakes.deployments import PLACE, Assembly
from fakes.iam import Policy, SdkCall, policies_of, record_sdk_calls
from fakes.patient import patient
from fakes.speech_server import speech_server
from firstword.emulator.emulator import Behind, run_emulator
from firstword.infra.bedrock_names import Touched, bedrock_touched
from firstword.listen import listening
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.llm.scripted.server import ScriptedModel

ENDPOINT = PLACE.endpoint_name("kokoro-82m")
MODEL_ID = "amazon.nova-lite-v1:0"
SCRIPT = Script(replies=(Reply(turns=((Say(text="Hello there, my friend."),),)),), tokens_per_s=0)

# An SDK's operation, and the IAM action it needs. Bedrock's Converse calls are authorized as its Invoke calls.
_ACTIONS = {
    "Converse": "bedrock:InvokeModel",
    "ConverseStream": "bedrock:InvokeModelWithResponseStream",
    "InvokeEndpoint": "sagemaker:InvokeEndpoint",
    "InvokeEndpointWithResponseStream": "sagemaker:InvokeEndpointWithResponseStream",
    "InvokeEndpointWithBidirectionalStream": "sagemaker:InvokeEndpointWithBidirectionalStream",
}

_AGENT_BEYOND = {
    "bedrock:InvokeModel": "Strands falls back to Converse where a model does not stream",
    "sagemaker:InvokeEndpointWithResponseStream": "third parties see AccessDenied on streams without it",
    "logs:CreateLogGroup": "AgentCore writes the runtime's logs under this role",
    "logs:CreateLogStream": "as above",
    "logs:DescribeLogGroups": "as above",
    "logs:DescribeLogStreams": "as above",
    "logs:PutLogEvents": "as above",
    "xray:GetSamplingRules": "AgentCore's traces",
    "xray:GetSamplingTargets": "as above",
    "xray:PutTelemetryRecords": "as above",
    "xray:PutTraceSegments": "as above",
    "cloudwatch:PutMetricData": "AgentCore's metrics, held to its namespace",
    "bedrock-agentcore:GetWorkloadAccessToken": "AgentCore gives every runtime an identity",
    "bedrock-agentcore:GetWorkloadAccessTokenForJWT": "as above",
    "bedrock-agentcore:GetWorkloadAccessTokenForUserId": "as above",
    "ecr:BatchGetImage": "AgentCore pulls the image under this role",
    "ecr:GetDownloadUrlForLayer": "as above",
    "ecr:GetAuthorizationToken": "as above",
}

_CONTAINER_BEYOND = {
    "ecr:BatchCheckLayerAvailability": "SageMaker pulls the image under this role",
    "ecr:BatchGetImage": "as above",
    "ecr:GetDownloadUrlForLayer": "as above",
    "ecr:GetAuthorizationToken": "as above",
    "s3:ListBucket": "SageMaker brings the weights to the instance under this role",
    "s3:GetObject": "as above",
    "kms:Decrypt": "the bucket is encrypted with our key",
    "logs:CreateLogStream": "SageMaker writes the container's logs under this role",
    "logs:DescribeLogStreams": "as above",
    "logs:PutLogEvents": "as above",
    "cloudwatch:PutMetricData": "SageMaker's instance and container metrics, held to its namespaces",
}


@pytest.fixture
def agent_policy(assemblies: dict[str, Assembly]) -> Policy:
    (policy,) = policies_of(assemblies["agent"].template(PLACE.agent_stack), "AWS::IAM::Policy").values()
    return policy


def _resource(call: SdkCall) -> str:
    if "EndpointName" in call.parameters:
        return f"arn:aws:sagemaker:{PLACE.region}:{PLACE.account}:endpoint/{call.parameters['EndpointName']}"
    return f"arn:aws:bedrock:{PLACE.region}::foundation-model/{call.parameters['modelId']}"


def test_everything_the_agent_calls_is_allowed_and_the_rest_has_a_reason(
    agent_policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_sdk_calls(monkeypatch)
    asyncio.run(asyncio.wait_for(_talk_in_every_mode(monkeypatch), 120))
    used = {_ACTIONS[call.operation] for call in calls}
    assert used >= {"bedrock:InvokeModelWithResponseStream", "sagemaker:InvokeEndpointWithBidirectionalStream"}
    denied = [call for call in calls if not agent_policy.allows(_ACTIONS[call.operation], _resource(call))]
    assert denied == []
    assert agent_policy.actions - used == set(_AGENT_BEYOND) - used


async def _talk_in_every_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        speech_server() as voice,
        listening(ScriptedModel(SCRIPT).app) as model_url,
        run_emulator(patient(h2="h2c"), Behind(endpoints={ENDPOINT: voice.url}, bedrock_url=model_url)) as emulator,
    ):
        for name, value in emulator.exports.items():
            monkeypatch.setenv(name, value)
        async with talking(SCRIPT, model=f"bedrock:{MODEL_ID}", speech=f"endpoint:{ENDPOINT}") as caller:
            for mode in ("bidi", "batch", "whole"):
                told = await caller.ask({"prompt": "Hi", "mode": mode})
                assert told[-1]["type"] == "agent_end", told[-1]


def test_the_agent_may_speak_through_no_other_voice_and_run_no_other_model(agent_policy: Policy) -> None:
    place = f"{PLACE.region}:{PLACE.account}"
    other = f"arn:aws:sagemaker:{place}:endpoint/somebody-elses"
    assert not agent_policy.allows("sagemaker:InvokeEndpoint", other)
    model = f"arn:aws:bedrock:{PLACE.region}::foundation-model/anthropic.claude-opus"
    assert not agent_policy.allows("bedrock:InvokeModelWithResponseStream", model)
    assert not agent_policy.allows("sagemaker:DeleteEndpoint", f"arn:aws:sagemaker:{place}:endpoint/{ENDPOINT}")


@pytest.mark.parametrize(
    ("model_id", "first", "through"),
    [
        ("amazon.nova-lite-v1:0", "us-east-1::foundation-model/amazon.nova-lite-v1:0", ""),
        (
            "eu.amazon.nova-lite-v1:0",
            f"us-east-1:{PLACE.account}:inference-profile/eu.amazon.nova-lite-v1:0",
            "*::foundation-model/amazon.nova-lite-v1:0",
        ),
        (
            f"arn:aws:bedrock:us-west-2:{PLACE.account}:inference-profile/us.amazon.nova-lite-v1:0",
            f"us-west-2:{PLACE.account}:inference-profile/us.amazon.nova-lite-v1:0",
            "*::foundation-model/amazon.nova-lite-v1:0",
        ),
        (
            f"arn:aws:bedrock:us-east-1:{PLACE.account}:application-inference-profile/abc",
            f"us-east-1:{PLACE.account}:application-inference-profile/abc",
            "*::foundation-model/*",
        ),
    ],
)
def test_a_profile_runs_its_model_wherever_its_geography_has_room(model_id: str, first: str, through: str) -> None:
    arn = "arn:aws:bedrock:"
    expected = Touched(first=arn + first, through=f"{arn}{through}" if through else "")
    assert bedrock_touched(PLACE, model_id) == expected


@pytest.mark.parametrize("name", ["agent-profile", "agent-own-profile"])
def test_a_profiles_models_are_run_by_way_of_the_profile_only(assemblies: dict[str, Assembly], name: str) -> None:
    (policy,) = assemblies[name].resources(PLACE.agent_stack, "AWS::IAM::Policy")
    running = [s for s in policy["PolicyDocument"]["Statement"] if "bedrock:InvokeModel" in s["Action"]]
    (profile,) = [s["Resource"] for s in running if "Condition" not in s]
    (models,) = [s for s in running if "Condition" in s]
    assert ":foundation-model/" in models["Resource"]
    assert models["Condition"] == {"StringEquals": {"bedrock:InferenceProfileArn": profile}}


def test_the_container_calls_nothing_itself_and_its_role_holds_what_sagemaker_needs(
    assemblies: dict[str, Assembly],
) -> None:
    (policy,) = policies_of(assemblies["gpu"].template(PLACE.foundation_stack), "AWS::IAM::Policy").values()
    assert policy.actions == set(_CONTAINER_BEYOND)
    weights = f"arn:aws:s3:::{PLACE.weights_bucket}"
    assert policy.allows("s3:GetObject", f"{weights}/models/kokoro-82m/0123/model.onnx")
    assert not policy.allows("s3:GetObject", f"{weights}/secrets.txt")
    assert not policy.allows("s3:PutObject", f"{weights}/models/kokoro-82m/0123/model.onnx")
    logs = f"arn:aws:logs:{PLACE.region}:{PLACE.account}:log-group:/aws/sagemaker/Endpoints/{ENDPOINT}"
    assert policy.allows("logs:PutLogEvents", f"{logs}:log-stream:primary/i-1")


def test_callers_may_invoke_the_voices_of_the_prefix_and_do_nothing_else(assemblies: dict[str, Assembly]) -> None:
    template = assemblies["gpu"].template(PLACE.foundation_stack)
    (policy,) = policies_of(template, "AWS::IAM::ManagedPolicy").values()
    endpoints = f"arn:aws:sagemaker:{PLACE.region}:{PLACE.account}:endpoint"
    assert policy.allows("sagemaker:InvokeEndpointWithBidirectionalStream", f"{endpoints}/{ENDPOINT}")
    assert not policy.allows("sagemaker:InvokeEndpointWithBidirectionalStream", f"{endpoints}/other")
    assert all(action.startswith("sagemaker:InvokeEndpoint") for action in policy.actions)


def test_callers_of_the_agent_may_use_both_its_doors(assemblies: dict[str, Assembly]) -> None:
    (policy,) = policies_of(assemblies["agent"].template(PLACE.agent_stack), "AWS::IAM::ManagedPolicy").values()
    assert policy.actions == {
        "bedrock-agentcore:InvokeAgentRuntime",
        "bedrock-agentcore:InvokeAgentRuntimeWithWebSocketStream",
    }
