"""Every setting of every part, as frozen dataclasses; the only reader of the environment.

A field `max_lead_s` of `ServerSettings` (prefix SERVER) is `FIRSTWORD_SERVER_MAX_LEAD_S` in the environment. A flag
beats the environment, which beats the default here. `firstword doctor --settings` lists them all.
"""

import dataclasses
import math
import os
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

from firstword.errors import ConfigError

__all__ = [
    "AgentSettings",
    "AssetSettings",
    "ClientSettings",
    "EmulatorSettings",
    "InfraSettings",
    "LlmSettings",
    "LogSettings",
    "ServerSettings",
    "Settings",
    "StackSettings",
    "VoiceSettings",
    "WebSettings",
    "aws_endpoint_url",
    "aws_region",
    "every_setting",
    "inherited_environment",
]


_LAST_PORT: Final = 65_535


def _setting[T](default: T, help: str) -> T:
    result: T = field(default=default, metadata={"help": help})
    return result


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Base: knows its prefix and how to read itself from a mapping."""

    prefix: ClassVar[str] = ""

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Self:
        """Settings from `environ` (default: the process's), then `overrides` that are not None. Raises ConfigError."""
        source = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        hints = typing.get_type_hints(cls)
        for item in dataclasses.fields(cls):
            name = cls.variable(item.name)
            if overrides.get(item.name) is not None:
                values[item.name] = overrides[item.name]
            elif source.get(name, "") != "":
                values[item.name] = _parse(name, source[name], hints[item.name])
            _check(name, values.get(item.name))
        unknown = set(overrides) - {item.name for item in dataclasses.fields(cls)}
        if unknown:
            raise TypeError(f"{cls.__name__} has no setting {', '.join(sorted(unknown))}")
        return cls(**values)

    @classmethod
    def variable(cls, name: str) -> str:
        return f"FIRSTWORD_{cls.prefix}_{name}".upper()


def _parse(name: str, text: str, kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        kind = next(part for part in typing.get_args(kind) if part is not types.NoneType)
    try:
        if kind is bool:
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.lower()]
        return kind(text)
    except (KeyError, ValueError) as error:
        wanted = "true or false" if kind is bool else f"a value of type {kind.__name__}"
        raise ConfigError(f"{name} is {text!r}.", hint=f"Set it to {wanted}, or unset it.") from error


def _check(name: str, value: Any) -> None:
    """Raises ConfigError for what no setting can be: a port that does not exist, a number that is none or negative."""
    if name.endswith("_PORT") and value is not None and not 0 <= value <= _LAST_PORT:
        raise ConfigError(f"{name} is {value}.", hint=f"A port is 0 to {_LAST_PORT}; 0 picks one.")
    if isinstance(value, float) and math.isnan(value):
        raise ConfigError(f"{name} is not a number.", hint="Set it to one, or unset it.")
    if isinstance(value, int | float) and value < 0 and not name.endswith("_SEED"):
        raise ConfigError(f"{name} is {value:g}.", hint="It is a number from 0 up.")


@dataclass(frozen=True, kw_only=True)
class AssetSettings(Settings):
    """Where weights and voices come from and where they are kept."""

    prefix: ClassVar[str] = "ASSETS"
    source: str = _setting("packages", "packages | hub | dir:PATH | s3://BUCKET/PREFIX")
    cache_dir: str | None = _setting(None, "where assets are kept; default: the user's cache directory")
    download_timeout_s: float = _setting(600.0, "deadline of one download")
    hub_repo: str = _setting("onnx-community/Kokoro-82M-v1.0-ONNX", "repository of the source hub")
    hub_revision: str = _setting("main", "branch, tag or commit of that repository")
    hub_endpoint: str | None = _setting(None, "URL of a mirror of the hub; default: the hub itself")


@dataclass(frozen=True, kw_only=True)
class VoiceSettings(Settings):
    """The inference session."""

    prefix: ClassVar[str] = "VOICE"
    engine: str = _setting("kokoro", "kokoro | tone (a test voice that needs no weights)")
    backend: str = _setting(
        "auto", "auto | onnxruntime | cuda | openvino; auto: as tuned, else cuda, openvino with bfloat16 or onnxruntime"
    )
    threads: int = _setting(0, "threads of inference; 0: as tuned, else one per core the process may use, at most 4")
    spinning: str = _setting(
        "auto", "auto | on | off: whether these threads wait by spinning; auto: as tuned, else off"
    )
    windows: str = _setting(
        "auto", "auto | float32 | int8: whether windows are decoded partly in int8; auto: as tuned, else float32"
    )
    tuned: bool = _setting(True, "use what `firstword doctor --tune` found fastest on this machine")
    decode: str = _setting("auto", "auto | full | streamed: whether a sentence is decoded whole or in windows")
    default_voice: str = _setting("af_heart", "voice of a request that names none")
    max_piece_tokens: int = _setting(
        300, "longest piece of one inference, in phoneme tokens (510 is the model's limit)"
    )


@dataclass(frozen=True, kw_only=True)
class ServerSettings(Settings):
    """The speech server."""

    prefix: ClassVar[str] = "SERVER"
    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8080, "port to listen on; 0 picks one")
    max_text_chars: int = _setting(20_000, "longest text of one request")
    max_message_bytes: int = _setting(1_048_576, "longest message or body accepted")
    max_queued_requests: int = _setting(64, "requests one session may have waiting")
    max_queued_chars: int = _setting(100_000, "characters one session may have waiting")
    max_sessions: int = _setting(64, "open sessions and running requests; more are told 503 / overloaded")
    max_lead_s: float = _setting(3.0, "how far audio is sent ahead of playback")
    max_request_age_s: float = _setting(60.0, "a request_timestamp older than this is answered 408")
    text_timeout_s: float = _setting(30.0, "a text_delta request without text for this long is completed")
    max_wait_s: float = _setting(3.0, "a request that would wait longer than this for its first audio is refused")
    max_load: float = _setting(
        1.0, "a request is refused if more would be asked of the voice; at 1 it speaks as fast as all of them listen"
    )
    min_listeners: int = _setting(1, "so many are let in whatever they ask of the voice; with more, too many pause")
    max_buffered_s: float = _setting(30.0, "audio made ahead for one request that nobody has taken yet")
    first_chunk: str = _setting("clause", "clause | sentence: what the first thing spoken of a live text may be")
    idle_flush_ms: int = _setting(60, "a pause in the text after which a finished sentence is released")
    stall_flush_ms: int = _setting(
        700, "a pause in the text after which a finished clause is, if playback is about to run dry; 0: never"
    )
    stall_lead_ms: int = _setting(500, "it is about to with no more audio than this left to hear")
    join_after_s: float = _setting(
        4.0, "with more audio than this left to hear, waiting sentences are said two or three in one; 0: never"
    )
    whole_message: bool = _setting(
        False, "send no audio of a request before all of it is synthesized; for comparison only"
    )
    pronunciations_file: str | None = _setting(
        None, "JSON file, word to respelling or to /phonemes/, that holds for every request"
    )
    code: str = _setting("announce", "announce | skip: what becomes of a block of code")
    emoji: str = _setting("drop", "drop | name: what becomes of emoji")
    stage_directions: str = _setting("drop", "drop | keep: what becomes of *sighs*")
    send_timeout_s: float = _setting(30.0, "a reader that takes nothing for this long is dropped")
    stay_failed: bool = _setting(
        False, "a voice that does not load leaves the server up, /ping at 503, until SIGTERM (inside a container)"
    )
    drain_s: float = _setting(20.0, "how long running answers may finish after SIGTERM")
    api_key_file: str | None = _setting(None, "file of bearer keys, one a line; without it no key is asked for")
    allow_no_key: bool = _setting(False, "listen beyond this machine without asking for a key (inside a container)")


