"""How each peer is asked to do a job: the command, or nothing where it is not installed.

Scripts of libraries print `job SECONDS`: processor seconds of the job alone.
"""

import importlib.util
import shutil
import sys

R_HEAD = 'suppressMessages({library(ape);%s}); said <- function(t) cat("job", t[[1]] + t[[2]], "\\n");'
RAPIDTREES = """
import rapidtrees, sys
text = [line.strip() for line in open(sys.argv[1]) if line.strip()]
n = len(text)
rapidtrees.pairwise_rf_from_newick_iter([str(i) for i in range(n)], iter(text), [{}], [0] * n)
"""
SKBIO = """
import sys, time
import numpy
from skbio import TreeNode
tree = TreeNode.read(sys.argv[1])
names = open(sys.argv[2]).read().split()
start = time.process_time()
found = tree.cophenet(names)
print("job", time.process_time() - start)
numpy.save("theirs.npy", found.data)
open("theirs.ids", "w").write(" ".join(found.ids))
"""


def program(name, *arguments):
    found = shutil.which(name)
    return [found, *arguments] if found else None


def python(package, script, *arguments):
    if importlib.util.find_spec(package) is None:
        return None
    return [sys.executable, "-c", script, *arguments]


def r(packages, script, *arguments):
    head = R_HEAD % "".join(f"library({package})" for package in packages)
    return program("Rscript", "--vanilla", "-e", head + script, *arguments)


ARGUMENTS = "a <- commandArgs(TRUE);"
READ = ARGUMENTS + "t <- read.tree(a[1]);"
PRUNE = READ + 'write.tree(keep.tip(t, readLines(a[2])), "theirs.nwk")'
REROOT = READ + 'write.tree(root(t, "t1", resolve.root = TRUE), "theirs.nwk")'
COLLAPSE = READ + 'write.tree(di2multi(t, tol = 0.05), "theirs.nwk")'
FITCH = READ + 'd <- read.phyDat(a[2], "fasta"); said(system.time(s <- fitch(t, d)))'
SANKOFF = READ + ('d <- read.phyDat(a[2], "fasta"); c <- as.matrix(read.table(a[3], header = TRUE, row.names = 1));'
                  "said(system.time(s <- sankoff(t, d, cost = c)))")


def ssu(_, tree, table, metric):
    more = ["-a", "0.5"] if metric == "generalized" else []
    return program("ssu", "-i", table, "-t", tree, "-m", metric, "-o", "theirs.tsv", *more)


def fastroot(_, tree):
    found = shutil.which("FastRoot.py")
    return [sys.executable, found, "-i", tree, "-m", "MV", "-o", "theirs.nwk"] if found else None


PEERS = {
    "ssu": ssu,
    "faithpd": lambda _, tree, table: program("faithpd", "-i", table, "-t", tree, "-o", "theirs.tsv"),
    "phangorn Fitch": lambda _, *files: r(["phangorn"], FITCH, *files),
    "phangorn Sankoff": lambda _, *files: r(["phangorn"], SANKOFF, *files),
    "rapidtrees": lambda _, trees: python("rapidtrees", RAPIDTREES, trees),
    "ape prune": lambda _, *files: r([], PRUNE, *files),
    "ape reroot": lambda _, *files: r([], REROOT, *files),
    "ape collapse": lambda _, *files: r([], COLLAPSE, *files),
    "FastRoot": fastroot,
    "scikit-bio": lambda _, *files: python("skbio", SKBIO, *files),
}
