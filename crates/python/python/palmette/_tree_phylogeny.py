"""Parsimony, diversity and measures of phylogenies."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _diversity, _palmette
from palmette._arrays import Floats, Integers
from palmette._tree_facts import Facts
from palmette.parsimony import Parsimony, Sequences
from palmette.parsimony import run as _parsimony


class Phylogeny(Facts):
    """Parsimony, diversity and measures of phylogenies."""

    def parsimony(
        self,
        alignment: Sequences,
        cost: ArrayLike | str | os.PathLike[str] | None = None,
        gaps: str = "missing",
        *,
        type: str | None = None,
        alphabet: str | None = None,
        states: str | None = "mpr",
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Parsimony:
        """The parsimony of an alignment whose sequences are called as the tips are: scores by site and
        by branch, and states of all vertices.

        ``alignment`` is a file (FASTA or PHYLIP), a dict from names to sequences, or a 2-d array of
        bytes with a row per tip, tips in the order of their numbers. ``cost`` has a row per state of the
        parent and a column per state of the child, in the order of the alphabet (DNA: ``ACGT``, amino
        acids: by letter), or is a file with a header; by default every change costs 1. ``gaps`` are
        ``"missing"`` (any state) or a ``"state"`` of their own, the last one. ``type`` is ``"dna"``,
        ``"protein"`` or ``"standard"``, whose states are ``alphabet``; by default it is found from the
        symbols.

        ``states`` are ``"mpr"`` (all that some reconstruction of least cost has), ``"first-pass"``,
        ``"one"`` (those of one reconstruction) or None. ``ignore_missing`` leaves out sequences without a
        tip, and allows tips without a sequence any state.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> found = tree.parsimony({"a": "AC", "b": "AG", "c": "TC", "d": "TC"})
        >>> found.score, found.site_scores
        (2.0, array([1., 1.]))
        >>> found.states[tree.vertex("r")]
        'WC'
        """
        options = (type, alphabet, gaps, states, ignore_missing)
        by_array = not isinstance(alignment, (str, os.PathLike, Mapping))
        labels = self.labels if by_array else []
        tips = self.sizes() == 1 if by_array else np.empty(0, dtype=np.bool_)
        return _parsimony(self._core, labels, tips, alignment, cost, options, threads)

    def faith_pd(
        self,
        counts: Any,
        *,
        samples: Sequence[Any] | None = None,
        tips: Any = None,
        lengths: bool | ArrayLike = True,
        root_length: bool = False,
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Any:
        """Faith's phylogenetic diversity of each sample: the length of all branches above its tips.

        ``counts`` has a row per sample and a column per tip: an array, a sparse matrix of scipy, or a
        data frame of pandas whose columns are tips. ``tips`` names the columns, by label or by
        vertex; by default they are all tips in preorder. ``samples`` names the rows. Answers are of
        pandas where samples have names.

        A sample without counts has 0. The length above the root does not count unless
        ``root_length``. ``ignore_missing`` leaves out tips that the tree lacks.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.faith_pd([[5, 1, 0], [0, 0, 2]])
        array([6., 4.])
        >>> tree.faith_pd([[7]], tips=["b"])
        array([5.])
        """
        found = _diversity.Counts(self._core, counts, samples, tips, ignore_missing)
        return _diversity.faith_pd(self._core, found, self._lengths(lengths), root_length, threads)

    def unifrac(
        self,
        counts: Any,
        metric: str = "unweighted",
        *,
        alpha: float = _palmette.DEFAULT_ALPHA,
        order: float = _palmette.DEFAULT_KR_ORDER,
        samples: Sequence[Any] | None = None,
        tips: Any = None,
        lengths: bool | ArrayLike = True,
        root_length: bool = False,
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Any:
        """The distances between all pairs of samples, as a square matrix.

        ``metric`` is ``unweighted``, ``weighted``, ``weighted-normalised``, ``generalised`` with
        ``alpha`` from 0 to 1, or ``kr`` (Kantorovich and Rubinstein) with ``order`` from 1. Counts may
        be fractions: only shares matter. The other arguments are those of :meth:`faith_pd`.

        A sample without counts is 1 from all others and 0 from another such one; by ``weighted`` and
        ``kr`` its distance is that of the other to no mass at all.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.unifrac([[5, 5, 0], [1, 0, 1]], "weighted")
        array([[0. , 4.5],
               [4.5, 0. ]])
        """
        found = _diversity.Counts(self._core, counts, samples, tips, ignore_missing)
        given = (metric, (alpha, order), self._lengths(lengths), root_length, threads)
        return _diversity.unifrac(self._core, found, *given)

    def measures(self) -> dict[str, Any]:
        """Balance and lengths: ``sackin``, ``colless`` (binary trees only), ``b1``, ``cherries``, ``gamma`` and others.

        >>> palmette.Tree.from_newick("((a,b),c);").measures()["sackin"]
        5
        """
        found: dict[str, Any] = json.loads(self._core.shape_measures())
        return found

    def lineages_through_time(self) -> tuple[Floats, Integers]:
        """Distances from the root at which the number of lineages changes, and the number from there on.

        >>> palmette.Tree.from_newick("((a:1,b:1):1,c:2);").lineages_through_time()
        (array([0., 1., 2.]), array([2, 3, 0]))
        """
        return self._core.lineages()

    def clock(self, dates: Mapping[Any, float]) -> dict[str, Any]:
        """The line through dates of tips and their distances from the root: ``rate``, ``root_date``, ``r_squared``.

        >>> palmette.Tree.from_newick("(a:1,b:2);").clock({"a": 2000, "b": 2010})["rate"]
        0.1
        """
        members = self._vertices(list(dates), "dates").reshape(-1)
        given = dict(zip(members.tolist(), map(float, dates.values())))
        found: dict[str, Any] = json.loads(self._core.clock_line(given))
        return found
