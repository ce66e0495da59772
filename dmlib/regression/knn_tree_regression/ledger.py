"""Captions and ledgers of neighbourhoods, splits and pruning steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.algorithm import DecisionTreeRegressor
from dmlib.regression.knn_tree_regression.chaid_ledger import split_words, stop_words
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.model_tree import PENALTIES, ModelTree, factor
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor, NeighborhoodStep
from dmlib.regression.knn_tree_regression.search import Split
from dmlib.regression.knn_tree_regression.split_ledger import (
    condition_text,
    cuts_table,
    missing_text,
    n_rows,
    way,
)
from dmlib.regression.knn_tree_regression.tree import Grown, Node, TreeStep

TERMS = 5  # of a sum
LINES = 12  # of a table


class NeighborsNarrator:
    """Captions and ledgers of k-NN; ``selected`` is the row that the reader clicked."""

    def __init__(self, problem: Problem, model: KNeighborsRegressor, selected: int | None) -> None:
        self.problem = problem
        self.training = problem.training
        self.model = model
        self.selected = selected

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: NeighborhoodStep = moment.step
        y = np.asarray(self.training.y, float)
        if step.phase == "store":
            k = self.model.n_neighbors
            mean = Formula(f"k = {k} of n = {len(y)} rows; their mean is {num4(y.mean())}")
            ledger: Blocks = [mean]
        else:
            ledger = [self._neighbors(step, y), *self._mean(step, y)]
        return self._caption(step, len(y)), [*ledger, *self._selected()]

    def _caption(self, step: NeighborhoodStep, n_rows: int) -> str:
        if step.phase == "store":
            return f"{count(n_rows, 'row is', 'rows are')} stored; there is no further training."
        if step.phase == "done":
            r2 = NO_R2 if np.isnan(self.model.r2_) else f"R² {num4(self.model.r2_)}"
            errors = f"SSE of the stored rows {num4(self.model.sse_)}, {r2}"
            return f"Done: the mean of the {self._nearest()} at every place; {errors}."
        place = f"Place {step.number} of {step.n_places}"
        return f"{place}: the {self._nearest()} predict {num4(step.prediction)}."

    def _nearest(self) -> str:
        k = self.model.n_neighbors
        return "nearest row" if k == 1 else f"{k} nearest rows"

    def _neighbors(self, step: NeighborhoodStep, y: Floats) -> LedgerTable:
        rows = [
            (int(self.training.rows[i]) + 1, short(d), short(w), short(y[i]))
            for i, d, w in zip(step.neighbors, step.distances, step.weights, strict=True)
        ]
        place = ", ".join(num4(x) for x in step.place[:4]) + (", …" if len(step.place) > 4 else "")
        head = ("row", "distance", "w", "y")
        return numbered_table(head, rows, f"Nearest to {place}", max_rows=LINES)

    def _mean(self, step: NeighborhoodStep, y: Floats) -> Blocks:
        targets = y[step.neighbors]
        total = float(step.weights.sum())
        if self.model.weights == "uniform":
            terms = abridged([signed(t, 4) for t in targets], TERMS)
            return [Formula(f"ŷ = Σ y / k = ({terms}) / {len(targets)} = {num4(step.prediction)}")]
        pairs = zip(step.weights, targets, strict=True)
        terms = abridged([f"{num4(w)}·{signed(t, 4)}" for w, t in pairs], TERMS)
        product = num4(step.weights @ targets)
        return [
            Formula(f"Σ w y = {terms} = {product}"),
            Formula(f"ŷ = Σ w y / Σ w = {product} / {num4(total)} = {num4(step.prediction)}"),
        ]

    def _selected(self) -> Blocks:
        if self.selected is None:
            return []
        i = self.selected
        fitted = float(self.model.predict(self.problem.X[i : i + 1])[0])
        observed = float(np.asarray(self.problem.y)[i])
        residual = _residual(observed, fitted)
        return [Formula(f"row {self.problem.rows[i] + 1}: {residual}")]


def _residual(observed: float, fitted: float) -> str:
    return f"y − ŷ = {num4(observed)} − {signed(fitted, 4)} = {num4(observed - fitted)}"


class TreeNarrator:
    """Captions and ledgers of a regression tree.

    Parameters
    ----------
    run : Run
        The run.
    query : ndarray of shape (n_features,) or None
        The place that is asked about.
    """

    def __init__(self, run: Run[Problem, Any], query: Floats | None) -> None:
        self.run = run
        self.query = query
        self.features = run.problem.features
        self.model_tree = isinstance(run.model, ModelTree)
        is_tree = isinstance(run.model, DecisionTreeRegressor)
        absolute = is_tree and run.model.criterion == "absolute_error"
        self.error, self.centre = ("SAE", "median") if absolute else ("SSE", "mean")

    def caption_and_ledger(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step that has led to a tree."""
        build = {
            "root": self._root,
            "split": self._split,
            "stop": self._stop,
            "keep": self._corrected_errors,
            "prune": self._corrected_errors if self.model_tree else self._cost_complexity,
            "smooth": self._smooth,
            "done": self._done,
        }
        caption, ledger = build[step.phase](step, tree)
        return caption, [*ledger, *self._query(tree)]

    def _root(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        n, value = len(tree.nodes[0].rows), num4(tree.nodes[0].value)
        caption = f"One leaf for all {n} rows predicts their {self.centre}, {value}."
        return caption, [Formula(f"{self.error} = Σ {self._deviation(value)} = {num4(step.total)}")]

    def _deviation(self, value: str) -> str:
        return f"|y − {value}|" if self.error == "SAE" else f"(y − {value})²"

    def _split(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        if isinstance(step.split, Merging):
            return split_words(step, step.split, tree, self.run.problem)
        assert step.split is not None
        node = tree.nodes[step.node]
        left_part, right_part = step.nodes
        test = condition_text(step.split, self.run.problem)
        change = changes(f"the {self.error} of its rows", short(step.before), short(step.after))
        rows = [
            (part.number + 1, side, n_rows(part), short(part.value), short(part.loss))
            for part, side in ((node, "all"), (left_part, "left"), (right_part, "right"))
        ]
        head = ("node", "part", "n", self.centre, self.error)
        table = LedgerTable(head, rows, f"Node {step.node + 1}: {test}", by="node")
        losses = f"{num4(step.before)} − ({num4(left_part.loss)} + {num4(right_part.loss)})"
        saved = num4(step.before - step.after)
        missing = missing_text(step.split, self.error)
        ledger: Blocks = [table, Formula(f"{self.error} saved = {losses} = {saved}"), *missing]
        if self.model_tree:
            ledger.append(self._deviations(node, step))
        score = "reduced by" if self.model_tree else "saved"
        ledger.append(cuts_table(step.split, self.run.problem, score, self.centre))
        n = num(node.size) if node.shares is None else num4(node.size)
        return f"{test} cuts {n} {'row' if n == '1' else 'rows'} in two; {change}.", ledger

    def _stop(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        return stop_words(step, step.split, self.run.model.alpha_split, self.run.problem)

    def _deviations(self, node: Node, step: TreeStep) -> Formula:
        assert isinstance(step.split, Split)
        power, name = 0.5, "sd"
        if self.run.model.criterion == "weka":
            power, name = 0.2, "var^⅕"
        n = len(node.rows)

        def spread(part: Node) -> str:
            return num4((part.loss / len(part.rows)) ** power)

        terms = [f"{len(part.rows)}/{n}·{spread(part)}" for part in step.nodes]
        score = num4(step.split.score)
        return Formula(f"{name} reduced = {' − '.join([spread(node), *terms])} = {score}")

    def _cost_complexity(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        n = len(tree.nodes[0].rows)
        rise = f"the {self.error} rises by {num4(step.after - step.before)}, with fewer leaves"
        subtree = f"{self.error} of the subtree {num4(step.before)}"
        price = f"{num4(step.price)} ≤ α = {num4(self.run.model.ccp_alpha)}"
        leaves = count(step.n_leaves, "leaf", "leaves")
        return f"Node {step.node + 1} becomes a leaf: {rise}.", [
            Formula(f"{subtree}, as a leaf {num4(step.after)}; n = {n}"),
            Formula(f"cost per leaf = rise / (n · leaves saved) = {price}"),
            Formula(f"{self.error} of the tree = {num4(step.total)} with {leaves}"),
        ]

    def _corrected_errors(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        verdict, sign = "stays split", ">"
        if step.phase == "prune":
            verdict, sign = "becomes a leaf with its line", "≤"
        leaf, subtree = num4(step.after), num4(step.before)
        line = step.models[step.node]
        penalty = PENALTIES[self.run.model.criterion]
        n_parameters = int((line[1:] != 0).sum()) + 1
        correction = factor(len(tree.nodes[step.node].rows), n_parameters, penalty)
        formula = f"(n+{'v' if penalty == 1 else '2v'})/(n−v)"
        rmse = num4(step.after / correction)
        return f"Node {step.node + 1} {verdict}: corrected error {leaf} {sign} {subtree}.", [
            Formula(f"line: ŷ = {self._line(line)}"),
            Formula(f"as a leaf: RMSE·{formula} = {rmse}·{num4(correction)} = {leaf}"),
            Formula(f"as a subtree, with all its lines: {subtree}"),
        ]

    def _line(self, line: Floats) -> str:
        terms = [
            f"{signed(b, 4)} {name}" for name, b in zip(self.features, line[1:], strict=True) if b
        ]
        return abridged([num4(line[0]), *terms], TERMS + 1)

    def _smooth(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        change = changes("SSE", short(step.before), short(step.after))
        caption = (
            f"Each leaf's line is smoothed with those above it; {change} on the training rows."
        )
        k = num4(self.run.model.smoothing)
        return caption, [Formula(f"p ← (n p + k q) / (n + k), k = {k}"), self._leaves(tree)]

    def _leaves(self, tree: Grown) -> LedgerTable:
        rows = []
        for number in tree.leaves():
            node = tree.nodes[number]
            prediction = self._line(tree.models[number]) if tree.models else num4(node.value)
            rows.append((number + 1, n_rows(node), prediction))
        title = "Leaves" + (f" (the first {LINES} of {len(rows)})" if len(rows) > LINES else "")
        return LedgerTable(("node", "n", "predicts"), rows[:LINES], title, by="node")

    def _done(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        leaves = count(step.n_leaves, "leaf", "leaves")
        r2 = self.run.fitted.r2_
        r2 = NO_R2 if np.isnan(r2) else f"R² {num4(r2)}"
        ledger: Blocks = [self._leaves(tree)]
        if any(tree.nodes[leaf].shares is not None for leaf in tree.leaves()):
            sse = num4(self.run.fitted.sse_)
            ledger.append(Formula(f"rows in several leaves have their mean: Σ (y − ŷ)² = {sse}"))
        return f"Done: {leaves} with {self.error} {num4(step.total)}, {r2}.", ledger

    def _query(self, tree: Grown) -> Blocks:
        """Return the path of the query through the tree, and the residual of a selected row."""
        if self.query is None:
            return []
        fitted = float(tree.predict(self.query[None])[0])
        ledger: Blocks = [Formula(way(self.run, tree, self.query))]
        if self.run.selected is not None:
            observed = float(np.asarray(self.run.problem.y)[self.run.selected])
            ledger.append(Formula(_residual(observed, fitted)))
        return ledger
