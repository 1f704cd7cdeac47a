"""Threads, the interpreter's lock, Ctrl-C, processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import palmette
from palmette import Graph, Mesh, Tree


def test_threads_are_a_parameter():
    parents = np.maximum(np.arange(200_000) - 1, -1) // 2
    parents[0] = -1
    tree = Tree.from_parents(parents)
    values = np.random.default_rng(1).random(len(parents))
    expected = tree.leaffix(values, threads=1)
    for threads in (None, 0, 2, 3):
        assert (tree.leaffix(values, threads=threads) == expected).all()
    before = palmette.get_threads()
    assert before == len(os.sched_getaffinity(0))
    try:
        palmette.set_threads(3)
        assert palmette.get_threads() == 3
        assert (tree.leaffix(values) == expected).all()
    finally:
        palmette.set_threads(0)
    for wrong in (1025, -1, 2**70):
        with pytest.raises((ValueError, OverflowError)):
            tree.leaffix(values, threads=wrong)


def test_other_threads_go_on():
    """While a mesh is mapped, another Python thread counts."""
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    mesh = Mesh.shape("crack-plate:20000")
    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    mesh.partition(64)
    seconds = time.perf_counter() - start
    done.set()
    thread.join()
    assert seconds > 0.05, "too quick to tell"
    assert counted > 0.1 * seconds / 0.001


INTERRUPTED = """
    import signal, sys, threading, time
    import numpy as np
    import palmette
    {prepare}
    def soon():
        time.sleep(0.3)
        global sent
        sent = time.perf_counter()
        signal.raise_signal(signal.SIGINT)
    thread = threading.Thread(target=soon, daemon=True)
    try:
        thread.start()
        {work}
        print("ended", time.perf_counter() - sent if "sent" in globals() else None)
    except KeyboardInterrupt:
        print("late", time.perf_counter() - sent)
    # What comes after works.
    tree = palmette.Tree.from_parents([-1, 0, 0])
    assert tree.leaffix([1, 2, 3])[0] == 6
    {after}
    sys.stdout.flush()
"""

LONG = {
    "simulator": (
        "tree = palmette.Tree.from_parents(np.arange(-1, 2**21 - 1) // 2 * 1)",
        "palmette.spatial.run('treefix', tree)",
        "",
    ),
    "mesh": ("mesh = palmette.Mesh.shape('crack-plate:400000')", "mesh.map('torus:16x16')", ""),
    "solver": (
        "n = 600\\n    import test_graph\\n    graph = palmette.Graph.from_scipy(test_graph.grid(n, 1e-6))\\n"
        "    solver = graph.solver('none', tolerance=1e-13)\\n    b = np.random.rand(n * n)",
        "solver.solve(b)",
        "x = solver.precondition(b); assert np.isfinite(x).all()",
    ),
    "callable": (
        "tree = palmette.Tree.from_parents(np.arange(-1, 2**22 - 1))",
        "tree.leaffix(np.ones(2**22), op=lambda a, b: a + b, identity=0.0)",
        "",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_heard(name):
    prepare, work, after = (part.replace("\\n", "\n") for part in LONG[name])
    program = textwrap.dedent(INTERRUPTED.format(prepare=textwrap.dedent(prepare), work=work, after=after))
    program = "\n".join(line[4:] if line.startswith("    ") and False else line for line in program.split("\n"))
    here = os.path.dirname(__file__)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": here},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    word, seconds = done.stdout.split()
    assert word == "late", f"{name} ended before it was interrupted, in {time.perf_counter() - start} s"
    assert float(seconds) < 0.3, done.stdout


def in_child(queue):
    tree = Tree.from_parents(np.arange(-1, 99_999))
    queue.put(int(tree.leaffix(np.ones(100_000, int))[0]))


def test_processes_that_are_forked_off():
    """A child has none of its parent's threads, and makes its own."""
    Tree.from_parents(np.arange(-1, 99_999)).leaffix(np.ones(100_000))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == 100_000
    child.join()
    assert child.exitcode == 0
    solver = Graph.from_scipy(np.array([[2.0, -1], [-1, 2]])).solver()

    def asks(queue):
        try:
            solver.solve([1.0, 1.0])
        except RuntimeError as error:
            queue.put(str(error))

    child = context.Process(target=asks, args=(queue,))
    child.start()
    assert "the process that made it" in queue.get(timeout=60)
    child.join()


def test_many_threads_ask_one_tree():
    tree = Tree.from_parents(np.arange(-1, 19_999))
    u = np.arange(20_000)
    wrong = []

    def ask(v):
        if not (tree.lca(u, v) == np.minimum(u, v)).all():
            wrong.append(v)

    threads = [threading.Thread(target=ask, args=(v,)) for v in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_array_in_use_is_kept():
    """The caller's name for an array may go while work reads it."""
    tree = Tree.from_parents(np.arange(-1, 499_999))
    for _ in range(20):
        found = tree.leaffix(np.ones(500_000))
        assert found[0] == 500_000
        assert found.flags.owndata or found.base is not None


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no signals")
def test_version_and_names():
    assert palmette.__version__.count(".") == 2
    for name in palmette.__all__:
        assert getattr(palmette, name) is not None
