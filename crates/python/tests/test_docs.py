"""Docstrings, types, examples and the guide."""

import doctest
import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import palmette

MODULES = ["palmette"] + [
    f"palmette.{module.name}"
    for module in pkgutil.iter_modules(palmette.__path__)
    if module.name != "_palmette"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    options = doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(module, extraglobs={"palmette": palmette}, optionflags=options)
    assert failed == 0


def test_everything_public_is_documented():
    for name in palmette.__all__:
        thing = getattr(palmette, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        for member in dir(thing) if isinstance(thing, type) else ():
            if not member.startswith("_") and callable(getattr(thing, member)):
                assert getattr(thing, member).__doc__, f"{name}.{member}"


def test_types():
    """Sources against stubs, and a user's file, strictly."""
    package = ROOT / "crates" / "python" / "python" / "palmette"
    user = Path(__file__).parent / "typed_user.py"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"),
         "--cache-dir", str(ROOT / "target" / "mypy"), str(package), str(user)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_stubs_name_what_is_there():
    """Every name of the extension is in its stub, and the other way round."""
    text = (Path(palmette.__file__).parent / "_palmette.pyi").read_text()
    extension = importlib.import_module("palmette._palmette")
    for name in vars(extension):
        if not name.startswith("_"):
            assert re.search(rf"^((class|def) {name}\b|{name}:)", text, re.M), name
    for block in re.split(r"^(?=class )", text, flags=re.M)[1:]:
        name = re.match(r"class (\w+)", block).group(1)
        stated = set(re.findall(r"^    def (\w+)", block, re.M))
        there = {m for m in vars(getattr(extension, name)) if not m.startswith("_")}
        if not name.endswith("Error"):
            assert {m for m in stated if not m.startswith("_")} == there, name


@pytest.mark.parametrize(
    "script", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda path: path.stem
)
def test_example_scripts(script, tmp_path, monkeypatch):
    """Scripts assert their own results."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    runpy.run_path(str(script), run_name="__main__")


def test_the_guide():
    """Blocks of Python in docs/python.md run one after another."""
    text = (ROOT / "docs" / "python.md").read_text()
    names: dict = {}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        exec(compile(block, "docs/python.md", "exec"), names)