@dataclass(frozen=True, kw_only=True)
class ClientSettings(Settings):
    """The client library."""

    prefix: ClassVar[str] = "CLIENT"
    url: str | None = _setting(None, "speech server to use where none is named: a URL or endpoint:NAME")
    api_key: str | None = _setting(None, "bearer key sent to a speech server that asks for one")
    pronunciations_file: str | None = _setting(
        None, "JSON file, word to respelling or to /phonemes/, sent with every request"
    )
    connect_timeout_s: float = _setting(10.0, "deadline for opening a session")
    receive_timeout_s: float = _setting(60.0, "deadline for the next frame while an answer is awaited")
    send_timeout_s: float = _setting(10.0, "deadline for handing a frame to the network")
    close_timeout_s: float = _setting(5.0, "deadline for a polite end of a session")
    cancel_timeout_s: float = _setting(5.0, "deadline for the acknowledgement of a cancel; then the session is dropped")
    max_reconnects: int = _setting(3, "new sessions tried for one answer before it fails")
    reconnect_delay_s: float = _setting(
        0.2, "wait before the first of them; it doubles each time, five times it if the voice was busy"
    )
    max_unanswered: int = _setting(16, "sentences sent ahead of their audio")
    idle_flush_ms: int = _setting(60, "a pause in the text after which a finished sentence is released")
    stall_flush_ms: int = _setting(
        700, "a pause in the text after which a finished clause is, if playback is about to run dry; 0: never"
    )
    stall_lead_ms: int = _setting(500, "it is about to with no more audio than this left to hear")
    join_after_s: float = _setting(
        4.0, "with more audio than this left to hear, waiting sentences are said two or three in one; 0: never"
    )
    sagemaker_http: str = _setting("crt", "crt | own: which HTTP/2 carries an https endpoint; plain http is always own")
    rotate_after_s: float = _setting(
        1500.0, "age at which a session is replaced between requests (SageMaker ends them at 1800)"
    )


