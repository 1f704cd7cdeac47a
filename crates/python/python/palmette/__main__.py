"""The command line: ``palmette``, and ``python -m palmette``."""

import os
import signal
import sys

from palmette._palmette import run_command


def main() -> int:
    """Runs the command with this process's arguments; returns its exit code."""
    # From here on Ctrl-C is the command's. Who started it may have it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # No file that is opened later may take the place of a closed stdin, stdout or stderr.
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    return run_command([sys.executable, "-m", "palmette"], sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
