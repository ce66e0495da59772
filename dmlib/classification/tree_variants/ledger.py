"""The variants in words and numbers: gains, sums of memberships, lines, and rows that arrive."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_variants.incremental import IncrementalTree
from dmlib.classification.tree_variants.linear_tree import LinearTree, condition
from dmlib.classification.tree_variants.oblivious import ObliviousTree
from dmlib.classification.tree_variants.plane_ledger import (
    Names,
    discriminant_words,
    programme_words,
)
from dmlib.classification.tree_variants.planes import Discriminant, Programme
from dmlib.classification.tree_variants.refitting_ledger import refitted
from dmlib.classification.tree_variants.variant import VariantStep
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short
from dmlib.problem import Problem, Query
from dmlib.trees.impurity import impurity

MAX_TERMS, MAX_LEAVES, MAX_CELLS = 6, 12, 16
LN2 = log(2)


class Narrator:
    """Captions and ledgers of the variants.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : VariantTree
        Fitted to the training samples.
    steps : sequence of VariantStep
        The whole run.
    query : Query
        The place or sample that is asked about.
    """

    def __init__(
        self, problem: Problem, model: Any, steps: Sequence[VariantStep], query: Query
    ) -> None:
        self.problem, self.model, self.steps, self.query = problem, model, steps, query
        self.classes = [problem.classes[int(code)] for code in model.classes_]
        self.terms, self.X = term_names(problem, model), model.terms_of(problem.data)
        self.soft = bool((steps[-1].tree.widths > 0).any())

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: VariantStep = moment.step
        build = {
            "start": self._start,
            "level": self._level,
            "stop": self._level,
            "split": self._split,
            "leaf": self._leaf,
            "refit": self._refit,
            "backfit": self._refit,
            "axis": self._line,
            "move": self._line,
            "solve": self._plane,
            "project": self._plane,
            "same": self._arrival,
            "grow": self._arrival,
            "revise": self._arrival,
            "done": self._done,
        }
        return build[step.phase](step)

    # --- steps ------------------------------------------------------------------------------------

    def _start(self, step: VariantStep) -> tuple[str, Blocks]:
        counts = self.steps[-1].tree.counts[0]
        best = self.classes[int(counts.argmax())]
        caption = f"All {num4(counts.sum())} rows are in the root, which predicts {best}."
        if isinstance(self.model, IncrementalTree):
            caption = f"The tree is an empty leaf; {num4(counts.sum())} rows arrive one by one."
        return caption, [
            self._counts({"rows": counts}, "Classes"),
            self._impurity(counts, "of the root"),
        ]

    def _level(self, step: VariantStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        level, test = step.node + 1, self._test(step.weights, step.threshold)
        n, p = float(step.tree.counts[0].sum()), num4(step.before)
        if step.phase == "stop":
            caption = (
                f"Level {level}: best test {test}, but p = {p} > {num4(self.model.significance)},"
                " so growth ends."
            )
        else:
            nodes = count(2**step.node, "node tests", "nodes test")
            caption = f"Level {level}: {nodes} {test}, which gains {num4(step.gain)} (p = {p})."
        blocks: Blocks = [self._ranking(step)]
        if self.model.criterion == "entropy":
            product = f"2 · {num4(n)} · 0.6931 · {num4(step.gain)}"
            statistic = num4(2 * n * LN2 * step.gain)
            blocks.append(Formula(f"G² = 2 n ln 2 · gain = {product} = {statistic}"))
        blocks.append(Formula(f"p = {p}, significance {num4(self.model.significance)}"))
        return caption, [*blocks, self._cells(step.tree)]

    def _cells(self, tree: LinearTree) -> LedgerTable:
        """Return an oblivious tree as a table of cells."""
        rows: list[list[Cell]] = []
        depth, predictions = tree.max_depth, tree.predictions
        for number, leaf in enumerate(np.flatnonzero(tree.is_leaf).tolist()):
            bits = f"{number:0{depth}b}".replace("0", "≤").replace("1", ">") if depth else "all"
            rows.append([bits, self.classes[predictions[leaf]], *map(_cell, tree.counts[leaf])])
        head = ("tests", "class", *self.classes)
        return short_table(head, rows, "Cells", max_rows=MAX_CELLS, of="cells")

    def _split(self, step: VariantStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        assert step.counts is not None
        name, test = node_name(step.node, capital=True), self._test(step.weights, step.threshold)
        sums = [num4(float(side.sum())) for side in step.counts]
        whole_node = {"node": step.counts.sum(axis=0)}
        if step.width > 0:
            w, t = num4(step.width), test.rpartition("≤ ")[2]
            caption = (
                f"{name} is split at {test} with a strip of width {w}: memberships sum to {sums[0]}"
                f" and {sums[1]}, gain {num4(step.gain)}."
            )
            sides = whole_node | {"Σ μν": step.counts[0], "Σ μ(1−ν)": step.counts[1]}
            blocks: Blocks = [
                self._counts(sides, "The two sums"),
                Formula(f"ν = min(1, max(0, ½ + (t − x) / w)) with t = {t}, w = {w}"),
            ]
        else:
            caption = (
                f"{name} is split by {test}: {sums[0]} and {sums[1]} rows, gain {num4(step.gain)}."
            )
            sides = whole_node | {"≤": step.counts[0], ">": step.counts[1]}
            blocks = [self._counts(sides, "Rows on both sides")]
        blocks.append(self._gain(step))
        if step.ranked is not None:
            blocks.append(self._ranking(step))
        elif len(self.terms) > 1:
            blocks.append(self._weights(step))
        return caption, blocks

    def _leaf(self, step: VariantStep) -> tuple[str, Blocks]:
        counts = step.tree.counts[step.node]
        n, best = float(counts.sum()), int(counts.argmax())
        caption = (
            f"{node_name(step.node, capital=True)} stays a leaf: {num4(float(counts[best]))} of"
            f" {num4(n)} are {self.classes[best]}."
        )
        blocks: Blocks = [self._counts({"rows": counts}, "Classes"), self._impurity(counts, "here")]
        if step.weights is not None:
            blocks.append(Formula(f"best gain {num4(step.gain)} < {num4(self.model.min_gain)}"))
        return caption, blocks

    def _refit(self, step: VariantStep) -> tuple[str, Blocks]:
        number = next(i for i, each in enumerate(self.steps) if each is step)
        before, n_rows = self.steps[number - 1].tree, float(step.tree.counts[0].sum())
        return refitted(step, before, self.classes, self._test, n_rows)

    def _line(self, step: VariantStep) -> tuple[str, Blocks]:
        assert step.weights is not None
        assert step.counts is not None
        name = node_name(step.node)
        test = self._test(step.weights, step.threshold)
        if step.phase == "axis":
            caption = f"The best test of one column in {name} is {test}: gain {num4(step.gain)}."
        else:
            descends = getattr(self.model, "search", "") == "coordinate_descent"
            how = "is turned" if descends else "follows the discriminant"
            rise = f"from {num4(step.before)} to {num4(step.gain)}"
            caption = f"The line of {name} {how}: the gain rises {rise}."
        sides = {"≤": step.counts[0], ">": step.counts[1]}
        return caption, [
            self._weights(step),
            self._counts(sides, "Rows on both sides"),
            self._gain(step),
        ]

    def _plane(self, step: VariantStep) -> tuple[str, Blocks]:
        """Return the words on a plane between two groups of classes."""
        assert step.rows is not None
        training, node = self.problem.training, node_name(step.node)
        labels = np.searchsorted(self.model.classes_, np.asarray(training.y)[step.rows])
        names = Names(self.terms, self.classes, training.rows[step.rows] + 1, labels)
        if isinstance(step.plane, Programme):
            X = self.model.terms_of(training.data)[step.rows]
            caption, blocks = programme_words(step.plane, X, node, names)
        else:
            assert isinstance(step.plane, Discriminant)
            caption, blocks = discriminant_words(step.plane, node, names)
        if step.counts is None:
            return f"{caption}.", blocks
        sides = {"≤": step.counts[0], ">": step.counts[1]}
        blocks += [self._counts(sides, "Rows on both sides"), self._gain(step)]
        if step.counts.sum(axis=1).min() < self.model.min_samples_leaf:
            return f"{caption}, which leaves too few rows on one side.", blocks
        return f"{caption}: gain {num4(step.gain)}.", blocks

    def _arrival(self, step: VariantStep) -> tuple[str, Blocks]:
        assert step.rows is not None
        assert self.problem.training.y is not None
        row = int(step.rows[-1])
        code = int(np.searchsorted(self.model.classes_, self.problem.training.y[row]))
        node = node_name(step.node)
        change = {
            "same": f"no test changes, and {node} counts it",
            "grow": f"{node} was a leaf and gets a test",
            "revise": f"another test is now better at {node}, and its subtree is grown anew",
        }[step.phase]
        arrival = f"Row {len(step.rows)} of {len(self.problem.training.y)} arrives"
        changes = f"{int(step.before)} of {len(step.rows)}"
        return f"{arrival}, class {self.classes[code]}: {change}.", [
            self._nodes(step),
            Formula(f"rows that changed a test so far: {changes}"),
        ]

    def _nodes(self, step: VariantStep) -> LedgerTable:
        """Return the nodes of a tree with their tests and counts."""
        tree = step.tree
        rows: list[list[Cell]] = []
        for node in range(tree.node_count):
            test = "leaf"
            if not tree.is_leaf[node]:
                test = self._test(tree.weights[node], float(tree.thresholds[node]))
            rows.append([node + 1, test, *map(_cell, tree.counts[node])])
        head = ("node", "test", *self.classes)
        return numbered_table(head, rows, "The tree", [step.node], by="node", max_rows=MAX_LEAVES)

    def _done(self, step: VariantStep) -> tuple[str, Blocks]:
        tree = step.tree
        terms = self._query_terms()
        shares, memberships = tree.predict(terms)[0], tree.memberships(terms)[0]
        best = int(shares.argmax())
        name, n_leaves = self.problem.name(self.query), count(tree.n_leaves, "leaf", "leaves")
        caption = (
            f"The tree has {n_leaves} and depth {tree.max_depth}; {name} gets {self.classes[best]}"
            f" with {percent(shares[best])}."
        )
        leaves = [int(leaf) for leaf in np.flatnonzero(tree.is_leaf & (memberships > 1e-9))]
        leaves.sort(key=lambda leaf: -memberships[leaf])
        value = tree.value[:, 0] if tree.labels is None else tree.labels
        rows: list[list[Cell]] = [
            [leaf + 1, short(memberships[leaf]), *(short(share) for share in value[leaf])]
            for leaf in leaves
        ]
        head = ("node", "membership", *self.classes)
        products = [
            f"{num4(float(memberships[leaf]))} · {num4(float(value[leaf, best]))}"
            for leaf in leaves
        ]
        mean = float(memberships[leaves] @ value[leaves, best])
        total = f"{abridged(products, MAX_TERMS)} = {num4(mean)}"
        formula = Formula(f"P({self.classes[best]}) = {total}")
        if abs(mean - shares[best]) > 1e-9:
            cut = f"without what is below 0, scaled to sum 1: {num4(float(shares[best]))}"
            formula = Formula(f"{formula.text}; {cut}")
        blocks: Blocks = [error_table(self.problem, self.model)]
        if isinstance(self.model, ObliviousTree):
            blocks.append(self._cells(tree))
        leaf_table = numbered_table(
            head, rows, "Leaves of the place", by="node", max_rows=MAX_LEAVES
        )
        return caption, [*blocks, leaf_table, formula, query_table(self.problem, self.query)]

    def _query_terms(self) -> Floats:
        terms: Floats = self.model.terms_of(self.problem.table(self.query.x[None]))
        return terms

    # --- tables -----------------------------------------------------------------------------------

    def _counts(self, columns: dict[str, Floats], title: str) -> LedgerTable:
        rows: list[list[Cell]] = [[name, *[0] * len(columns)] for name in self.problem.classes]
        for i, code in enumerate(self.model.classes_):
            cells = [_cell(values[i]) for values in columns.values()]
            rows[int(code)] = [self.problem.classes[int(code)], *cells]
        return LedgerTable(("class", *columns), rows, title, classes=True)

    def _impurity(self, counts: Floats, where: str) -> Formula:
        value = num4(float(impurity(counts, self.model.criterion)))
        return Formula(f"{self.model.criterion} {where} = {value}")

    def _gain(self, step: VariantStep) -> Formula:
        """Return the gain of a test as a formula."""
        assert step.counts is not None
        measure, total = self.model.criterion, step.counts.sum(axis=0)
        n = float(total.sum())
        terms = [
            f" − {num4(float(side.sum()))}/{num4(n)} · {num4(float(impurity(side, measure)))}"
            for side in step.counts
        ]
        return Formula(
            f"gain = {num4(float(impurity(total, measure)))}{''.join(terms)} = {num4(step.gain)}"
        )

    def _ranking(self, step: VariantStep) -> LedgerTable:
        """Return the best test of each term, the best first."""
        assert step.ranked is not None
        units = np.eye(len(self.terms))
        rows: list[list[Cell]] = []
        for i in np.argsort(-np.nan_to_num(step.ranked[:, 1], nan=-1), kind="stable").tolist():
            threshold, gain = step.ranked[i]
            if np.isfinite([threshold, gain]).all():
                rows.append([self._test(units[i], float(threshold)), short(gain)])
        emphasised = [0] if step.phase in ("level", "split") else []
        title = "Each column's best test"
        return short_table(("best test", "gain"), rows, title, emphasised, max_rows=MAX_LEAVES)

    def _test(self, weights: Floats, threshold: float) -> str:
        return condition(self.terms, weights, threshold, X=self.X)

    def _weights(self, step: VariantStep) -> LedgerTable:
        assert step.weights is not None
        order = np.argsort(-np.abs(step.weights), kind="stable")
        rows: list[list[Cell]] = [
            [self.terms[i], short(step.weights[i])] for i in order if step.weights[i] != 0
        ]
        rows.append(["threshold", short(step.threshold)])
        return short_table(("term", "weight"), rows, "The line w · x ≤ t", max_rows=MAX_LEAVES)


def term_names(problem: Problem, model: Any) -> list[str]:
    """Return the names of the terms that a fitted tree tests."""
    terms, names = model._terms, []
    for j, code in zip(terms.source, terms.value, strict=True):
        name = problem.features[j]
        names.append(name if code < 0 else f"[{name} = {problem.categories[j][code]}]")
    return names


def _cell(value: Any) -> Cell:
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 1e9 else short(number)
