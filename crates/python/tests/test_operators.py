"""Operators of one's own: machine code and Python."""

import ctypes

import cffi
import numba
import numpy as np
import pytest
from conftest import random_parents

from palmette import Operator, Tree


@pytest.fixture(scope="module")
def tree():
    return Tree.from_parents(random_parents(20_000, 4))


@pytest.mark.parametrize("kind", ["float64", "int64", "uint64", "float32"])
def test_functions_of_numba(tree, kind):
    larger = numba.cfunc(f"{kind}({kind}, {kind})")(lambda a, b: a if a > b else b)
    values = np.random.default_rng(1).integers(0, 1000, len(tree)).astype(kind)
    for engine in ("auto", "sequential", "threads", "contract", "levels"):
        for way in ("leaffix", "rootfix"):
            found = getattr(tree, way)(values, op=larger, identity=0, engine=engine)
            assert (found == getattr(tree, way)(values, op="max")).all()
            assert found.dtype == kind
    with pytest.raises(ValueError, match="inverses"):
        tree.leaffix(values, op=larger, identity=0, engine="euler")


def test_order_is_kept(tree):
    """What does not commute sees subtrees in preorder."""
    last = numba.cfunc("int64(int64, int64)")(lambda a, b: a if b < 0 else b)
    found = tree.leaffix(np.arange(len(tree)), op=last, identity=-1, engine="contract")
    place = np.empty(len(tree), int)
    place[tree.preorder] = np.arange(len(tree))
    expected = tree.preorder[place + tree.sizes() - 1]
    assert (found == expected).all()


def test_pointers_of_ctypes_and_cffi(tree):
    values = np.random.default_rng(2).random(len(tree))
    expected = tree.leaffix(values, op="max")
    libm = ctypes.CDLL(None)
    fmax = libm.fmax
    with pytest.raises(TypeError, match="argtypes and restype"):
        tree.leaffix(values, op=fmax, identity=0.0)
    fmax.argtypes, fmax.restype = [ctypes.c_double] * 2, ctypes.c_double
    assert (tree.leaffix(values, op=fmax, identity=0.0) == expected).all()
    address = ctypes.cast(fmax, ctypes.c_void_p).value
    op = Operator(address, identity=0.0, dtype="float64")
    assert (tree.leaffix(values, op=op) == expected).all()
    ffi = cffi.FFI()
    ffi.cdef("double fmax(double, double); double sqrt(double);")
    library = ffi.dlopen(None)
    pointer = ffi.addressof(library, "fmax")
    assert (tree.leaffix(values, op=pointer, identity=0.0) == expected).all()
    with pytest.raises(TypeError, match="two numbers"):
        Operator(ffi.addressof(library, "sqrt"), 0.0)


def test_functions_in_python():
    tree = Tree.from_parents(random_parents(300, 6))
    values = np.arange(300)
    found = tree.leaffix(values, op=lambda a, b: a + b, identity=0)
    assert (found == tree.leaffix(values)).all()
    found = tree.rootfix(values * 1.0, op=max, identity=-np.inf, scope="exclusive")
    assert found[tree.roots[0]] == -np.inf
    calls = []

    def fails(a, b):
        calls.append(a)
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        tree.leaffix(values, op=fails, identity=0)
    assert len(calls) == 1
    with pytest.raises(TypeError):
        tree.leaffix(values, op=lambda a, b: "text", identity=0)
    with pytest.raises(KeyboardInterrupt):
        tree.leaffix(values, op=lambda a, b: (_ for _ in ()).throw(KeyboardInterrupt), identity=0)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda tree, x: tree.leaffix(x, op=max), "identity"),
        (lambda tree, x: tree.leaffix(x, op=5, identity=0), "an address needs a dtype"),
        (lambda tree, x: tree.leaffix(x, op=None, identity=0), "found None"),
        (lambda tree, x: tree.leaffix(x, op=object(), identity=0), "function or its address"),
        (lambda tree, x: tree.leaffix(x, op="sum", identity=0), "do not apply to a named operator"),
        (lambda tree, x: tree.leaffix(x, op=max, identity=0, sum="exact"), "named operators"),
        (lambda tree, x: tree.leaffix(x, op=max, identity="zero"), "str"),
        (lambda tree, x: Operator(5, 0, dtype="int8"), "expected dtype"),
        (
            lambda tree, x: tree.leaffix(
                x, op=numba.cfunc("float64(float64, float64)")(lambda a, b: a), identity=0
            ),
            "float64 does not take values of int64",
        ),
        (
            lambda tree, x: Operator(numba.cfunc("float64(int64, int64)")(lambda a, b: a), 0),
            "all of one of",
        ),
    ],
)
def test_what_is_no_operator(make, text):
    with pytest.raises(TypeError, match=text):
        make(Tree.from_parents([-1, 0]), np.array([1, 2]))
