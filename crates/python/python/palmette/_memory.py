"""How much memory of arrays is kept for the next ones."""

from palmette import _palmette
from palmette._arrays import whole


def set_kept_memory(bytes: int) -> None:
    """Sets how much memory of freed answers is kept for later ones (0 = none).

    The system need not find and clear pages for an array whose memory was in use before.

    >>> palmette.set_kept_memory(2 << 30)
    >>> palmette.get_kept_memory() >> 30
    2
    """
    _palmette.set_kept_memory(whole(bytes, "bytes", 0, 2**63 - 1))


def get_kept_memory() -> int:
    """How much memory of freed answers is kept at most, in bytes."""
    return _palmette.get_kept_memory()