@dataclass(frozen=True, kw_only=True)
class LlmSettings(Settings):
    """The packaged language model."""

    prefix: ClassVar[str] = "LLM"
    threads: int = _setting(1, "threads that generate; more collapse beside synthesis on two cores")
    prompt_threads: int = _setting(2, "threads that read the prompt")
    nice: int = _setting(
        10, "how far it gives way to others on this machine, the voice above all; 0: not at all, 19: most"
    )
    port: int = _setting(0, "port to listen on; 0 picks one")
    slots: int = _setting(2, "answers generated at once; more wait")
    context_tokens: int = _setting(2048, "context length of one answer")
    max_tokens: int = _setting(220, "longest answer of a request that sets no limit, in tokens")
    temperature: float = _setting(0.2, "sampling temperature of a request that sets none")
    repeat_penalty: float = _setting(1.1, "penalty on repetition of a request that sets none")
    seed: int = _setting(1, "seed of a request that sets none: the same messages give the same answer")


@dataclass(frozen=True, kw_only=True)
class AgentSettings(Settings):
    """The voice agent."""

    prefix: ClassVar[str] = "AGENT"
    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8080, "port to listen on; 0 picks one")
    model: str = _setting("local", "local | openai:URL | bedrock:MODEL_ID")
    speech: str = _setting("http://127.0.0.1:8080", "URL of a speech server, or endpoint:NAME on SageMaker")
    region: str | None = _setting(None, "AWS region of endpoint and model; default: AWS_REGION")
    max_tokens: int = _setting(220, "longest answer, in the model's tokens")
    temperature: float = _setting(0.2, "sampling temperature")
    max_conversations: int = _setting(100, "conversations kept in memory; the longest unused goes first")
    max_history_messages: int = _setting(40, "messages of one conversation that the model sees")
    max_prompt_chars: int = _setting(20_000, "longest prompt")
    model_timeout_s: float = _setting(60.0, "deadline for the model's first and next token")
    openai_key_file: str | None = _setting(None, "file with the API key of an openai:URL model")
    system_prompt: str = _setting(
        "You are a voice assistant. Reply with one short paragraph of about five sentences.",
        "what the model is told about its part",
    )
    reader_timeout_s: float = _setting(30.0, "an answer whose events nobody takes for this long is stopped")
    first_chunk: str = _setting("clause", "clause | sentence: what the first thing spoken may be")
    pronunciations_file: str | None = _setting(
        None, "JSON file, word to respelling or to /phonemes/, that holds for every answer"
    )


@dataclass(frozen=True, kw_only=True)
class StackSettings(Settings):
    """The launcher of the local stack."""

    prefix: ClassVar[str] = "STACK"
    ready_timeout_s: float = _setting(600.0, "deadline for a process to be ready; a first start fetches the weights")
    stop_grace_s: float = _setting(10.0, "how long a process may take to stop before it is killed")


