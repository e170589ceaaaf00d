"""How a command line is put together: commands named in a table, imported when called, errors on one line.

Above it: `main`, `speech_infra` and `agent_infra`, each a table. A command is a Typer function or a Typer app; what it
raises from `firstword.errors` becomes one line on stderr and the exit code of its class. Only the command that is
called is imported, so `--help` is instant.
"""

import errno
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import typer

from firstword import __version__
from firstword.config import LogSettings
from firstword.errors import FirstwordError

__all__ = ["Command", "run_commands"]

_UNWRITABLE = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What the end of a pipe, or a disk, answers to our output."""
_INSTALL = "Install firstword with the extra that brings it (docs/install.md), or run `uv run` in the repository."
_DEBUG = "FIRSTWORD_LOG_LEVEL=DEBUG shows where; please report it."


class Command(NamedTuple):
    """Where a command lives (`module:attribute`, a function or a Typer app) and its one line of help."""

    home: str
    help: str


def run_commands(
    program: str,
    about: str,
    table: Mapping[str, Command],
    argv: Sequence[str] | None = None,
    *,
    sigterm_interrupts: bool = False,
) -> None:
    """Run one command line and exit: 0 done, 1 the job failed, 2 wrong use, 130 interrupted. With `sigterm_interrupts`
    SIGTERM is what Ctrl-C is: the command says where it stopped."""
    if sigterm_interrupts and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code = _status(program, about, table, list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        if not isinstance(error, BrokenPipeError):  # then whoever read us has gone, and wants to hear nothing
            print(f"{program}: the output cannot be written: {error.strerror}.", file=sys.stderr)
        # Leave nothing for the interpreter to flush at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _status(program: str, about: str, table: Mapping[str, Command], argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help"):
        print(_overview(program, about, table))
        return 0 if argv else 2
    if argv[0] == "--version":
        print(f"{program} {__version__}")
        return 0
    name, rest = argv[0], argv[1:]
    if name not in table:
        print(f"{program}: there is no command {name!r}; one of: {', '.join(table)}.", file=sys.stderr)
        return 2
    return _call(f"{program} {name}", table[name], rest)


def _call(title: str, command: Command, argv: list[str]) -> int:
    try:
        module, _, attribute = command.home.partition(":")
        target: Any = getattr(import_module(module), attribute)
        if not isinstance(target, typer.Typer):
            app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})
            app.command(help=target.__doc__ or command.help)(target)
            target = app
        result = typer.main.get_command(target).main(args=argv, prog_name=title, standalone_mode=False)
    except typer.Exit as error:
        return error.exit_code
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("firstword"):
            raise
        print(f"{title}: the package {error.name} is not installed. {_INSTALL}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        print(f"{title}: interrupted", file=sys.stderr)
        return 130
    except typer.TyperException as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        print(f"{title}: {' '.join(text.split()) or 'Missing command.'} Try {title} --help.", file=sys.stderr)
        return 2
    except FirstwordError as error:
        print(f"{title}: {error.one_line()}", file=sys.stderr)
        return error.exit_code
    except Exception as error:  # the top of a process: what gets here is our mistake, and is told as one
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            raise
        if LogSettings.load().level.upper() == "DEBUG":
            raise
        print(f"{title}: internal error ({type(error).__name__}). {_DEBUG}", file=sys.stderr)
        return 1
    return result if isinstance(result, int) else 0


def _overview(program: str, about: str, table: Mapping[str, Command]) -> str:
    width = max(len(name) for name in table)
    rows = "\n".join(f"  {name:<{width}}  {command.help}" for name, command in table.items())
    usage = f"Usage: {program} COMMAND [OPTIONS]"
    return f"{usage}\n\n{about}\n\n{rows}\n\n`{program} COMMAND --help` tells a command's options."
