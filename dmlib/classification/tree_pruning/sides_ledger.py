"""Both sides of a comparison with the numbers put in, method by method."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2

from dmlib.arrays import Floats
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.critical import inner_nodes
from dmlib.classification.tree_pruning.cutting import Comparison, Cutting, is_no_larger
from dmlib.classification.tree_pruning.estimates import (
    chi_squared,
    data_bits,
    expected_counts,
    name_bits,
    split_bits,
)
from dmlib.classification.tree_pruning.message_length import (
    arities,
    class_bits,
    columns_left,
    structure_bits,
)
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem
from dmlib.trees.best_splits import worth
from dmlib.trees.cost_complexity import leaf_costs
from dmlib.trees.error_based import SLACK, added_errors
from dmlib.trees.split_ledger import SCORES, score_texts
from dmlib.trees.splits import Candidate
from dmlib.trees.tree import Tree

MAX_PARTS, MAX_TERMS, MAX_LINKS = 12, 6, 12


MEASURES = {
    "reduced_error": "errors on the pruning set",
    "minimum_error": "expected error",
    "pessimistic": "corrected errors",
    "mdl": "bits",
}
"""The names of what some methods compare."""


class Sides:
    """Both sides of the comparisons of a method.

    Parameters
    ----------
    problem : Problem
        The data, which give the names.
    model : PrunedTreeClassifier
        Fitted.
    grown : Tree
        The grown tree.
    alpha : float
        The largest cost per leaf of links that are pruned.
    """

    def __init__(
        self, problem: Problem, model: PrunedTreeClassifier, grown: Tree, alpha: float
    ) -> None:
        self.problem, self.model, self.grown, self.alpha = problem, model, grown, alpha
        self.names = [problem.classes[int(code)] for code in model.classes_]
        self.cutting = Cutting(grown)
        self.method: str = model.method

    def reason(self, comparison: Comparison) -> str:
        """Return both sides for a caption."""
        leaf, subtree = num4(comparison.leaf_side), num4(comparison.subtree_side)
        is_leaf_enough = is_no_larger(comparison.leaf_side, comparison.subtree_side)
        relation = "≤" if is_leaf_enough else ">"
        if self.method == "cost_complexity":
            return f"g = {leaf} {relation} α = {subtree}"
        if self.method in ("chi2", "critical_value"):
            return self._reason_of_split(comparison)
        if self.method == "error_based":
            return self._reason_of_estimates(comparison)
        if self.method == "optimal":
            if not comparison.reason:
                return "a leaf is all that it gets"
            return f"{leaf} errors as a leaf, {subtree} in the best tree, and {comparison.reason}"
        measure = MEASURES[self.method]
        return f"{leaf} {measure} as a leaf {relation} {subtree} with its subtree"

    def _reason_of_split(self, comparison: Comparison) -> str:
        """Return how the value of a split compares with the critical value, and those below it."""
        value, critical = comparison.leaf_side, comparison.subtree_side
        if self.method == "chi2":
            name, relation, low = "χ² =", ">", "≤"
            is_low = is_no_larger(value, critical)
        else:
            name, relation, low = SCORES[self.model.criterion], "≥", "<"
            is_low = not is_no_larger(critical, value)
        exception = f", but {comparison.reason}" if comparison.reason and is_low else ""
        sides = f"{num4(value)} {low if is_low else relation} {num4(critical)}"
        return f"{name} {sides}, the critical value{exception}"

    def _reason_of_estimates(self, comparison: Comparison) -> str:
        leaf, subtree = num4(comparison.leaf_side), num4(comparison.subtree_side)
        if comparison.reason:
            return f"{leaf} training errors as a leaf, no more than the {subtree} of its subtree"
        if comparison.action == "raise":
            branch = num4(float(comparison.measures[1]))
            return f"{branch} expected errors, against {subtree} of its subtree"
        return f"{leaf} expected errors as a leaf, {subtree} with its subtree"

    def ledger(self, comparison: Comparison, before: Tree) -> Blocks:
        """Return the tables and formulas of a comparison, of the tree before it."""
        build = {
            "cost_complexity": self._cost_complexity,
            "reduced_error": self._errors,
            "minimum_error": self._minimum_error,
            "pessimistic": self._pessimistic,
            "error_based": self._estimates,
            "mdl": self._bits,
            "optimal": self._optimal,
            "chi2": self._chi2,
            "critical_value": self._critical_value,
        }[self.method]
        return [*build(comparison, before), self._counts(comparison.node)]

    # --- tables -----------------------------------------------------------------------------------

    def _sides(
        self,
        comparison: Comparison,
        measure: str,
        names: tuple[str, str] = ("as a leaf", "with its subtree"),
    ) -> LedgerTable:
        emphasised = {"prune": [0], "keep": [1], "raise": []}[comparison.action]
        node = node_name(int(self.grown.numbers[comparison.node]), capital=True)
        values = _digits(comparison.leaf_side), _digits(comparison.subtree_side)
        rows = list(zip(names, values, strict=True))
        return LedgerTable((node, measure), rows, "Both sides", emphasised)

    def _parts(self, comparison: Comparison, head: str, title: str) -> LedgerTable:
        rows = []
        for node, measure in zip(comparison.parts, comparison.measures, strict=True):
            number, size = int(self.grown.numbers[node]) + 1, float(self.cutting.sizes[node])
            rows.append([number, _digits(size), _digits(float(measure))])
        return numbered_table(("node", "rows", head), rows, title, by="node", max_rows=MAX_PARTS)

    def _counts(self, node: int) -> LedgerTable:
        rows: list[list[Cell]] = [[name, 0] for name in self.problem.classes]
        for code, weight in zip(self.model.classes_, self.grown.counts[node], strict=True):
            rows[int(code)] = [self.problem.classes[int(code)], _digits(float(weight))]
        title = f"Growing rows in {node_name(int(self.grown.numbers[node]))}"
        return LedgerTable(("class", "rows"), rows, title, classes=True)

    def _sum(self, values: Floats) -> str:
        return abridged([num4(float(value)) for value in values], MAX_TERMS)

    # --- the methods ------------------------------------------------------------------------------

    def _cost_complexity(self, comparison: Comparison, before: Tree) -> Blocks:
        costs = leaf_costs(self.grown, self.model.cost)
        own, below = float(costs[comparison.node]), float(comparison.measures.sum())
        n, sizes = len(comparison.parts), self.cutting.sizes
        cost = "impurity" if self.model.cost == "impurity" else "error"
        n_rows, n_all = float(sizes[comparison.node]), float(sizes[0])
        product = f"{num4(n_rows)}/{num4(n_all)} · {num4(own * n_all / n_rows)}"
        subtree = f"{self._sum(comparison.measures)} = {num4(below)}"
        quotient, g = f"({num4(own)} − {num4(below)}) / {n - 1}", num4(comparison.leaf_side)
        return [
            self._sides(comparison, "α", ("error per leaf saved, g", "complexity parameter α")),
            Formula(f"R(leaf) = rows · {cost} = {product} = {num4(own)}"),
            Formula(f"R(subtree) = {subtree}, {count(n, 'leaf', 'leaves')}"),
            Formula(f"g = (R(leaf) − R(subtree)) / (leaves − 1) = {quotient} = {g}"),
            self._links(before, costs),
        ]

    def _links(self, before: Tree, costs: Floats) -> LedgerTable:
        """Return g of all inner nodes of a tree, the weakest link first."""
        place = {number: at for at, number in enumerate(self.grown.numbers.tolist())}
        at = np.array([place[number] for number in before.numbers.tolist()], np.intp)
        below, leaves = costs[at].copy(), np.ones(before.node_count)
        for node in range(before.node_count - 1, -1, -1):
            children = before.children[node][before.children[node] >= 0]
            if len(children):
                below[node], leaves[node] = below[children].sum(), leaves[children].sum()
        inner = np.flatnonzero(~before.is_leaf)
        g = (costs[at][inner] - below[inner]) / (leaves[inner] - 1)
        rows: list[list[Cell]] = []
        for i in np.argsort(g, kind="stable"):
            node = inner[i]
            number, n_leaves = int(before.numbers[node]) + 1, int(leaves[node])
            sides = _digits(float(costs[at][node])), _digits(float(below[node]))
            rows.append([number, *sides, n_leaves, _digits(max(float(g[i]), 0.0))])
        head = ("node", "R(leaf)", "R(subtree)", "leaves", "g")
        title = "All links, the weakest first"
        return numbered_table(head, rows, title, [0], by="node", max_rows=MAX_LINKS)

    def _errors(self, comparison: Comparison, before: Tree) -> Blocks:
        name = self.names[int(self.grown.predictions[comparison.node])]
        leaf = f"{num4(comparison.leaf_side)} errors on the pruning set"
        title = "Its leaves: growing rows, errors on the pruning set"
        return [
            self._sides(comparison, "errors"),
            Formula(f"as a leaf it predicts {name}: {leaf}"),
            Formula(f"subtree: {self._sum(comparison.measures)} = {num4(comparison.subtree_side)}"),
            self._parts(comparison, "errors", title),
        ]

    def _minimum_error(self, comparison: Comparison, before: Tree) -> Blocks:
        counts, m = self.grown.counts[comparison.node], self.model.m
        priors = self.grown.counts[0] / self.grown.counts[0].sum()
        best, n = int((counts + m * priors).argmax()), float(counts.sum())
        above = f"{num4(float(counts[best]))} + {num4(m)} · {num4(float(priors[best]))}"
        sizes = self.cutting.sizes[comparison.parts]
        parts = zip(sizes, comparison.measures, strict=True)
        terms = [f"{num4(float(size))}/{num4(n)} · {num4(float(error))}" for size, error in parts]
        leaf = f"1 − ({above}) / ({num4(n)} + {num4(m)}) = {num4(comparison.leaf_side)}"
        return [
            self._sides(comparison, "expected error"),
            Formula(f"leaf = 1 − (n_c + m p_c) / (n + m) = {leaf}"),
            Formula(f"subtree = {abridged(terms, MAX_TERMS)} = {num4(comparison.subtree_side)}"),
            self._parts(comparison, "expected error", "Its branches"),
        ]

    def _pessimistic(self, comparison: Comparison, before: Tree) -> Blocks:
        n, leaves = float(self.cutting.sizes[comparison.node]), len(comparison.parts)
        leaf, allowed = comparison.leaf_side, comparison.subtree_side
        omega = self.model.leaf_penalty
        below = float(comparison.measures.sum()) + omega * leaves
        spread = float(np.sqrt(max(below * (n - below), 0.0) / n))
        variance = f"{num4(below)} · ({num4(n)} − {num4(below)}) / {num4(n)}"
        margin = f"{num4(self.model.standard_errors)} · {num4(spread)}"
        errors = num4(float(comparison.measures.sum()))
        corrected = f"{errors} + {num4(omega)} · {leaves} = {num4(below)}"
        return [
            self._sides(comparison, "errors"),
            Formula(f"leaf = errors + Ω = {num4(leaf - omega)} + {num4(omega)} = {num4(leaf)}"),
            Formula(f"subtree = errors + Ω · leaves = {corrected}"),
            Formula(f"SE = √(e (n − e) / n) = √({variance}) = {num4(spread)}"),
            Formula(f"allowed = {num4(below)} + {margin} = {num4(allowed)}"),
            self._parts(comparison, "errors", "Its leaves"),
        ]

    def _estimates(self, comparison: Comparison, before: Tree) -> Blocks:
        if comparison.reason:
            return [
                self._sides(comparison, "training errors"),
                Formula("a leaf with no more errors replaces its subtree at once"),
            ]
        subtree, branch = (float(value) for value in comparison.measures)
        name = node_name(int(self.grown.numbers[comparison.node]), capital=True)
        rows = [
            ("as a leaf", _digits(comparison.leaf_side)),
            ("with its subtree", _digits(subtree)),
        ]
        rows.append(("with its largest branch instead", _digits(branch)))
        emphasised = {"prune": [0], "keep": [1], "raise": [2]}[comparison.action]
        blocks: Blocks = [LedgerTable((name, "expected errors"), rows, "All sides", emphasised)]
        place = {number: at for at, number in enumerate(before.numbers.tolist())}
        number = int(self.grown.numbers[comparison.node])
        if number in place:
            counts, cf = before.counts[place[number]], self.model.confidence
            n, errors = float(counts.sum()), float(counts.sum() - counts.max())
            added = added_errors(n, errors, cf)
            total = f"{num4(errors)} + {num4(added)} = {num4(errors + added)}"
            blocks.append(Formula(f"leaf = errors + U(n, errors; {num4(cf)}) = {total}"))
        tolerance = f"a simpler tree is accepted with up to {SLACK:g} more expected errors"
        return [*blocks, Formula(tolerance)]

    def _bits(self, comparison: Comparison, before: Tree) -> Blocks:
        split = self.grown.splits.split(comparison.node)
        assert split is not None
        counts = self.grown.counts[comparison.node]
        if self.model.encoding == "names":
            return self._names(comparison, counts)
        if self.model.encoding == "mml":
            return self._message(comparison, counts)
        cost = split_bits(split, float(counts.sum()), self.model.n_features_in_)
        terms = f"{num4(cost)} + {self._sum(comparison.measures)}"
        data = num4(data_bits(counts))
        return [
            self._sides(comparison, "bits"),
            Formula(f"leaf = 1 + bits of the classes = 1 + {data} = {num4(comparison.leaf_side)}"),
            Formula(
                f"subtree = 1 + split + branches = 1 + {terms} = {num4(comparison.subtree_side)}"
            ),
            self._parts(comparison, "bits", "Its branches"),
        ]

    def _names(self, comparison: Comparison, counts: Floats) -> Blocks:
        """Return both sides where names alone are coded."""
        m, k, n = self.model.n_features_in_, len(counts), num4(float(self.cutting.sizes[0]))
        errors, of_error = float(counts.sum() - counts.max()), name_bits(self.cutting.sizes[0])
        leaf = f"{name_bits(k)} + {num4(errors)} · {of_error} = {num4(comparison.leaf_side)}"
        terms = f"{name_bits(m)} + {self._sum(comparison.measures)}"
        return [
            self._sides(comparison, "bits"),
            Formula(f"leaf = ⌈log₂ {k}⌉ + errors · ⌈log₂ {n}⌉ = {leaf}"),
            Formula(f"subtree = ⌈log₂ {m}⌉ + branches = {terms} = {num4(comparison.subtree_side)}"),
            self._parts(comparison, "bits", "Its branches"),
        ]

    def _message(self, comparison: Comparison, counts: Floats) -> Blocks:
        """Return the lengths of both messages by the code of Wallace and Patrick."""
        node, n, k = comparison.node, float(counts.sum()), len(counts)
        arity = int(arities(self.grown)[node])
        as_leaf, as_split = structure_bits(arity)
        classes, leaf = class_bits(counts), num4(comparison.leaf_side)
        test = comparison.subtree_side - as_split - float(comparison.measures.sum())
        n_columns = int(columns_left(self.grown, self.model.n_features_in_)[node])
        cells = " · ".join(f"{num4(float(count))}!" for count in counts[counts > 1][:MAX_TERMS])
        dots = " · …" if (counts > 1).sum() > MAX_TERMS else ""
        factorials = f"{num4(n + k - 1)}! / ({k - 1}!{cells and ' · '}{cells}{dots})"
        parent = f"a branch of {arity}: split with probability 1/{arity}" if arity else "one bit"
        return [
            self._sides(comparison, "bits"),
            Formula(f"structure: {parent}; leaf {num4(as_leaf)} bits, split {num4(as_split)}"),
            Formula(f"classes = log₂ [(n + k − 1)! / ((k − 1)! Π n_c!)] = log₂ [{factorials}]"),
            Formula(f"leaf = structure + classes = {num4(as_leaf)} + {num4(classes)} = {leaf}"),
            Formula(f"test = column among {n_columns}, and its cut or groups = {num4(test)}"),
            Formula(
                f"subtree = structure + test + branches = {num4(as_split)} + {num4(test)} + "
                f"{self._sum(comparison.measures)} = {num4(comparison.subtree_side)}"
            ),
            self._parts(comparison, "bits", "Its branches"),
        ]

    def _optimal(self, comparison: Comparison, before: Tree) -> Blocks:
        blocks: Blocks = [self._sides(comparison, "errors")]
        if comparison.node == 0:
            n, accuracy = float(self.cutting.sizes[0]), self.model.accuracy
            product = f"(1 − {num4(accuracy)}) · {num4(n)}"
            blocks.append(Formula(f"allowed errors = {product} = {num4((1 - accuracy) * n)}"))
        if comparison.reason:
            total = f"{self._sum(comparison.measures)} = {num4(comparison.subtree_side)}"
            blocks.append(Formula(f"minimum errors = {total}: {comparison.reason}"))
            blocks.append(self._parts(comparison, "errors", "Its branches with their leaves"))
        return blocks

    def _chi2(self, comparison: Comparison, before: Tree) -> Blocks:
        observed = self.grown.counts[comparison.parts]
        statistic, freedom = chi_squared(observed)
        p = float(chi2.sf(statistic, freedom)) if freedom else 1.0
        expected = expected_counts(observed) if observed.sum() > 0 else observed
        rows: list[list[Cell]] = []
        for node, *counts in zip(comparison.parts, observed, expected, strict=True):
            pairs = zip(*counts, strict=True)
            cells = [f"{num4(float(o))} ({num4(float(e))})" for o, e in pairs]
            rows.append([int(self.grown.numbers[node]) + 1, *cells])
        title = "Observed and (expected) rows"
        table = numbered_table(("node", *self.names), rows, title, by="node", max_rows=MAX_PARTS)
        degrees = count(freedom, "degree", "degrees")
        return [
            self._sides(comparison, "χ²", ("statistic", "critical value")),
            Formula(f"χ² = Σ (o − e)² / e = {num4(statistic)}, {degrees} of freedom"),
            Formula(f"p = {num4(p)}, significance {num4(self.model.significance)}"),
            *([Formula(f"kept: {comparison.reason}")] if comparison.reason else []),
            table,
        ]

    def _critical_value(self, comparison: Comparison, before: Tree) -> Blocks:
        criterion, node = self.model.criterion, comparison.node
        counts, value = self.grown.counts[comparison.parts], comparison.leaf_side
        split = self.grown.splits.split(node)
        assert split is not None
        score, gain = (float(values[0]) for values in worth(counts[:, :, None], 0.0, criterion))
        known = f"of the rows that have {self.problem.features[split.column]}"
        lines = [f"{SCORES[criterion]} while the tree grew, {known}: {num4(value)}"]
        if np.isclose(score, value):  # no row of the node lacked the value
            lines = score_texts(Candidate(split, score, gain, counts), criterion)
        return [
            self._sides(comparison, SCORES[criterion], ("of its split", "critical value")),
            *map(Formula, lines),
            *([Formula(f"kept: {comparison.reason}")] if comparison.reason else []),
            self._values_below(comparison),
        ]

    def _values_below(self, comparison: Comparison) -> LedgerTable:
        """Return the values of all splits in a subtree of the grown tree, the largest first."""
        scores = self.grown.scores
        assert scores is not None
        nodes = inner_nodes(self.grown, comparison.node)
        below = nodes[np.argsort(-scores[nodes], kind="stable")]
        rows = [[int(self.grown.numbers[i]) + 1, _digits(float(scores[i]))] for i in below]
        critical, head = comparison.subtree_side, ("node", SCORES[self.model.criterion])
        reaching = [at for at, i in enumerate(below) if is_no_larger(critical, float(scores[i]))]
        title = "Its split and those below it, the best first"
        return numbered_table(head, rows, title, reaching, by="node", max_rows=MAX_PARTS)


def _digits(value: float) -> Cell:
    return int(value) if float(value).is_integer() and abs(value) < 1e9 else float(f"{value:.4g}")
