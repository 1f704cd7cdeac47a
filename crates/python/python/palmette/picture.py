"""Pictures."""

from __future__ import annotations

import os

from palmette import _palmette


class Picture:
    """A picture as SVG. Notebooks display it.

    >>> tree = palmette.Tree.from_newick("((Homo:6,Pan:6):2,Gorilla:8);")
    >>> picture = tree.draw()
    >>> picture
    <Picture of newick>
    >>> picture.svg.startswith("<svg")
    True
    """

    def __init__(self, title: str, svg: str) -> None:
        #: What it shows.
        self.title = title
        #: The picture itself.
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f"<Picture of {self.title}>"

    def _repr_html_(self) -> str:
        return _palmette.picture_html(self.title, self.svg)


__all__ = ["Picture"]
