# %% [markdown]
# # Distances between taxa
# A phylogeny of 10,575 genomes: how far apart are taxa, along the branches of the tree? We
# compare with TreeSwift, which walks from each taxon, and with scikit-bio, whose matrix of all
# distances is of a smaller tree.

# %%
import io
import time
import warnings
from pathlib import Path

import numpy as np
import skbio
import treeswift

import palmette

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "trees" / "wol-10575.nwk"


def made_up(taxa: int, seed: int) -> str:
    """A random tree in Newick's format, for those who lack the file."""
    random = np.random.default_rng(seed)
    trees = [f"T{i}:{random.exponential():.6f}" for i in range(taxa)]
    while len(trees) > 1:
        i, j = sorted(random.choice(len(trees), 2, replace=False))
        right = trees.pop(j)
        trees[i] = f"({trees[i]},{right}):{random.exponential():.6f}"
    return trees[0].rsplit(":", 1)[0] + ";"


if DATA.exists():
    newick = DATA.read_text()
else:
    print(f"{DATA.name} is not here: a made-up tree of 2,000 taxa stands in for it")
    newick = made_up(2000, 1)

# %% [markdown]
# ## Pairs of taxa
# Labels work as vertices do, and arrays of them broadcast.

# %%
tree = palmette.Tree.from_newick(newick)
theirs = treeswift.read_tree_newick(newick)
taxa = [node.get_label() for node in theirs.traverse_leaves()]
random = np.random.default_rng(7)
left, right = random.choice(taxa, (2, 300))
print(tree, "with", len(taxa), "taxa")

start = time.perf_counter()
ours = tree.distance(left, right, lengths=True)
our_seconds = time.perf_counter() - start

nodes = theirs.label_to_node(selection="leaves")
start = time.perf_counter()
walked = [theirs.distance_between(nodes[a], nodes[b]) for a, b in zip(left, right)]
their_seconds = time.perf_counter() - start

np.testing.assert_allclose(ours, walked, rtol=1e-9, atol=1e-9)
ratio = their_seconds / our_seconds
print(f"300 pairs: palmette {our_seconds * 1e3:.2f} ms (index and labels included), "
      f"TreeSwift {their_seconds * 1e3:.2f} ms, ratio {ratio:.1f}")

# %% [markdown]
# ## All pairs
# The first 200 taxa, with what joins them, as scikit-bio has them.

# %%
some = taxa[:200]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about labels of vertices that no longer branch
    small = theirs.extract_tree_with(set(some))
start = time.perf_counter()
matrix = skbio.TreeNode.read(io.StringIO(small.newick()), convert_underscores=False)
matrix = matrix.cophenet() if hasattr(matrix, "cophenet") else matrix.tip_tip_distances()
skbio_seconds = time.perf_counter() - start
expected = matrix.filter(some).data

start = time.perf_counter()
labels = np.array(some)
found = tree.distance(labels[:, None], labels[None, :], lengths=True)
our_seconds = time.perf_counter() - start
np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)
print(f"200 x 200 matrix: palmette {our_seconds * 1e3:.2f} ms from the whole tree, scikit-bio "
      f"{skbio_seconds * 1e3:.2f} ms from one of 200 taxa, ratio {skbio_seconds / our_seconds:.1f}")

# %% [markdown]
# ## Clades
# How diverse is each clade? The sum of the branch lengths in its subtree (Faith's phylogenetic
# diversity of the clade) is a leaffix; the number of its taxa is a measure.

# %%
lengths = tree.lengths
lengths[tree.roots] = 0
diversity = tree.leaffix(lengths, scope="exclusive", sum="exact")
largest = int(np.argmax(np.where(tree.depth() == 1, tree.leaves(), 0)))
print(f"the largest clade below the root is {tree.label(largest)}: {tree.leaves()[largest]} taxa, "
      f"diversity {diversity[largest]:.1f} of {diversity[tree.roots[0]]:.1f}")
assert np.isclose(diversity[tree.roots[0]], lengths.sum())
assert tree.leaves()[tree.roots[0]] == len(taxa)
