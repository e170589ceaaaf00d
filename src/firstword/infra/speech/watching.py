"""What an endpoint says of itself while CloudFormation waits for it, and why it failed."""

from firstword.errors import InfraError
from firstword.infra.report import Report
from firstword.infra.site import Site
from firstword.infra.toolkit.cloud import Cloud
from firstword.infra.toolkit.endpoints import find_endpoint, log_group
from firstword.infra.toolkit.logs import last_log_lines

__all__ = ["EndpointWatch", "explained"]


class EndpointWatch:
    """Tells each status an endpoint passes through, and remembers why it failed and what its container last said: when
    a creation is undone, endpoint and log group are gone by the time anybody asks."""

    def __init__(self, cloud: Cloud, name: str) -> None:
        self._cloud = cloud
        self._name = name
        self._last = ""
        self.failure = ""
        self.lines: list[str] = []

    def look(self, report: Report) -> None:
        endpoint = find_endpoint(self._cloud, self._name)
        status = endpoint.status if endpoint else ""
        if endpoint and endpoint.failure:
            self.failure = endpoint.failure
        if endpoint and not endpoint.in_service:
            self.lines = last_log_lines(self._cloud, log_group(self._name)) or self.lines
        if status != self._last:
            self._last = status
            report.say(f"endpoint {self._name}: {status or 'gone'}")


def explained(site: Site, name: str, watch: EndpointWatch, error: InfraError) -> InfraError:
    """The failure with the endpoint's own reason; its container's last words go to the report."""
    endpoint = find_endpoint(site.cloud, name)
    reason = (endpoint.failure if endpoint else "") or watch.failure
    lines = last_log_lines(site.cloud, log_group(name)) or watch.lines
    if lines:
        site.report.say("the container's last lines:")
        for line in lines:
            site.report.say(f"  {line}")
    if not reason or reason in error.message:
        return error
    return InfraError(f"{error.message} SageMaker says: {reason}", code=error.code, hint=error.hint)
