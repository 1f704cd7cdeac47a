"""How many threads calls use."""

from palmette import _palmette
from palmette._arrays import whole


def set_threads(threads: int) -> None:
    """How many threads calls use that name no number; 0 is one a core."""
    _palmette.set_threads(whole(threads, "threads", 0, _palmette.MOST_THREADS))


def get_threads() -> int:
    """How many threads calls use that name no number.

    >>> palmette.get_threads() >= 1
    True
    """
    return _palmette.get_threads()
