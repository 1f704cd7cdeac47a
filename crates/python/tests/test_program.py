"""Programs of one's own on the spatial computer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from palmette import spatial

sys.path.insert(0, str(ROOT / "examples" / "python"))
from spatial_last import Last  # noqa: E402


class Walk(spatial.Program):
    """A token walks along the curve and counts the processors it meets."""

    state = np.uint32
    message = np.uint32

    def start(self, state, processor):
        if processor.me == 0:
            self.receive(state, 0, processor)

    def receive(self, state, met, processor):
        state[...] = met
        if processor.me + 1 < processor.count:
            processor.send(processor.me + 1, met + 1)


GLOBAL_TABLE = np.zeros(10)


class Memory:
    """Can be called, and remembers."""

    def __init__(self):
        self.seen = []

    def __call__(self, met):
        self.seen.append(met)


MEMORY = Memory()


def rust(name: str) -> str:
    """What an example prints; cargo builds it unless `make unit` has."""
    program = ROOT / "target" / "release" / "examples" / name
    folder = os.environ.get("PALMETTE_EXAMPLES")
    if folder:
        program = Path(folder) / name
    elif not program.exists():
        words = ["cargo", "build", "--quiet", "--release", "--package", "palmette-examples"]
        subprocess.run([*words, "--example", name], cwd=ROOT, check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_costs_are_those_of_the_same_program_in_rust():
    lines = [line for line in rust("spatial_last").splitlines() if line.startswith("{")]
    runs = [json.loads(line) for line in lines]
    assert {run["parameters"]["delivery"] for run in runs} == {
        "step",
        "manhattan",
        "random:1-20,seed=7",
    }
    for run in runs:
        machine = spatial.Machine(1000, words=64, delivery=run["parameters"]["delivery"])
        states = machine.run(Last())
        assert machine.record(picture=False).result == run["result"]
        assert (states["place"][0], states["value"][0]) == (994, 994)


def test_steps_and_random_bits():
    class Draw(spatial.Program):
        state = np.dtype([("first", "u8"), ("second", "u8")])
        message = np.dtype([])

        def start(self, state, processor):
            state["first"], state["second"] = processor.random(), processor.random()

        def receive(self, state, message, processor):
            raise AssertionError

    states = [spatial.Machine(50, seed=seed).run(Draw()) for seed in (1, 1, 2)]
    assert (states[0] == states[1]).all() and (states[0] != states[2]).all()
    both = np.concatenate([states[0]["first"], states[0]["second"]])
    assert len(np.unique(both)) == 100


def test_results():
    machine = spatial.Machine(64, trace=True)
    states = machine.run(Walk())
    assert (states == np.arange(64)).all() and states.dtype == np.uint32
    assert machine.link_loads.sum() == 63 and machine.link_loads.shape == (4, 8, 8)
    messages = machine.messages
    assert (messages["sender"] == np.arange(63)).all()
    assert (messages["receiver"] == np.arange(1, 64)).all()
    assert (messages["phase"] == "Walk").all()
    assert [phase["name"] for phase in machine.phases] == ["Walk"]
    # A second program starts at every processor when that has done the first: right behind.
    machine.run(Walk(), states)
    assert machine.costs["depth"] == 63 and machine.costs["messages"] == 126
    record = machine.record()
    assert record.result["energy"] == 126 and (record.answer == states).all()
    assert record.parameters["delivery"] == "step" and "<img" in record._repr_html_()
    with pytest.raises(ValueError, match="trace=True"):
        _ = spatial.Machine(4).messages


def test_kinds_of_messages():
    """What is sent arrives, whatever its type."""
    sent = {
        "?": True,
        "i1": -128,
        "u2": 65535,
        "i8": -(2**63),
        "u8": 2**64 - 1,
        "f4": 0.5,
        "f8": 1e300,
        "3i4": (1, -2, 3),
    }
    dtype = np.dtype([(f"f{i}", kind) for i, kind in enumerate(sent)])

    def constant(value):
        return sum(map(constant, value)) if isinstance(value, tuple) else 2

    for kind, value in [*((np.dtype(k), v) for k, v in sent.items()), (dtype, (*sent.values(),))]:

        class Twice(spatial.Program):
            state = np.int8
            message = kind

            def start(self, state, processor, value=value):
                if processor.me == 0:
                    processor.send(1, value)

            def receive(self, state, message, processor, value=value):
                assert message == value
                state += 1
                if processor.me == 1:
                    # A row of an array is a message too.
                    base = self.message.base
                    processor.send(2, np.array([value], base)[0])

        machine = spatial.Machine(4)
        assert list(machine.run(Twice())) == [0, 1, 1, 0], kind
        words = 1 + -(-kind.itemsize // 4) + constant(value)
        assert machine.costs["words_per_processor"] == words


def test_phases():
    class Echo(Walk):
        def phase(self, met):
            return f"block {met // 32}"

    machine = spatial.Machine(64)
    machine.run(Echo())
    assert [(p["name"], p["messages"]) for p in machine.phases] == [
        ("block 0", 31),
        ("block 1", 32),
    ]


class Bad(Walk):
    """Does something wrong at processor 5."""

    def receive(self, state, met, processor):
        if processor.me == 5:
            self.wrong(state, processor)
        super().receive(state, met, processor)


def wrong(**members):
    return type("Wrong", (Bad,), members)()


@pytest.mark.parametrize(
    ("program", "options", "text", "cause"),
    [
        (wrong(wrong=lambda self, s, p: 1 // 0), {}, "ZeroDivisionError", ZeroDivisionError),
        (wrong(wrong=lambda self, s, p: p.send(64, 0)), {}, "from 0 to 63, found 64", IndexError),
        (wrong(wrong=lambda self, s, p: p.send(-1, 0)), {}, "from 0 to 63, found -1", IndexError),
        (wrong(wrong=lambda self, s, p: p.send("a", 0)), {}, "expected an address", TypeError),
        (wrong(wrong=lambda self, s, p: p.send(0, 1.5)), {}, "expected u4, found 1.5", TypeError),
        (wrong(wrong=lambda self, s, p: p.send(0, (1, 2))), {}, "expected u4", TypeError),
        (wrong(wrong=lambda self, s, p: p.send(0, 2**32)), {}, "expected u4", OverflowError),
        (wrong(wrong=lambda self, s, p: p.send(0, None)), {}, "expected u4", TypeError),
    ],
)
def test_handlers_that_raise(program, options, text, cause):
    machine = spatial.Machine(64, **options)
    with pytest.raises(spatial.ProgramError, match=f"^processor 5, step 5, Wrong: .*{text}") as e:
        machine.run(program)
    assert (e.value.processor, e.value.step) == (5, 5)
    assert isinstance(e.value.__cause__, cause)
    for use in (lambda: machine.costs, lambda: machine.run(Walk())):
        with pytest.raises(RuntimeError, match="make another"):
            use()


def test_limits():
    class All(Walk):
        def start(self, state, processor):
            processor.send(0, processor.me)

        def receive(self, state, message, processor):
            state += 1

    text = "processor 0, step 1, All: needs 9 words for its state and 8 message.s., has 8"
    with pytest.raises(spatial.ProgramError, match=text) as e:
        spatial.Machine(64, words=8).run(All())
    assert (e.value.processor, e.value.step, e.value.__cause__) == (0, 1, None)
    with pytest.raises(spatial.ProgramError, match="needs 2 words for its state and 1 .*, has 1"):
        spatial.Machine(64, words=1).run(Walk())
    with pytest.raises(spatial.ProgramError, match="at the limit of 10 steps") as e:
        spatial.Machine(64, step_limit=10).run(Walk())
    assert e.value.step == 10
    greedy = Walk()
    greedy.constant_words = 200
    with pytest.raises(spatial.ProgramError, match="needs 202 words"):
        spatial.Machine(64).run(greedy)


def test_dtypes():
    run = spatial.Machine(4).run
    with pytest.raises(TypeError, match="state: expected a dtype without Python objects"):
        run(wrong(state=object))
    with pytest.raises(TypeError, match="message: expected a dtype without Python objects"):
        run(wrong(message=np.dtype([("a", "i4"), ("b", "O")])))
    with pytest.raises(TypeError, match="message: expected booleans, integers, and floats"):
        run(wrong(message="S8"))
    with pytest.raises(TypeError, match="struct of numbers"):
        run(wrong(message=np.dtype([("a", [("b", "i4")])])))
    with pytest.raises(TypeError, match="has no state"):
        run(spatial.Program())
    with pytest.raises(TypeError, match="no dtype|not understood"):
        run(wrong(state="no dtype"))
    with pytest.raises(TypeError, match="expected the program's dtype uint32, found float64"):
        run(Walk(), np.zeros(4))
    with pytest.raises(ValueError, match=r"expected shape \(4,\), found \(5,\)"):
        run(Walk(), np.zeros(5, np.uint32))
    with pytest.raises(TypeError, match="expected an array"):
        run(Walk(), [0, 0, 0, 0])
    with pytest.raises(TypeError, match=r"expected a palmette.spatial.Program, found int"):
        run(3)
    with pytest.raises(TypeError, match=r"found the class Walk; pass Walk\(\)"):
        run(Walk)


def test_dtypes_that_change():
    walk = Walk()
    spatial.Machine(4).run(walk)
    walk.message = np.uint64
    with pytest.raises(TypeError, match="message: the dtype was uint32, and is now uint64"):
        spatial.Machine(4).run(walk)

    class Late(Walk):
        def receive(self, state, met, processor):
            self.state = np.uint64

    with pytest.raises(TypeError, match="state: the dtype was uint32, and is now uint64"):
        spatial.Machine(4).run(late := Late())
    assert late.state == np.uint64

    for shape, number in [((), 1), ((2,), [1, 2])]:

        class Cast(Walk):
            state = np.dtype((np.uint32, shape))

            def receive(self, state, met, processor):
                state[...] = number
                state.dtype = np.float32

        with pytest.raises(spatial.ProgramError, match="state: the dtype was uint32, and is now f"):
            spatial.Machine(4).run(Cast())

    class Shared(Walk):
        seen = 0

        def receive(self, state, met, processor):
            self.seen += 1

    with pytest.raises(TypeError, match="has changed the attribute 'seen'"):
        spatial.Machine(4).run(Shared())


def test_attributes_are_constants_with_words():
    class Knows(Walk):
        pass

    knows = Knows()
    knows.table = np.zeros(100_000, np.uint32)
    with pytest.raises(spatial.ProgramError, match="words"):
        spatial.Machine(4).run(knows)
    knows.table = np.zeros(10, np.uint32)
    Knows.also = (1.5, {"text": 2})
    machine = spatial.Machine(4)
    machine.run(knows)
    plain = spatial.Machine(4)
    plain.run(Walk())
    more = machine.costs["words_per_processor"] - plain.costs["words_per_processor"]
    assert more == 10 + 2 + 1 + 2
    assert knows.table.flags.writeable
    knows.table = object()
    with pytest.raises(TypeError, match="'table' is a object, which has no number of words"):
        spatial.Machine(4).run(knows)


def test_handlers_share_nothing():
    class Writes(Walk):
        table = np.zeros(3)

        def receive(self, state, met, processor):
            self.table[0] = 1

    with pytest.raises(spatial.ProgramError, match="read-only"):
        spatial.Machine(4).run(Writes())

    class Appends(Walk):
        seen = [0]

        def receive(self, state, met, processor):
            self.seen.append(1)

    class Sets(Walk):
        seen = 0

        def receive(self, state, met, processor):
            type(self).seen = 3

    for program in (Appends(), Sets()):
        with pytest.raises(TypeError, match="has changed the attribute 'seen'"):
            spatial.Machine(4).run(program)

    class Peeks(Walk):
        def start(self, state, processor):
            assert state.base is None
            super().start(state, processor)

    class PeeksAtStructs(Peeks):
        state = np.dtype([("met", "u4")])

        def start(self, state, processor):
            # numpy keeps the memory of a struct that is copied in an array of one.
            assert np.size(state.base) == 1
            state["met"] = 7

    assert list(spatial.Machine(4).run(Peeks())) == [0, 1, 2, 3]
    assert (spatial.Machine(4).run(PeeksAtStructs())["met"] == 7).all()


def test_code_hides_no_constants():
    """Default values, outer variables and globals count, and nobody writes them."""

    def costs(program):
        machine = spatial.Machine(4)
        machine.run(program)
        return machine.costs["words_per_processor"]

    plain = costs(Walk())
    table = np.arange(10, dtype=np.uint32)

    def helper(k):
        return int(table[k])

    class Default(Walk):
        def receive(self, state, met, processor, known=(1, 2.5), *, more=table):
            super().receive(state, met, processor)

    class Outer(Walk):
        def start(self, state, processor):
            self.look(3)
            super().start(state, processor)

        def look(self, k):
            return [helper(i) for i in range(k)]

        def check(self, states):
            return GLOBAL_TABLE[0] == 0  # the host's: it does not count

    class Global(Walk):
        def start(self, state, processor):
            assert GLOBAL_TABLE[1] == 0
            super().start(state, processor)

    assert costs(Default()) == plain + 4 + 10
    assert costs(Outer()) == plain + 10
    assert costs(Global()) == plain + 20
    assert table.flags.writeable and GLOBAL_TABLE.flags.writeable

    class Mixin:
        known = (1, 2, 3)

    class Mixed(Mixin, Walk):
        pass

    assert costs(Mixed()) == plain + 6
    seen, count = [], 0

    class Appends(Walk):
        def receive(self, state, met, processor):
            seen.append(met)

    class ByDefault(Walk):
        def receive(self, state, met, processor, seen={}):
            seen[processor.me] = met

    class Counts(Walk):
        def receive(self, state, met, processor):
            nonlocal count
            count += 1

    class Bound(Walk):
        note = seen.append

    class Hides(Walk):
        def receive(self, state, met, processor):
            self.note(met)

        note = staticmethod(seen.append)

    class Called(Walk):
        def receive(self, state, met, processor):
            MEMORY(met)

    class Writes(Walk):
        def receive(self, state, met, processor):
            table[0] = met

    for program, text in (
        (Appends(), "has changed the variable 'seen' that receive uses"),
        (ByDefault(), "has changed the default of 'seen' in receive"),
        (Counts(), "receive sets the variable 'count' outside of it"),
        (Hides(), "the attribute 'note' is a builtin_function_or_method, which may hold memory"),
        (Called(), "the variable 'MEMORY' that receive uses is a Memory, which may hold memory"),
    ):
        with pytest.raises(TypeError, match=text):
            costs(program)
    with pytest.raises(spatial.ProgramError, match="read-only"):
        costs(Writes())
    assert not table[0] and count == 0


def test_traces(tmp_path):
    machine = spatial.Machine(64, trace=True)
    machine.run(Walk())
    machine.write_trace(tmp_path / "walk.goal")
    lines = (tmp_path / "walk.goal").read_text().splitlines()
    assert lines[0] == "num_ranks 64" and sum("send" in line for line in lines) == 63
    machine.write_trace(tmp_path / "walk.json")
    events = json.loads((tmp_path / "walk.json").read_text())
    assert len(events["traceEvents"] if isinstance(events, dict) else events) >= 63
    with pytest.raises(ValueError, match=r"walk.csv: expected a name that ends in goal, json, txt"):
        machine.write_trace(tmp_path / "walk.csv")
    with pytest.raises(ValueError, match="trace=True"):
        spatial.Machine(4).write_trace(tmp_path / "none.goal")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["walk.goal", "walk.json"]


def test_work_is_declared():
    class Works(Walk):
        def start(self, state, processor):
            processor.work(70)
            super().start(state, processor)

    machine = spatial.Machine(4)
    machine.run(Works())
    assert 70 <= machine.costs["work_per_activation"] <= 73


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"delivery": "pigeon"}, "unknown delivery model"),
        ({"delivery": "random:0-3"}, "a delay of 0 is not possible"),
        ({"delivery": "manhattan:-2"}, "a delay of -2 is not possible"),
        ({"curve": "snail"}, "unknown curve"),
        ({"words": -1}, "words: expected"),
        ({"step_limit": 0}, "step_limit: expected"),
    ],
)
def test_machines_that_cannot_be(options, text):
    with pytest.raises(ValueError, match=text):
        spatial.Machine(16, **options)
    if "step_limit" not in options:
        with pytest.raises(ValueError, match=text):
            spatial.sweep(Walk(), [16], **options)


def test_a_processor_sleeps_after_its_handler():
    kept = []

    class Late(Walk):
        def start(self, state, processor):
            kept.append(processor)

    with pytest.raises(TypeError, match="'kept'"):
        spatial.Machine(2).run(Late())
    with pytest.raises(RuntimeError, match="handler is done"):
        kept[0].send(1, 2)


def test_sweep():
    theorem = {"energy": "n", "depth": "log n", "distance": "n^1.5"}
    record = spatial.sweep(Walk(), [64, 16, 256], theorem=theorem, seeds=[1, 2])
    table = record.answer
    assert list(table["n"]) == [16, 16, 64, 64, 256, 256] and list(table["seed"][:2]) == [1, 2]
    assert (table["energy"] == table["n"] - 1).all()
    fits = {fit["quantity"]: fit for fit in record.result["fits"]}
    assert 0.9 < fits["energy"]["growth"] < 1.1
    assert fits["depth"]["growth"] > 5 > 1 > fits["distance"]["growth"]
    assert [p["name"] for p in record.pictures] == ["energy", "depth", "distance"]
    assert record.result["correct"] is None
    for sizes, options, text in [
        ([], {}, "sizes"),
        ([4], {"seeds": []}, "seeds"),
        ([4], {"theorem": {"energy": "n^3"}}, "unknown law"),
        ([4], {"theorem": {"weight": "n"}}, "unknown quantity"),
    ]:
        with pytest.raises(ValueError, match=text):
            spatial.sweep(Walk(), sizes, **options)


def test_every_delivery():
    for delivery in spatial.deliveries(24):
        assert Last().check(spatial.Machine(77, words=64, delivery=delivery).run(Last()))


def test_a_hundred_thousand_processors():
    machine = spatial.Machine(100_000, words=64)
    assert Last().check(machine.run(Last()))
    assert machine.costs["messages"] == 99_999
