# %% [markdown]
# # A cracked plate on a torus
# A mesh is cut into 64 parts, which are placed on the processors of an 8 x 8 torus so that what
# they exchange does not travel far. matplotlib draws both.

# %%
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import hsv_to_rgb

import palmette

SIDE = 8

mesh = palmette.Mesh.generate("crack-plate:4000")
mapping = mesh.map(f"torus:{SIDE}x{SIDE}")
print(mesh)
print(mapping)

# %% [markdown]
# ## How good is it?
# Parts in any order travel farther.

# %%
random = mesh.map(f"torus:{SIDE}x{SIDE}", placement="random")
print(f"hops times values: {mapping.hopsum}, parts at random {random.hopsum}, "
      f"ratio {random.hopsum / mapping.hopsum:.2f}")
print(f"busiest link: {mapping.max_link_load}, at random {random.max_link_load}")
assert mapping.hopsum < 0.6 * random.hopsum
assert mapping.max_link_load < random.max_link_load
assert sorted(mapping.processors) == list(range(SIDE * SIDE))
assert mapping.figures["imbalance"] <= 0.031

# %% [markdown]
# ## The picture
# Left the parts on the plate; right the torus: a square per processor with the colour of its part,
# links as thick as their load. Links that go around leave the picture on one side and come back
# on the other.

# %%
# Neighbouring processors have similar colours, so that both pictures show one map.
at = mapping.coordinates[:, :2]
hue = at[:, 1] / SIDE
tone = 0.25 + 0.65 * np.abs(2 * at[:, 0] / SIDE - 1)
colours = hsv_to_rgb(np.stack([hue, tone, np.full(SIDE**2, 0.9)], axis=1))

figure, (left, right) = plt.subplots(1, 2, figsize=(12, 6), layout="constrained")
triangles = [mesh.points[nodes, :2] for nodes in mesh.elements]
most = [np.bincount(mapping.parts[nodes]).argmax() for nodes in mesh.elements]
faces = colours[mapping.processors[most]]
left.add_collection(PolyCollection(triangles, facecolors=faces, edgecolors=faces, linewidths=0.2))
left.autoscale()
left.set_aspect("equal")
left.set_title(f"{len(mesh):,} nodes in {SIDE * SIDE} parts")

lines, widths = [], []
heaviest = mapping.loads[:, 2].max()
for a, b, load in mapping.loads:
    step = at[b] - at[a]
    step = (step + SIDE // 2) % SIDE - SIDE // 2
    for start, end in ((at[a], at[a] + step / 2), (at[b], at[b] - step / 2)):
        lines.append([start[::-1], end[::-1]])
        widths.append(9 * load / heaviest)
right.add_collection(LineCollection(lines, linewidths=widths, colors="0.35"))
right.scatter(at[:, 1], at[:, 0], s=420, marker="s", c=colours, edgecolors="black", zorder=2)
for part, processor in enumerate(mapping.processors):
    right.text(*at[processor][::-1], str(part), ha="center", va="center", fontsize=8, zorder=3)
right.set_xlim(-0.8, SIDE - 0.2)
right.set_ylim(SIDE - 0.2, -0.8)
right.set_aspect("equal")
right.set_title(f"{mapping.machine}: busiest link {mapping.max_link_load} values, "
                f"{mapping.phases} phase(s)")
for axes in (left, right):
    axes.set_axis_off()
figure.savefig("mesh_on_torus.png", dpi=110)
plt.close(figure)
