"""``palmette`` and ``python -m palmette`` behave as the program that cargo builds."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import command

import palmette

OURS = [sys.executable, "-m", "palmette"]
BOTH = pytest.mark.parametrize("words", [OURS, [command()]], ids=["python", "program"])
TABLE = "id,parent,weight\nroot,,1\na,root,2\nb,root,3\n"


def run(words, line, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([*words, *line.split()], capture_output=True, check=False, **options)


@pytest.mark.parametrize(
    "line",
    [
        "--version",
        "--help",
        "",
        "tree",
        "tree leaffix --help",
        "tree leafix t.csv",
        "tree info absent.csv",
        "tree leaffix t.csv --values column:weight --op sum",
        "tree leaffix t.csv --values column:weight --op sum -o -",
        "tree generate random:10 --seed 3 -o -",
        "completions bash",
    ],
)
def test_the_same_words(line, tmp_path):
    """Exit code, stdout and stderr, byte by byte; but for seconds."""
    (tmp_path / "t.csv").write_text(TABLE)

    def said(words):
        done = run(words, line, cwd=tmp_path)
        lines = [text for text in done.stdout.splitlines() if b" seconds: " not in text]
        return done.returncode, lines, done.stderr

    assert said(OURS) == said([command()])


def test_the_script_is_installed():
    script = Path(sys.executable).parent / "palmette"
    done = run([str(script)], "--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"palmette {palmette.__version__}\n")


@BOTH
def test_stdin_and_odd_names(words, tmp_path):
    done = run(words, "tree leaffix - --op size -o -", input=TABLE.encode(), stdin=None)
    assert (done.returncode, done.stdout) == (0, b"vertex,size\nroot,3\na,1\nb,1\n"), done.stderr
    name = os.fsencode(tmp_path) + b"/\xff t.csv"
    Path(os.fsdecode(name)).write_text(TABLE)
    done = subprocess.run([*words, "tree", "info", name], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@BOTH
def test_a_reader_that_goes_away(words):
    """As with `| head -1`: no message, no failure."""
    child = subprocess.Popen(
        [*words, "tree", "generate", "random:300000", "-o", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child.stdout.readline()
    child.stdout.close()
    said = child.stderr.read()
    assert (child.wait(), said) == (0, b"")


@BOTH
def test_closed_streams(words, tmp_path):
    """No output file takes the place of a stream that is closed."""
    line = " ".join(f"'{word}'" for word in words)
    script = f"exec {line} tree generate random:10 -o t.csv --seed 1 <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", script], cwd=tmp_path, check=False).returncode == 0
    rows = (tmp_path / "t.csv").read_text().splitlines()
    assert len(rows) == 11 and rows[0].startswith("id,parent"), rows


@BOTH
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_signals_leave_nothing_behind(words, number, tmp_path):
    # Whoever started the tests may have them ignored.
    ready = lambda: signal.signal(number, signal.SIG_DFL)  # noqa: E731
    line = "tree generate random:8000000 -o big.csv --quiet"
    for _ in range(5):
        child = subprocess.Popen([*words, *line.split()], cwd=tmp_path, preexec_fn=ready)
        deadline = time.monotonic() + 60
        while not any(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.005)
        child.send_signal(number)
        code = child.wait()
        left = list(tmp_path.iterdir())
        if not left:
            assert code == 128 + number
            return
        # On a busy machine the file may be there, and whole, before the signal comes.
        assert [path.name for path in left] == ["big.csv"] and code in (0, 128 + number)
        with left[0].open("rb") as rows:
            assert sum(1 for _ in rows) == 8_000_001
        left[0].unlink()
    pytest.fail("the command ended before every signal")


@BOTH
def test_too_little_memory(words, tmp_path):
    """One line and exit code 1; a library would get Python's MemoryError or its end."""
    line = " ".join(f"'{word}'" for word in words)
    script = f"ulimit -v 2000000; OPENBLAS_NUM_THREADS=1 exec {line} tree generate random:400000000 -o t.npy --threads 1"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: not enough memory") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@BOTH
def test_demo_starts_itself(words, tmp_path):
    done = run(words, "demo -o out --quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "out" / "report.html").read_text()
    assert "palmette mesh partition" in page and "-m palmette" not in page
