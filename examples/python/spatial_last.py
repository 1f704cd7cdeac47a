"""Which processor is the last along the curve that has something? A message program, measured and
held against a theorem. ../spatial_last.rs is the same program, and costs the same."""

import numpy as np

from palmette import spatial


def children(p, n):
    """Those whose ranges of addresses together follow p's own: p + 1, p + 2, p + 4, ..."""
    step = 1
    while p & step == 0 and p + step < n:
        yield p + step
        step *= 2


class Last(spatial.Program):
    """Up a binomial tree; of two findings the one further along the curve stays."""

    state = np.dtype([("place", "i4"), ("value", "i4"), ("awaited", "i4")])
    message = np.dtype([("place", "i4"), ("value", "i4")])

    def initial(self, n):
        states = np.zeros(n, self.state)
        states["place"] = np.arange(n)
        states["value"] = np.where(states["place"] % 7 == 0, states["place"], 0)
        return states

    def start(self, state, processor):
        state["awaited"] = 1 + sum(1 for _ in children(processor.me, processor.count))
        self.receive(state, (state["place"], state["value"]), processor)

    def receive(self, state, message, processor):
        place, value = message
        if value and (state["value"] == 0 or place > state["place"]):
            state["place"], state["value"] = place, value
        state["awaited"] -= 1
        me = processor.me
        if state["awaited"] == 0 and me > 0:
            processor.send(me & (me - 1), (state["place"], state["value"]))

    def check(self, states):
        last = np.flatnonzero(self.initial(len(states))["value"])[-1]
        return states["place"][0] == last


if __name__ == "__main__":
    for delivery in spatial.deliveries(12):
        assert Last().check(spatial.Machine(100, words=64, delivery=delivery).run(Last()))
    theorem = {"energy": "n", "depth": "log n"}
    record = spatial.sweep(Last(), [2**k for k in range(6, 13)], words=64, theorem=theorem)
    assert record.result["correct"]
    for fit in record.result["fits"]:
        print(f"{fit['quantity']}: {fit['constant']:.2f} {fit['law']}, growth {fit['growth']:.2f}")
        assert fit["growth"] < 1.25
