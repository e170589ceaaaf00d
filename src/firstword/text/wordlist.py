"""Word lists and tables written as plain lines, so that data reads as data."""

__all__ = ["listed", "table"]


def listed(text: str) -> tuple[str, ...]:
    """The words of `text`."""
    return tuple(text.split())


def table(text: str) -> dict[str, str]:
    """Lines of "key: value"; several keys, divided by spaces, may share one value."""
    rows = (line.partition(": ") for line in text.strip().splitlines())
    return {key: value.strip() for keys, _, value in rows for key in keys.split()}
