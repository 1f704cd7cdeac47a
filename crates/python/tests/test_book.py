"""The Python blocks of the README and of the book, page by page, in one namespace each. What the
README shows behind its prints is what they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["README.md", "docs/book/src/python.md", "docs/python.md"]


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)
    assert blocks, f"{page} shows no Python"
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page, "exec"), namespace)
        if page == "README.md":
            shown = re.findall(r"^print\(.*\)  +# (.*)$", block, flags=re.M)
            assert shown and printed.getvalue().splitlines() == shown
