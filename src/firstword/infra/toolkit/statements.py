"""Pure: the statements of a template's policies as lines a person can judge before saying yes to them."""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["statement_changes"]

_DOCUMENTS = ("PolicyDocument", "AssumeRolePolicyDocument", "KeyPolicy")


def statement_changes(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Statements that come (+) and go (-) between two states of one resource."""
    before, after = list(_statements(old)), list(_statements(new))
    gone = [f"- {line}" for line in before if line not in after]
    return tuple(gone + [f"+ {line}" for line in after if line not in before])


def _statements(resource: Mapping[str, Any] | None) -> Iterator[str]:
    properties = (resource or {}).get("Properties", {})
    documents = [properties[name] for name in _DOCUMENTS if name in properties]
    documents += [policy.get("PolicyDocument", {}) for policy in properties.get("Policies", [])]
    for document in documents:
        for statement in _many(document.get("Statement", [])) if isinstance(document, Mapping) else ():
            yield _line(statement)


def _line(statement: Mapping[str, Any]) -> str:
    """`Allow s3:GetObject on arn:… for sagemaker.amazonaws.com if …`; a part that a statement lacks is left out."""
    what = ", ".join(map(str, _many(statement.get("Action", statement.get("NotAction", ())))))
    parts = [f"{statement.get('Effect', 'Allow')} {what}"]
    if "Resource" in statement:
        parts.append("on " + ", ".join(map(_text, _many(statement["Resource"]))))
    if "Principal" in statement:
        who = statement["Principal"]
        named = [item for value in who.values() for item in _many(value)] if isinstance(who, Mapping) else [who]
        parts.append("for " + ", ".join(map(_text, named)))
    if "Condition" in statement:
        held = [
            f"{key} {operator} {'|'.join(map(_text, _many(value)))}"
            for operator, test in statement["Condition"].items()
            for key, value in test.items()
        ]
        parts.append("if " + " and ".join(held))
    return " ".join(parts)


def _many(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _text(value: Any) -> str:
    """A value of a template; what CloudFormation fills in stands as `<Name>` or `<Name.Attribute>`."""
    match value:
        case {"Fn::GetAtt": [name, attribute]}:
            return f"<{name}.{attribute}>"
        case {"Ref": name} | {"Fn::ImportValue": name}:
            return f"<{name}>"
        case {"Fn::Join": [separator, parts]}:
            return str(separator).join(map(_text, parts))
        case {"Fn::Sub": text}:
            return str(text)
    return str(value)
