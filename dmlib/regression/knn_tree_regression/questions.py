"""Questions about k-NN regression, regression trees, model trees and their ensembles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.pictures.answers import Option, Pick, Place, Value
from dmlib.pictures.data.heights import heights_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.chaid_questions import CHAID_RULES, chaid_questions
from dmlib.regression.knn_tree_regression.chaid_tree import CHAIDRegressor
from dmlib.regression.knn_tree_regression.forest import AveragedRegressor
from dmlib.regression.knn_tree_regression.growth import Growth
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor, NeighborhoodStep
from dmlib.regression.knn_tree_regression.search import Split, loss_of, measure_of
from dmlib.regression.knn_tree_regression.tree import Grown, Node, TreeStep
from dmlib.regression.regression_questions import mean_of
from dmlib.trees.tests_ledger import branch_texts

MAX_ROWS = 60  # among which some are picked
MAX_NEIGHBORS = 8  # that are picked
MAX_TERMS = 6  # of a mean that is worked out
MAX_CATEGORIES = 5  # of a column whose cut is asked for
MAX_STEPS = 12  # that are asked about
CLEAR = 1.02  # times the next decrease of the error that the best must be


class Rule(Misconception):
    """Wrong rules of trees and neighbours that predict a number."""

    MIDDLE = "A node is cut in the middle of its range."
    MEDIAN = "A node is cut so that both parts have as many rows."
    GAP = "A node is cut in the widest gap between its rows."
    MIDRANGE = "A leaf predicts the middle between its smallest and its largest target."
    DEVIATION = "The error of a leaf is the sum of absolute deviations from its mean."
    MOST_ROWS = "The leaf with the most rows is split next."


RULES = (*Rule, *CHAID_RULES)  # those of all methods


def questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of neighbours or of a tree answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.KNeighborsRegressor`, ``DecisionTreeRegressor``,
        ``ModelTree``, ``CHAIDRegressor``, ``BaggingRegressor`` or ``RandomForestRegressor``.

    Yields
    ------
    Question
        Before neighbourhoods, splits, comparisons of a subtree with a leaf, and trees that join.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 4.0, 9.0], "y": [1.0, 1.5, 5.0, 7.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> run = Run.of(problem, DecisionTreeRegressor(max_leaf_nodes=2))
    >>> [question.topic for question in questions(run)]
    ['cut', 'error']
    """
    steps = run.trace.steps
    y = np.asarray(run.problem.training.y, float)
    if isinstance(run.model, KNeighborsRegressor):
        for number in range(1, min(len(steps), MAX_STEPS + 1)):
            if steps[number].phase == "measure":
                yield from _neighborhood(run, number, steps[number], y)
        return
    if isinstance(run.model, AveragedRegressor):
        yield from _of_trees(run, y)
        return
    grown = Grown()
    for number, step in enumerate(steps[: MAX_STEPS + 1]):
        yield from chaid_questions(run, number, step)
        if step.phase == "split":
            yield from _next_leaf(run, number, step, grown)
            yield from _cut(run, number, step, grown)
            yield from _groups(run, number, step)
            yield from _value(run, number, step, y)
            yield from _error(run, number, step, y)
        elif step.phase in ("keep", "prune") and step.models:
            yield _comparison(number, step)
        grown.add(step)


# --- trees ----------------------------------------------------------------------------------------


def _names(problem: Problem, rows: Ints) -> list[int]:
    """Return the numbers of training rows, from 1."""
    return [int(number) + 1 for number in problem.training.rows[rows]]


def _cut_name(problem: Problem, split: Split) -> str:
    return f"{problem.features[split.column]} ≤ {num4(split.threshold)}"


