"""The arithmetic of a neighbourhood, a split and a pruning step."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.model_tree import PENALTIES, ModelTree, factor
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor, NeighborhoodStep
from dmlib.regression.knn_tree_regression.search import Split
from dmlib.regression.knn_tree_regression.tree import Grown, Node, TreeStep
from dmlib.trees.threshold_text import threshold_text

TERMS = 5  # of a sum
LINES = 12  # of a table


class NeighborsNarrator:
    """Captions and ledgers of k-NN; ``selected`` is the row that the reader clicked."""

    def __init__(self, problem: Problem, model: KNeighborsRegressor, selected: int | None) -> None:
        self.problem, self.model, self.selected = problem, model, selected
        self.training = problem.training

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: NeighborhoodStep = now.step
        y = np.asarray(self.training.y, float)
        if step.phase == "store":
            mean = (
                f"k = {self.model.n_neighbors} of n = {len(y)} rows; their mean is {num4(y.mean())}"
            )
            blocks: Blocks = [Formula(mean)]
        else:
            blocks = [self._neighbors(step, y), *self._mean(step, y)]
        return self._caption(step, len(y)), [*blocks, *self._selected()]

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
        return numbered_table(
            ("row", "distance", "w", "y"), rows, f"Nearest to {place}", most=LINES
        )

    def _mean(self, step: NeighborhoodStep, y: Floats) -> Blocks:
        targets = y[step.neighbors]
        total = float(step.weights.sum())
        if self.model.weights == "uniform":
            terms = few([signed(t, 4) for t in targets], TERMS)
            return [Formula(f"ŷ = Σ y / k = ({terms}) / {len(targets)} = {num4(step.prediction)}")]
        terms = few(
            [f"{num4(w)}·{signed(t, 4)}" for w, t in zip(step.weights, targets, strict=True)], TERMS
        )
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
        residual = num4(observed - fitted)
        return [
            Formula(
                f"row {self.problem.rows[i] + 1}: y − ŷ = {num4(observed)} − {signed(fitted, 4)} ="
                f" {residual}"
            )
        ]


class TreeNarrator:
    """Captions and ledgers of a regression tree.

    Parameters
    ----------
    run : Run
        The run.
    query : ndarray of shape (n_features,) or None
        The place that is asked about.
    """

    def __init__(self, run: Run, query: Floats | None) -> None:
        self.run, self.query = run, query
        self.features = run.problem.features
        self.model_tree = isinstance(run.model, ModelTree)
        absolute = getattr(run.model, "criterion", "") == "absolute_error"
        self.error, self.centre = ("SAE", "median") if absolute else ("SSE", "mean")

    def tell(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step, after which there is a tree."""
        build = {
            "root": self._root,
            "split": self._split,
            "keep": self._pruning,
            "prune": self._pruning,
            "smooth": self._smooth,
            "done": self._done,
        }
        caption, blocks = build[step.phase](step, tree)
        return caption, [*blocks, *self._query(tree)]

    def _root(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        n, value = len(tree.nodes[0].rows), num4(tree.nodes[0].value)
        caption = f"One leaf for all {n} rows predicts their {self.centre}, {value}."
        return caption, [Formula(f"{self.error} = Σ {self._deviation(value)} = {num4(step.total)}")]

    def _deviation(self, value: str) -> str:
        return f"|y − {value}|" if self.error == "SAE" else f"(y − {value})²"

    def _test(self, step: TreeStep) -> str:
        assert step.split is not None
        return f"{self.features[step.split.column]} ≤ {self._cut(step.split)}"

    def _cut(self, split: Split) -> str:
        """Return a threshold, with digits that tell the values of its column apart."""
        return threshold_text(split.threshold, self.run.problem.X[:, split.column], 4).replace(
            "-", "−"
        )

    def _split(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        assert step.split is not None
        left, right = step.made
        test, node = self._test(step), tree.nodes[step.node]
        falls = changes(f"the {self.error} of its rows", short(step.before), short(step.after))
        rows = [
            self._row(each, side)
            for each, side in ((node, "all"), (left, "left"), (right, "right"))
        ]
        table = LedgerTable(
            ("node", "part", "n", self.centre, self.error),
            rows,
            f"Node {step.node + 1}: {test}",
            by="node",
        )
        sums = (
            f"{num4(step.before)} − ({num4(left.loss)} + {num4(right.loss)}) ="
            f" {num4(step.before - step.after)}"
        )
        blocks: Blocks = [table, Formula(f"{self.error} saved = {sums}")]
        if self.model_tree:
            blocks.append(self._deviations(node, left, right, step.split.score))
        blocks.append(self._best_cuts(step))
        return f"{test} cuts {count(len(node.rows), 'row', 'rows')} in two; {falls}.", blocks

    def _row(self, node: Node, side: str) -> tuple[int, str, int, float, float]:
        return node.number + 1, side, len(node.rows), short(node.value), short(node.loss)

    def _deviations(self, node: Node, left: Node, right: Node, score: float) -> Formula:
        weka = self.run.model.criterion == "weka"
        power, name = (0.2, "var^⅕") if weka else (0.5, "sd")
        size = [(each.loss / len(each.rows)) ** power for each in (node, left, right)]
        shares = [
            f"{len(each.rows)}/{len(node.rows)}·{num4(v)}"
            for each, v in ((left, size[1]), (right, size[2]))
        ]
        return Formula(
            f"{name} reduced = {num4(size[0])} − {shares[0]} − {shares[1]} = {num4(score)}"
        )

    def _best_cuts(self, step: TreeStep) -> LedgerTable:
        split = step.split
        assert split is not None
        thresholds, scores = split.cuts
        order = np.argsort(-scores, kind="stable")[:4]
        what = "reduced by" if self.model_tree else "saved"
        name, x = self.features[split.column], self.run.problem.X[:, split.column]
        rows = [(name, float(threshold_text(thresholds[i], x, 4)), short(scores[i])) for i in order]
        at = [int(i) for i, j in enumerate(order) if thresholds[j] == split.threshold]
        return LedgerTable(("column", "cut at", what), rows, "The best cuts of this column", at)

    def _pruning(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        node = tree.nodes[step.node]
        if not self.model_tree:
            n = len(tree.nodes[0].rows)
            saved = step.after - step.before
            rise = f"the {self.error} rises by {num4(saved)}, with fewer leaves"
            caption = f"Node {step.node + 1} becomes a leaf: {rise}."
            alpha, own = num4(step.price), num4(self.run.model.ccp_alpha)
            return caption, [
                Formula(
                    f"{self.error} of the subtree {num4(step.before)}, as a leaf"
                    f" {num4(step.after)}; n = {n}"
                ),
                Formula(f"cost per leaf = rise / (n · leaves saved) = {alpha} ≤ α = {own}"),
                Formula(
                    f"{self.error} of the tree = {num4(step.total)} with"
                    f" {count(step.n_leaves, 'leaf', 'leaves')}"
                ),
            ]
        verdict = "becomes a leaf with its line" if step.phase == "prune" else "stays split"
        sign = "≤" if step.phase == "prune" else ">"
        caption = (
            f"Node {step.node + 1} {verdict}: corrected error {num4(step.after)} {sign}"
            f" {num4(step.before)}."
        )
        n, line = len(node.rows), step.models[step.node]
        v, penalty = int((line[1:] != 0).sum()) + 1, PENALTIES[self.run.model.criterion]
        times, corrected = factor(n, v, penalty), f"(n+{'v' if penalty == 1 else '2v'})/(n−v)"
        return caption, [
            Formula(f"line: ŷ = {self._line(line)}"),
            Formula(
                f"as a leaf: RMSE·{corrected} = {num4(step.after / times)}·{num4(times)} ="
                f" {num4(step.after)}"
            ),
            Formula(f"as a subtree, with all its lines: {num4(step.before)}"),
        ]

    def _line(self, line: Floats) -> str:
        terms = [
            f"{signed(b, 4)} {name}" for name, b in zip(self.features, line[1:], strict=True) if b
        ]
        return few([num4(line[0]), *terms], TERMS + 1)

    def _smooth(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        changed = changes("SSE", short(step.before), short(step.after))
        caption = (
            f"Each leaf's line is smoothed with those above it; {changed} on the training rows."
        )
        k = num4(self.run.model.smoothing)
        return caption, [Formula(f"p ← (n p + k q) / (n + k), k = {k}"), self._leaves(tree)]

    def _leaves(self, tree: Grown) -> LedgerTable:
        rows = []
        for number in tree.leaves():
            node = tree.nodes[number]
            prediction = self._line(tree.models[number]) if tree.models else num4(node.value)
            rows.append((number + 1, len(node.rows), prediction))
        title = "Leaves" + (f" (the first {LINES} of {len(rows)})" if len(rows) > LINES else "")
        return LedgerTable(("node", "n", "predicts"), rows[:LINES], title, by="node")

    def _done(self, step: TreeStep, tree: Grown) -> tuple[str, Blocks]:
        model, n = self.run.fitted, count(step.n_leaves, "leaf", "leaves")
        r2 = NO_R2 if np.isnan(model.r2_) else f"R² {num4(model.r2_)}"
        return f"Done: {n} with {self.error} {num4(step.total)}, {r2}.", [self._leaves(tree)]

    def _query(self, tree: Grown) -> Blocks:
        """Return the path of the query through the tree, and the residual of the row that was clicked."""
        if self.query is None:
            return []
        number, tests = 0, []
        while number in tree.children:
            split = tree.splits[number]
            value = self.query[split.column]
            left = value <= split.threshold
            relation = "≤" if left else ">"
            tests.append(
                f"{self.features[split.column]} = {num4(value)} {relation} {self._cut(split)}"
            )
            number = tree.children[number][0 if left else 1]
        path = few(tests, TERMS, ", ") or "no test"
        fitted = float(tree.predict(self.query[None])[0])
        blocks: Blocks = [
            Formula(
                f"{self.run.problem.name(self.run.asked)}: {path}: node {number + 1}, ŷ ="
                f" {num4(fitted)}"
            )
        ]
        i = self.run.selected
        if i is not None:
            observed = float(np.asarray(self.run.problem.y)[i])
            blocks.append(
                Formula(
                    f"y − ŷ = {num4(observed)} − {signed(fitted, 4)} = {num4(observed - fitted)}"
                )
            )
        return blocks
