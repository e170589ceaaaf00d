"""The account: moto behind our answers, on a port of its own, as long as it is entered."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from botocore.config import Config
from moto.cloudformation.models import Event, cloudformation_backends
from moto.core.base_backend import BackendDict
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

from fakes.aws_cloud import missing
from fakes.aws_cloud.answers import Answers, Call, Script

__all__ = ["ACCOUNT", "AwsCloud", "Call", "aws_cloud"]

ACCOUNT = "123456789012"


@dataclass(frozen=True, kw_only=True)
class AwsCloud:
    """`script` is what it says where moto has nothing to say; `variables` point any AWS tool at it."""

    port: int
    script: Script

    @property
    def variables(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            # moto takes a template's URL apart only when it is called localhost.
            "AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION": f"http://localhost:{self.port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": missing.REGION,
            "AWS_DEFAULT_REGION": missing.REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        }

    def client(self, service: str) -> Any:
        return boto3.client(
            service,  # type: ignore[call-overload]  # the stubs want a literal
            endpoint_url=f"http://127.0.0.1:{self.port}",
            region_name=missing.REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(user_agent="a test"),
        )

    def bootstrap(self) -> None:
        """What the CDK's bootstrap leaves, without its twenty seconds: the version and the bucket templates go to."""
        self.client("ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String")
        self.client("s3").create_bucket(Bucket=f"cdk-hnb659fds-assets-{ACCOUNT}-{missing.REGION}")

    def hold(self, stack: str, status: str) -> None:
        """Keep a stack in a status, as if somebody were changing it right now."""
        backend = cloudformation_backends[ACCOUNT][missing.REGION]
        backend.get_stack(stack).status = status

    def undo(self, stack: str, resource_type: str, reason: str, status: str) -> None:
        """What CloudFormation tells when the change of a stack failed at a resource and was taken back."""
        found = cloudformation_backends[ACCOUNT][missing.REGION].get_stack(stack)
        names = [name for name, item in found.template_dict["Resources"].items() if item["Type"] == resource_type]
        verb = "CREATE" if status.startswith("ROLLBACK") else status.partition("_")[0]
        events = [
            (names[0], resource_type, f"{verb}_FAILED", reason),
            (stack, "AWS::CloudFormation::Stack", status, ""),
        ]
        for name, kind, state, why in events:
            found.events.append(
                Event(
                    stack_id=found.stack_id,
                    stack_name=stack,
                    logical_resource_id=name,
                    physical_resource_id=name,
                    resource_type=kind,
                    resource_status=state,
                    resource_status_reason=why,
                    resource_properties=None,
                )
            )
        found.status = status

    def enter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Empty the account and point this process and its children at it."""
        self.empty()
        for name, value in self.variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_PROFILE", raising=False)
        monkeypatch.setenv("FIRSTWORD_INFRA_POLL_S", "0.1")

    def empty(self) -> None:
        """Forget everything: no resources, no script, no calls."""
        BackendDict.reset()
        fresh = Script()
        for name in vars(fresh):
            setattr(self.script, name, getattr(fresh, name))


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        """No line for each request, only what moto could not do."""
        if type == "error":
            print(message % args, file=sys.stderr)


@contextmanager
def aws_cloud() -> Iterator[AwsCloud]:
    """The account, up. It knows one region and whatever credentials it is shown."""
    script = Script()
    app = Answers(DomainDispatcherApplication(create_backend_app), script)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, name="aws-cloud")
    thread.start()
    try:
        yield AwsCloud(port=server.server_port, script=script)
    finally:
        server.shutdown()
        thread.join(timeout=30)
        server.server_close()