def _next_leaf(
    run: Run[Problem, Any], number: int, step: TreeStep, grown: Grown
) -> Iterator[Question]:
    """Ask which leaf is split next, where the one with the largest decrease comes first."""
    leaves = grown.leaves()
    is_best_first = getattr(run.model, "max_leaf_nodes", None) is not None
    if not is_best_first or not 2 <= len(leaves) <= 12 or step.node not in leaves:
        return
    largest = max(leaves, key=lambda leaf: len(grown.nodes[leaf].rows))
    names = [leaf + 1 for leaf in leaves]
    node = grown.nodes[step.node]
    if len(names) < 3 and len(node.rows) == len(grown.nodes[largest].rows):
        return
    others = _decreases(run, grown, [leaf for leaf in leaves if leaf != step.node])
    yield Question(
        number,
        "next leaf",
        "Which leaf is split next?",
        Pick("node", [[step.node + 1]], among=names),
        f"Its split lowers the error by {num4(step.before - step.after)}; those of the others by "
        f"{others}.",
        (Wrong(Rule.MOST_ROWS, [largest + 1]),),
        "The split that lowers the sum of errors most comes first.",
    )


def _decreases(run: Run[Problem, Any], grown: Grown, leaves: list[int]) -> str:
    """Return by how much the best splits of leaves lower the error."""
    problem, model = run.problem, run.model
    n_values = tuple(len(problem.categories.get(j, ())) for j in range(len(problem.features)))
    growth = Growth(
        problem.training.X,
        np.asarray(problem.training.y, float),
        model.criterion,
        lambda part: True,
        model.min_samples_leaf,
        n_values=n_values,
    )
    decreases = (f"{num4(growth.decrease(grown.nodes[i]))} (node {i + 1})" for i in leaves)
    return ", ".join(decreases)


def _groups(run: Run[Problem, Any], number: int, step: TreeStep) -> Iterator[Question]:
    """Ask where the order of the categories is cut."""
    split = step.split
    if not isinstance(split, Split) or not split.test.branches:
        return
    if not 3 <= len(split.order) <= MAX_CATEGORIES:
        return
    cuts, scores = split.cuts
    best = scores >= scores.max() / CLEAR
    if best.all() or len(cuts) < 2:
        return
    name, x = run.problem.features[split.column], split.X[split.rows, split.column]
    names = [run.problem.categories[split.column][code] for code in split.order]
    centres, sizes = [], []
    for code in split.order:
        own = x == code
        shares = np.ones(own.sum()) if split.shares is None else split.shares[own]
        centres.append(loss_of(split.y[split.rows][own], measure_of(split.criterion), shares)[0])
        sizes.append(float(shares.sum()))
    listing = ", ".join(
        f"{category}: {num4(centre)} ({num4(n)})"
        for category, centre, n in zip(names, centres, sizes, strict=True)
    )
    ends = [int(cut) + 1 for cut in cuts]
    options = [f"{', '.join(names[:end])} | {', '.join(names[end:])}" for end in ends]
    gaps = [centres[end] - centres[end - 1] for end in ends]
    halves = [abs(sum(sizes[:end]) - sum(sizes[end:])) for end in ends]
    what = "median" if split.criterion == "absolute_error" else "mean"
    yield Question(
        number,
        "groups",
        f"Node {step.node + 1} is cut by {name}. The {what} of each category, with its number of "
        f"rows, is {listing}: which are its two parts?",
        Option(options, np.flatnonzero(best).tolist()),
        f"This cut saves {num4(scores.max())}, the most of {len(cuts)} in the order of the "
        f"{what}s.",
        (Wrong(Rule.GAP, int(np.argmax(gaps))), Wrong(Rule.MEDIAN, int(np.argmin(halves)))),
        "Both parts should have targets that are as equal as possible.",
        about=_names(run.problem, split.rows),
    )


