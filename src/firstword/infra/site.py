"""One account, one region, one prefix, and the person who watches: what every operation works on.

Above: the operations of both tools. Below: the toolkit. Holds what both tools do alike: checks before a deployment,
applying stacks while telling what happens, and saying why one failed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from botocore.exceptions import ClientError

from firstword.config import InfraSettings
from firstword.errors import InfraError, Interrupted
from firstword.infra.deployment import Place
from firstword.infra.report import Report
from firstword.infra.toolkit.cdk import CdkCli, install_cdk
from firstword.infra.toolkit.cloud import Cloud, aws_errors, code_of
from firstword.infra.toolkit.stacks import Stack, deployed_template, failure_reason, find_stack, stack_events
from firstword.infra.toolkit.templates import Change, iam_changes, read_template, template_changes

__all__ = ["Site", "Watch"]

# CloudFormation takes a deletion while it creates, and one that is under way is simply waited for.
_DELETABLE = {"CREATE_IN_PROGRESS", "DELETE_IN_PROGRESS"}
_STANDING = {"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"}
_MEANING = {
    "UPDATE_ROLLBACK_COMPLETE": ": everything is as it was before",
    "ROLLBACK_COMPLETE": ": nothing of it runs; deploying again replaces it",
}
# ROLLBACK_COMPLETE is not among them: the CDK removes such a stack and makes it anew.
_STUCK = {
    "UPDATE_ROLLBACK_FAILED": "continue-update-rollback",
    "UPDATE_FAILED": "rollback-stack",
    "CREATE_FAILED": "delete-stack",
    "DELETE_FAILED": "delete-stack",
    "REVIEW_IN_PROGRESS": "delete-stack",
}
_BOOTSTRAP = "/cdk-bootstrap/hnb659fds/version"


class Watch(Protocol):
    """Something that is looked at while CloudFormation works."""

    def look(self, report: Report) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Site:
    cloud: Cloud
    place: Place
    settings: InfraSettings
    report: Report

    @cached_property
    def cdk(self) -> CdkCli:
        return CdkCli(self.cloud, script=install_cdk(), poll_s=self.settings.poll_s)

    def bootstrap_version(self) -> str | None:
        """Version of the CDK's bootstrap stack here, None if there is none."""
        try:
            with aws_errors("look for the CDK's bootstrap"):
                found: str = self.cloud.client("ssm").get_parameter(Name=_BOOTSTRAP)["Parameter"]["Value"]
        except InfraError as error:
            if isinstance(error.__cause__, ClientError) and code_of(error.__cause__) == "ParameterNotFound":
                return None
            raise
        return found

    def bootstrap(self) -> None:
        self.cdk.bootstrap(self.place.account, lambda lines: self._tick(lines, None))

    def check_ready(self, stacks: Sequence[str]) -> None:
        """Raises InfraError where a deployment could only fail: no bootstrap, or a stack that somebody else is at,
        that is not ours, or that CloudFormation will not change."""
        if self.bootstrap_version() is None:
            where = f"aws://{self.place.account}/{self.place.region}"
            raise InfraError(
                f"{where} is not bootstrapped for the CDK.",
                code="no_bootstrap",
                hint="Run speech-infra bootstrap once.",
            )
        for name in stacks:
            self._check_stack(name)

    def _check_stack(self, name: str) -> None:
        stack = find_stack(self.cloud, name)
        if stack is None:
            return
        if stack.busy:
            raise _busy_error(stack)
        self.check_ours(stack)
        if help_it := _STUCK.get(stack.status):
            command = f"aws cloudformation {help_it} --stack-name {name} --region {self.place.region}"
            raise InfraError(
                f"{name} is {stack.status} and takes no change.", code="stuck", hint=f"First run {command}."
            )

    def check_ours(self, stack: Stack) -> None:
        """Raises InfraError for a stack that has one of our names and was made by somebody else."""
        if stack.tags.get("firstword:prefix") != self.place.prefix and not stack.empty:
            raise InfraError(
                f"A stack {stack.name} exists that this tool did not make.",
                code="name_taken",
                hint="Remove it, or pass another --name-prefix.",
            )

    def changes(self, assembly: Path, stacks: Sequence[str]) -> dict[str, list[Change]]:
        """What deploying these stacks of the assembly would change, by stack."""
        return {
            name: template_changes(deployed_template(self.cloud, name), read_template(assembly, name))
            for name in stacks
        }

    def approve_grants(self, changes: dict[str, list[Change]]) -> None:
        """Ask before permissions change. Raises InfraError if the answer is no."""
        granted = [(stack, change.lines()) for stack, found in changes.items() for change in iam_changes(found)]
        lines = [line for stack, (first, *rest) in granted for line in (f"{stack}: {first}", *rest)]
        if lines and not self.report.approve("This changes who may do what. Go on?", lines):
            raise InfraError("Not approved; nothing was changed.", code="not_approved")

    def apply(self, assembly: Path, stacks: Sequence[str], watch: Watch | None = None) -> None:
        """Deploy those stacks of the assembly that do not stand as it says, saying what CloudFormation says. Raises
        InfraError with the true reason."""
        wanted = [name for name in stacks if not self._stands(assembly, name)]
        if not wanted:
            self.report.say("nothing to change")
            return
        try:
            self.cdk.deploy(assembly, wanted, lambda lines: self._tick(lines, watch))
        except InfraError as error:
            raise self._told(error, wanted) from error

    def _stands(self, assembly: Path, name: str) -> bool:
        stack = find_stack(self.cloud, name)
        if stack is None or stack.status not in _STANDING:
            return False
        return deployed_template(self.cloud, name) == read_template(assembly, name)

    @contextmanager
    def stages(self, stacks: Sequence[str], *, go_on: str) -> Iterator[Callable[[str], None]]:
        """A run of stages, each begun by calling what this gives. An interrupt in it becomes Interrupted: the stage it
        came in, how each of `stacks` stands now, and `go_on`, what to run next."""
        at = ""

        def begin(stage: str) -> None:
            nonlocal at
            at = stage
            self.report.stage(stage)

        try:
            yield begin
        except KeyboardInterrupt as error:
            if not at:
                raise Interrupted("Interrupted before anything was changed.") from error
            raise Interrupted(f"Interrupted at the stage '{at}': {self._standing(stacks)}.", hint=go_on) from error

    def _standing(self, names: Sequence[str]) -> str:
        try:
            return "; ".join(_state(name, find_stack(self.cloud, name)) for name in names)
        except InfraError as error:
            return f"What stands now is not known ({error.message.rstrip('.')})"

    def _tick(self, lines: list[str], watch: Watch | None) -> None:
        for line in lines:
            if " | " in line:
                self.report.say(" ".join(line.split()))
        if watch is not None:
            watch.look(self.report)

    def _told(self, error: InfraError, stacks: Sequence[str]) -> InfraError:
        for name in stacks:
            stack = find_stack(self.cloud, name)
            if stack is None:
                continue
            if stack.busy:
                return _busy_error(stack)
            reason = failure_reason(self.cloud, name)
            if reason:
                hint = f"{name} is {stack.status}{_MEANING.get(stack.status, '')}."
                return InfraError(f"{name} failed: {reason}", code="stack_failed", hint=hint)
        return error

    def remove(self, name: str) -> bool:
        """Delete a stack and wait for it; False if there was none. Raises InfraError with the reason if it stays."""
        found = find_stack(self.cloud, name)
        if found is None:
            return False
        if found.busy and found.status not in _DELETABLE:
            raise _busy_error(found)
        self.check_ours(found)
        with aws_errors(f"delete the stack {name}"):
            self.cloud.client("cloudformation").delete_stack(StackName=name)
        for event in stack_events(self.cloud, name, self.settings.poll_s):
            self.report.say(event)
        left = find_stack(self.cloud, name)
        if left is not None:
            reason = failure_reason(self.cloud, name) or left.reason
            raise InfraError(
                f"{name} could not be deleted: {reason}", code="stack_failed", hint=f"It is {left.status}."
            )
        return True


def _busy_error(stack: Stack) -> InfraError:
    return InfraError(
        f"{stack.name} is being changed right now ({stack.status}).",
        code="busy",
        hint="Wait until it is done; status shows it.",
        retryable=True,
    )


def _state(name: str, stack: Stack | None) -> str:
    if stack is None:
        return f"{name} is not there"
    return f"{name} goes on by itself ({stack.status})" if stack.busy else f"{name} stands ({stack.status})"
