"""The command `buraco`: parse, call, print, exit code. Whatever takes time to import is imported inside the commands."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import Any, Final

from buraco_sim.errors import BuracoError, ExitCode
from buraco_sim.interrupts import heard

MESSAGE_LENGTH: Final = 600  # characters of a parser's message, which repeats the value whole


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; every expected error becomes one or two lines on stderr.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments after the program's name; by default those of this process.
    """
    from buraco_sim.cli.app import USAGE_ERROR, app

    try:
        with heard(signal.SIGTERM):  # with which batch systems end a job
            code = app(args=argv, prog_name="buraco", standalone_mode=False)
            sys.stdout.flush()
    except BuracoError as error:
        return _fail(str(error), error.exit_code)
    except USAGE_ERROR as error:
        return _usage(error)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # who read our output has gone; the interpreter would complain at exit
        return ExitCode.FAILURE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", ExitCode.FAILURE)
    if code == ExitCode.INTERRUPTED:  # Typer's own answer to Ctrl-C outside of a run
        return _fail("interrupted", ExitCode.INTERRUPTED)
    return code if isinstance(code, int) else ExitCode.DONE


def _fail(message: str, code: ExitCode) -> int:
    print(f"buraco: {message}", file=sys.stderr)
    return code


def _usage(error: Any) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the whole help
        print(error.format_message(), file=sys.stderr)
        return ExitCode.USAGE
    command = error.ctx.command_path if error.ctx else "buraco"
    message = " ".join(error.format_message().split())
    return _fail(f"{message if len(message) <= MESSAGE_LENGTH else message[:MESSAGE_LENGTH] + '...'}\nsee {command} --help", ExitCode.USAGE)