def _cut(run: Run[Problem, Any], number: int, step: TreeStep, grown: Grown) -> Iterator[Question]:
    """Ask for the threshold over a single column."""
    problem, split = run.problem, step.split
    if not isinstance(split, Split) or not problem.upright or problem.plane.ticks[0]:
        return
    thresholds, scores = split.cuts
    order = np.argsort(-scores)
    if len(order) > 1 and scores[order[0]] < CLEAR * scores[order[1]]:
        return
    x = np.sort(split.X[split.rows, 0])
    x = x[~np.isnan(x)]
    gap = int(np.diff(x).argmax())
    panel = heights_panel(problem)
    bottom, width = float(panel.y.low), float(panel.size[0])
    half = len(x) // 2
    wrong = {
        Rule.MIDDLE: (x[0] + x[-1]) / 2,
        Rule.MEDIAN: (x[half - 1] + x[half]) / 2,
        Rule.GAP: (x[gap] + x[gap + 1]) / 2,
    }
    saved = num4(step.before - step.after)
    reach = max(0.5 * _room(x, split.threshold), 0.012 * width)
    yield Question(
        number,
        "cut",
        f"Where is node {step.node + 1} with its {len(x)} rows cut?",
        Place(panel, [(float(split.threshold), bottom)], form="x", reach=(reach, 1.0)),
        f"At {_cut_name(problem, split)} the error falls by {saved}, the most of "
        f"{len(thresholds)} cuts.",
        [Wrong(rule, (float(value), bottom)) for rule, value in wrong.items()],
        "Both parts should have targets that are as equal as possible.",
        about=_names(problem, grown.nodes[step.node].rows),
    )


def _room(x: Floats, threshold: float) -> float:
    """Return the width of the gap that a threshold lies in."""
    right = int(np.searchsorted(x, threshold, side="right"))
    return float(x[right] - x[right - 1]) if 0 < right < len(x) else 0.0


def _without_parts(step: TreeStep) -> list[Node]:
    """Return the new nodes that have no parts of rows."""
    return [node for node in step.nodes if node.shares is None]


def _has_means(run: Run[Problem, Any]) -> bool:
    """Return whether leaves predict means."""
    criterion = getattr(run.model, "criterion", "")
    return isinstance(run.model, CHAIDRegressor) or criterion == "squared_error"


def _value(run: Run[Problem, Any], number: int, step: TreeStep, y: Floats) -> Iterator[Question]:
    """Ask for the prediction of the smaller part of a split."""
    if not _has_means(run):
        return
    parts = [part for part in _without_parts(step) if 2 < len(part.rows) <= MAX_TERMS]
    if not parts or step.split is None:
        return
    node = max(parts, key=lambda part: len(part.rows))
    targets = y[node.rows]
    side = "right" if node is step.nodes[1] else "left"
    if isinstance(step.split, Merging):
        branch = next(i for i, part in enumerate(step.nodes) if part is node)
        side = f"“{branch_texts(step.split.test, run.problem)[branch]}”"
    listing = ", ".join(num4(value) for value in targets)
    yield Question(
        number,
        "leaf",
        f"The {side} part of node {step.node + 1} will have the targets {listing}: what does it "
        "predict?",
        Value(node.value, 0.01 * float(np.ptp(y))),
        f"Its mean, {mean_of(targets)}.",
        (Wrong(Rule.MIDRANGE, float(targets.min() + targets.max()) / 2),),
        "It is the number with the smallest squared error.",
    )


def _error(run: Run[Problem, Any], number: int, step: TreeStep, y: Floats) -> Iterator[Question]:
    """Ask for the error of a part of a split."""
    if not _has_means(run):
        return
    parts = [
        part for part in _without_parts(step) if 2 <= len(part.rows) <= MAX_TERMS and part.loss > 0
    ]
    if not parts:
        return
    node = min(parts, key=lambda part: len(part.rows))
    deviations = y[node.rows] - node.value
    listing = ", ".join(num4(value) for value in y[node.rows])
    squares = " + ".join(f"{num4(abs(value))}²" for value in deviations)
    yield Question(
        number,
        "error",
        f"A part of node {step.node + 1} will have the targets {listing}, with the mean "
        f"{num4(node.value)}: what is its SSE?",
        Value(node.loss, max(0.02 * node.loss, 1e-4)),
        f"{squares} = {num4(node.loss)}.",
        (Wrong(Rule.DEVIATION, float(np.abs(deviations).sum())),),
        "Square the deviations from the mean.",
    )


def _comparison(number: int, step: TreeStep) -> Question:
    """Ask whether a model tree keeps a subtree."""
    is_pruned = step.phase == "prune"
    return Question(
        number,
        "pruning",
        f"Node {step.node + 1} has the corrected error {num4(step.before)} as a subtree, and "
        f"{num4(step.after)} as a leaf with a line: what becomes of it?",
        Option(["it stays split", "it becomes a leaf", "its smaller part is cut off"], [is_pruned]),
        f"{num4(step.after)} {'≤' if is_pruned else '>'} {num4(step.before)}.",
        hint="The smaller corrected error counts.",
        about=[step.node + 1],
        of="node",
    )


