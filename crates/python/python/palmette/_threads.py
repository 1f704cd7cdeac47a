"""How many threads calls use."""

from palmette import _palmette
from palmette._arrays import whole


def set_threads(threads: int) -> None:
    """Sets the default number of threads for calls (0 = one per core)."""
    _palmette.set_threads(whole(threads, "threads", 0, _palmette.MOST_THREADS))


def get_threads() -> int:
    """The default number of threads for calls.

    >>> palmette.get_threads() >= 1
    True
    """
    return _palmette.get_threads()
