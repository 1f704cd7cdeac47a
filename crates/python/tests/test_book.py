"""The Python blocks of the README and of the book, page by page, in one namespace each. What the
README shows behind its prints is what they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["README.md", "docs/book/src/python.md", "docs/book/src/spatial.md", "docs/python.md"]


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


def test_rust_of_the_spatial_chapter_is_an_example() -> None:
    """Cargo runs the example."""
    text = (ROOT / "docs/book/src/spatial.md").read_text()
    (block,) = re.findall(r"^```rust\n(.*?)^```$", text, flags=re.M | re.S)
    assert block in (ROOT / "examples/spatial_last.rs").read_text()


def test_errors_that_the_spatial_chapter_shows() -> None:
    """What is quoted below a block is what it prints."""
    text = (ROOT / "docs/book/src/spatial.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)
    (quoted,) = re.findall(r"^> (.*)$", text, flags=re.M)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n".join(blocks[:2]), "spatial.md", "exec"), {})
    assert printed.getvalue().strip() == quoted