# --- neighbours -----------------------------------------------------------------------------------


def _neighborhood(
    run: Run[Problem, Any], number: int, step: NeighborhoodStep, y: Floats
) -> Iterator[Question]:
    problem, k = run.problem, len(step.neighbors)
    X = np.asarray(problem.training.X, float)
    place = ", ".join(num4(value) for value in step.place)
    if problem.upright and k <= MAX_NEIGHBORS and k < len(X) <= MAX_ROWS:
        distances = np.linalg.norm(X - step.place, axis=1)
        if (np.isclose(distances, step.distances[-1])).sum() == 1:
            yield Question(
                number,
                "neighbours",
                f"Which {k} rows are the neighbours of the place {place}?",
                Pick("row", [_names(problem, step.neighbors)], several=True),
                f"They are at most {num4(step.distances[-1])} from it.",
                hint="Only the distance along x counts.",
            )
    if run.model.weights == "uniform" and 2 <= k <= MAX_TERMS:
        targets = y[step.neighbors]
        listing = ", ".join(num4(value) for value in targets)
        yield Question(
            number,
            "prediction",
            f"The neighbours of the place {place} have the targets {listing}: what is predicted?",
            Value(step.prediction, 0.01 * float(np.ptp(y) or 1.0)),
            f"The mean of the neighbours, {mean_of(targets)}.",
            (Wrong(Rule.MIDRANGE, float(targets.min() + targets.max()) / 2),),
            "All neighbours weigh the same.",
        )


# --- ensembles ------------------------------------------------------------------------------------


def _of_trees(run: Run[Problem, Any], y: Floats) -> Iterator[Question]:
    """Ask for the mean at the query, and for the out-of-bag prediction of a row."""
    steps = run.trace.steps
    if len(steps) < 2 or not run.trace.complete:
        return
    tolerance = 0.01 * float(np.ptp(y) or 1.0)
    at_query = run.fitted.each_predict(run.problem.table(run.current_query.x[None]))[:, 0]
    of_rows = run.fitted.each_predict(run.problem.training.data)
    for number in range(2, min(len(steps), MAX_TERMS + 1)):
        values = at_query[:number]
        listing = ", ".join(num4(value) for value in values)
        yield Question(
            number,
            "mean",
            f"At the query the {number} trees, the new one included, predict {listing}: what do "
            "they predict together?",
            Value(float(values.mean()), tolerance),
            f"Their mean, {mean_of(values)}.",
            (Wrong(Rule.MIDRANGE, float(values.min() + values.max()) / 2),),
            "All trees weigh the same.",
        )
        yield from _out_of_bag(run, number, of_rows[:number], tolerance)


def _out_of_bag(
    run: Run[Problem, Any], number: int, of_rows: Floats, tolerance: float
) -> Iterator[Question]:
    """Ask for the prediction of a row by the trees whose bags lack it."""
    n = of_rows.shape[1]
    bags = [step.bag for step in run.trace.steps[1 : number + 1]]
    is_outside = np.array([np.bincount(bag, minlength=n) == 0 for bag in bags])
    candidates = np.flatnonzero(is_outside[-1] & ~is_outside.all(axis=0))
    if not len(candidates):
        return
    row = int(candidates[0])
    own, name = of_rows[:, row], int(run.problem.training.rows[row]) + 1
    values = own[is_outside[:, row]]
    listing = ", ".join(
        f"{num4(value)} ({'out of bag' if out else 'in bag'})"
        for value, out in zip(own, is_outside[:, row], strict=True)
    )
    yield Question(
        number,
        "out of bag",
        f"For row {name} the {number} trees predict {listing}: what is its out-of-bag prediction?",
        Value(float(values.mean()), tolerance),
        f"{mean_of(values)}: only trees that were grown without the row count.",
        hint="The row is like a test row for some of the trees.",
        about=[name],
    )
