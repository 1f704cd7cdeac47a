"""What a run did."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from palmette import _palmette


class Record(Mapping[str, Any]):
    """A run: ``command``, ``input``, ``parameters``, ``seconds`` by phase, ``result``.

    It is a mapping with these keys. Notebooks display it as tables and pictures; once saved,
    ``palmette report`` can read it. The result of the computation is :attr:`answer`.

    >>> tree = palmette.Tree.from_parents([-1, 0, 0, 1])
    >>> record = palmette.spatial.run("treefix", tree)
    >>> record["result"]["correct"], record.result["vertices"]
    (True, 4)
    >>> record.answer
    array([4, 2, 1, 1])
    """

    def __init__(self, text: str, answer: Any = None) -> None:
        self._text = text
        self._content: dict[str, Any] = json.loads(text)
        #: What the run computed, as arrays; it is no part of the mapping.
        self.answer = answer

    @property
    def command(self) -> str:
        """The equivalent command, such as ``spatial treefix``."""
        return str(self._content["command"])

    @property
    def input(self) -> str:
        """The input."""
        return str(self._content["input"])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that decide the result."""
        return dict(self._content["parameters"])

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by phase."""
        return dict(self._content["seconds"])

    @property
    def result(self) -> dict[str, Any]:
        """The figures."""
        return dict(self._content["result"])

    @property
    def pictures(self) -> list[dict[str, Any]]:
        """Pictures as SVG, with ``name`` and ``title``."""
        return list(self._content.get("pictures", []))

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record to a file, for ``palmette report``."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text + "\n")

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __repr__(self) -> str:
        figures = {k: v for k, v in self.result.items() if not isinstance(v, (list, dict))}
        shown = ", ".join(f"{key}={value!r}" for key, value in figures.items())
        return f"<Record {self.command}: {shown}>"

    def _repr_html_(self) -> str:
        return _palmette.record_html(self._text)
