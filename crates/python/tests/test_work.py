"""Threads, the interpreter's lock, Ctrl-C, processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
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
        with pytest.raises(ValueError, match="threads: expected 0 to 1024"):
            tree.leaffix(values, threads=wrong)
        with pytest.raises(ValueError, match="threads: expected 0 to 1024"):
            palmette.set_threads(wrong)


def test_other_threads_go_on():
    """While a mesh is mapped, another Python thread counts."""
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    mesh = Mesh.generate("crack-plate:20000")
    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    mesh.partition(64)
    after = counted
    done.set()
    thread.join()
    # With the lock held it would count once at most, whatever else the computer does.
    assert after - before > 10


INTERRUPTED = """
import signal, threading, time
import numpy as np
import palmette
from test_graph import grid

# Whoever started the tests may have it ignored, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
{prepare}

def soon():
    global sent
    time.sleep(0.3)
    sent = time.process_time()
    signal.raise_signal(signal.SIGINT)

try:
    threading.Thread(target=soon, daemon=True).start()
    {work}
    print("ended", 0)
except KeyboardInterrupt:
    print("interrupted", time.process_time() - sent)
# What comes after works.
assert palmette.Tree.from_parents([-1, 0, 0]).leaffix([1, 2, 3])[0] == 6
assert len(palmette.Tree.from_parents(np.arange(-1, 99_999)).depth()) == 100_000
{after}
"""

LONG = {
    "simulator": (
        "tree = palmette.Tree.from_parents((np.arange(2**22) - 1) // 2)",
        "palmette.spatial.run('treefix', tree)",
        "",
    ),
    "mesh": ("mesh = palmette.Mesh.generate('crack-plate:200000')", "mesh.map('torus:16x16')", ""),
    "solver": (
        "solver = palmette.Graph.from_scipy(grid(500, 1e-6)).solver('none', tolerance=1e-13)",
        "solver.solve(np.random.rand(250_000))",
        "assert np.isfinite(solver.precondition(np.ones(250_000))).all()",
    ),
    "callable": (
        "tree = palmette.Tree.from_parents(np.arange(-1, 2**22 - 1))",
        "tree.leaffix(np.ones(2**22), op=lambda a, b: a + b, identity=0.0)",
        "",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_heard(name):
    """Time is that of the process with its threads: work that were waited for would take it."""
    prepare, work, after = LONG[name]
    program = INTERRUPTED.format(prepare=prepare, work=work, after=after)
    paths = [os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    word, seconds = done.stdout.split()
    assert word == "interrupted", f"{name} ended before anyone could interrupt it"
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


def unusual(queue=None):
    """Small passes that are looked at again, and small matrices."""
    found = []
    for n in [500, 50_000]:
        tree = Tree.from_parents(np.arange(-1, n - 1))
        values = np.ones(n)
        values[7] = np.nan
        found.append(int(np.isnan(tree.leaffix(values)).sum()))
        found.append(int(np.isnan(tree.rootfix(values, scope="exclusive")).sum()))
        found.append(int(tree.leaffix(np.ones((n, 40)))[0].sum()))
        found.append(int(tree.leaffix(np.arange(n), op="max")[0]))
    if queue is not None:
        queue.put(found)
    return found


@pytest.mark.filterwarnings("ignore")
def test_small_passes_start_no_pool_that_a_child_would_wait_for():
    here = unusual()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=unusual, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == here
    child.join()
    assert child.exitcode == 0


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