@dataclass(frozen=True, kw_only=True)
class EmulatorSettings(Settings):
    """The stand-in for AWS; its limits are AWS's own unless they are set."""

    prefix: ClassVar[str] = "EMULATOR"
    host: str = _setting("127.0.0.1", "address to listen on")
    http_port: int = _setting(0, "port of the HTTP/1.1 listener; 0 picks one")
    h2_port: int = _setting(0, "port of the HTTP/2 listener; 0 picks one")
    h2: str = _setting("tls", "tls (as AWS) | h2c (plain, prior knowledge)")
    region: str = _setting("us-east-1", "the region it claims to be in")
    rtt_ms: float = _setting(0.0, "network delay added between caller and emulator, there and back")
    chunk_seed: int | None = _setting(None, "where response streams are cut; default: a new seed for every response")
    verify_signatures: bool = _setting(False, "check SigV4 signatures of requests and of stream events")
    access_key_id: str = _setting("AKIAFIRSTWORDLOCAL01", "the one access key that is known")
    secret_access_key: str = _setting("local-only", "its secret")
    max_body_bytes: int = _setting(25 * 1024 * 1024, "longest request body of InvokeEndpoint")
    invoke_timeout_s: float = _setting(60.0, "longest InvokeEndpoint")
    stream_timeout_s: float = _setting(480.0, "longest InvokeEndpointWithResponseStream")
    session_limit_s: float = _setting(1800.0, "longest bidirectional session")
    accept_timeout_s: float = _setting(0.25, "time a container has to accept a connection")
    handshake_timeout_s: float = _setting(10.0, "time a container has to answer the WebSocket upgrade")
    ping_interval_s: float = _setting(60.0, "how often a container is pinged")
    ping_misses: int = _setting(5, "unanswered pings after which a session ends")
    close_on_input_end: bool = _setting(True, "end of the caller's input closes the container's WebSocket (1000)")
    ignore_data_type: bool = _setting(False, "every part becomes a binary frame, as for a caller that labels none")
    agent_timeout_s: float = _setting(3600.0, "longest answer of an agent")
    max_agent_payload_bytes: int = _setting(100 * 1024 * 1024, "longest payload of InvokeAgentRuntime")
    model_timeout_s: float = _setting(300.0, "longest answer of a model")


@dataclass(frozen=True, kw_only=True)
class WebSettings(Settings):
    """The gateway of the page."""

    prefix: ClassVar[str] = "WEB"
    host: str = _setting("127.0.0.1", "address to listen on; any but loopback needs a key file")
    port: int = _setting(8090, "port to listen on; 0 picks one")
    default_voice: str = _setting("af_heart", "voice the page starts with")
    api_key_file: str | None = _setting(None, "file of keys, one a line; the page is opened once with /?key=KEY")
    connect_timeout_s: float = _setting(10.0, "deadline for reaching the agent")
    agent_timeout_s: float = _setting(120.0, "longest silence of an agent within an answer")
    max_body_bytes: int = _setting(262_144, "longest message taken from a page")
    resume_s: float = _setting(10.0, "an answer whose page lost its connection is kept for this long, then stopped")


@dataclass(frozen=True, kw_only=True)
class InfraSettings(Settings):
    """The deploy tools."""

    prefix: ClassVar[str] = "INFRA"
    region: str | None = _setting(None, "AWS region; default: the profile's, or AWS_REGION")
    profile: str | None = _setting(None, "AWS profile; default: AWS_PROFILE")
    name_prefix: str = _setting("firstword", "prefix of every name, so that deployments of one account stay apart")
    builder: str = _setting("auto", "auto | docker | podman | finch | buildah | codebuild | image-uri")
    base_image: str | None = _setting(None, "image that ours are built from; default: the Dockerfile's")
    poll_s: float = _setting(5.0, "how often a change that is under way is looked at")


@dataclass(frozen=True, kw_only=True)
class LogSettings(Settings):
    """What the processes write to stderr."""

    prefix: ClassVar[str] = "LOG"
    level: str = _setting("INFO", "DEBUG | INFO | WARNING | ERROR; spoken text is logged at DEBUG only")
    format: str = _setting("text", "text | json")


def aws_endpoint_url(service: str, environ: Mapping[str, str] | None = None) -> str | None:
    """The address that AWS's own variables give a service (SAGEMAKER_RUNTIME_HTTP2, …) in place of the real one."""
    source = os.environ if environ is None else environ
    return source.get(f"AWS_ENDPOINT_URL_{service}") or source.get("AWS_ENDPOINT_URL") or None


def aws_region(environ: Mapping[str, str] | None = None) -> str | None:
    """The region that AWS's own variables name: AWS_REGION, which boto3 does not read, else AWS_DEFAULT_REGION."""
    source = os.environ if environ is None else environ
    return source.get("AWS_REGION") or source.get("AWS_DEFAULT_REGION") or None


def inherited_environment(*changes: Mapping[str, str]) -> dict[str, str]:
    """The process's own environment with `changes` on top, in order: what a child process is started with."""
    result = dict(os.environ)
    for change in changes:
        result.update(change)
    return result


def every_setting() -> Iterator[tuple[str, str, Any, str]]:
    """Variable, type, default and meaning of every setting, in the order of this file."""
    for group in Settings.__subclasses__():
        hints = typing.get_type_hints(group)
        for item in dataclasses.fields(group):
            kind = hints[item.name]
            yield group.variable(item.name), getattr(kind, "__name__", str(kind)), item.default, item.metadata["help"]
