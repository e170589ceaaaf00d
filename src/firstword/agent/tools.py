"""Two small tools: what a voice assistant is asked first, and what a language model gets wrong alone.

The calculator parses arithmetic and nothing else: no names, no calls, no attribute is ever looked up, and no number may
grow beyond what a listener could follow. Above it: `conversations`, which gives them to the agent.
"""

import ast
import math
import operator
from collections.abc import Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from strands import tool

from firstword.errors import UsageError

__all__ = ["calculate", "calculator", "clock"]

type _Number = int | float

_MAX_CHARS: Final = 200
_MAX_SIZE: Final = 1e100
_BINARY: Final[dict[type[ast.operator], Callable[[_Number, _Number], _Number]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_UNARY: Final[dict[type[ast.unaryop], Callable[[_Number], _Number]]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


@tool
def clock(timezone: str = "") -> str:
    """The current date and time.

    Args:
        timezone: IANA name such as Europe/Berlin; empty for the time where the agent runs.
    """
    try:
        now = datetime.now(ZoneInfo(timezone)) if timezone else datetime.now().astimezone()
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise UsageError(f"There is no timezone {timezone[:60]!r}.") from error
    return now.strftime("%A, %d %B %Y, %H:%M %Z")


@tool
def calculator(expression: str) -> str:
    """The value of an arithmetic expression.

    Args:
        expression: Numbers with + - * / // % ** and parentheses, for example (3 + 4) * 12.5
    """
    return f"{calculate(expression):.12g}"


def calculate(expression: str) -> int | float:
    """The value of `expression`. Raises UsageError if it is not arithmetic, or its value is not a usable number."""
    if len(expression) > _MAX_CHARS:
        raise UsageError(f"The expression has {len(expression)} characters; {_MAX_CHARS} is the most.")
    try:
        value = _value(ast.parse(expression.strip().replace("^", "**"), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError("That is not an arithmetic expression.") from error
    except (ArithmeticError, TypeError) as error:
        raise UsageError("That has no value.") from error
    return value


def _value(node: ast.expr) -> _Number:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _usable(number)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _usable(_BINARY[type(op)](_value(left), _value(right)))
    raise UsageError("Only numbers, + - * / // % ** and parentheses can be calculated.")


def _power(base: _Number, exponent: _Number) -> _Number:
    """Sized before it is computed: 9**9**9 would fill the memory."""
    if base and exponent * math.log10(abs(base)) > math.log10(_MAX_SIZE):
        raise UsageError("That number is too large.")
    result: object = base**exponent
    if not isinstance(result, int | float):
        raise UsageError("That has no real value.")
    return _usable(result)


def _usable(number: _Number) -> _Number:
    if not abs(number) <= _MAX_SIZE:
        raise UsageError("That number is too large.")
    return number
