"""Questions about Bayesian networks: edges of the tree, parents, tables, and products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.algorithm import BayesianNetworkClassifier
from dmlib.classification.bayesian_network.bayesian_network_step import (
    BayesianNetworkStep,
    InferenceStep,
)
from dmlib.classification.bayesian_network.exact_inference import ExactInference
from dmlib.classification.bayesian_network.inference_questions import (
    InferenceRule,
    inference_questions,
)
from dmlib.classification.bayesian_network.tree import conditional_mutual_information, path_between
from dmlib.classification.class_questions import best, first_of
from dmlib.classification.columns import Columns
from dmlib.classification.conditionals import prior_estimates
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_CLASSES = 4  # whose shares are computed by hand
MAX_LISTED = 4  # pairs whose information is told
MAX_PAIRS = 45  # of columns, whose information is compared with that over all rows
TOLERANCE = 0.01
VERDICTS = (
    "it becomes an edge",
    "it is rejected: the two are connected already",
    "it is rejected: it has too little information",
)


class Rule(Misconception):
    """Wrong rules of Bayesian networks."""

    STRONG = "The pair with the most information left becomes an edge, connected or not."
    WEAK = "A pair with little information is rejected."
    UPWARDS = "Edges point towards the root."
    CLASS_ONLY = "The table of a column depends on the class alone."
    PARENT_ONLY = "A column as a parent takes the place of the class."
    NUMERATOR = "Laplace smoothing adds to the rows with the value, and not to those of the state."
    MARGINAL = (
        "The pair with the most information over all rows is the next edge, without the class."
    )


RULES = (*Rule, *InferenceRule)
"""Those of both methods."""


def questions(run: Run[Any, Any]) -> Iterator[Question]:
    """Yield the questions that the steps of a Bayesian network answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.BayesianNetworkClassifier` or
        :class:`dmlib.classification.ExactInference`.

    Yields
    ------
    Question
        Before verdicts on edges, directions, tables and products.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> question = prepare_network(load("sprinkler").nodes, "rain", {"wet_grass": "yes"})
    >>> [each.topic for each in questions(Run.of(question, ExactInference()))]
    ['independence', 'factors', 'factors', 'probability']
    """
    is_given = isinstance(run.model, ExactInference)
    of_steps = inference_questions if is_given else _of_classifier
    yield from first_of(of_steps(run))


def _of_classifier(run: Run[Problem, BayesianNetworkClassifier]) -> Iterator[Question]:
    learning = [step for step in run.trace.steps if isinstance(step, BayesianNetworkStep)]
    if len(learning) == len(run.trace.steps):
        return
    for number, step in enumerate(learning[1:], 1):
        if step.phase in ("connect", "reject"):
            next_edge = list(_next_edge(run, number, learning))
            yield from next_edge or _verdict(run, number, step, learning[number - 1])
        elif step.phase == "direct":
            yield from _parent(run, number, step)
        elif step.phase == "count":
            yield from _estimate(run, number, step)
    query = run.problem.table(run.current_query.x[None])
    inference = list(run.fitted.explain_steps(query))
    for i in range(1, len(inference)):
        step_of_row, before = inference[i], inference[i - 1]
        if step_of_row.phase == "multiply" and step_of_row.factor.shape[1] == 1:
            yield from _share(run, len(learning) + i, step_of_row, before)


def _verdict(
    run: Run[Problem, BayesianNetworkClassifier],
    number: int,
    step: BayesianNetworkStep,
    before: BayesianNetworkStep,
) -> Iterator[Question]:
    assert step.pair is not None
    features, names = run.problem.features, _pair_name(run, step)
    edges = [f"{features[a]} – {features[b]}" for a, b in before.edges]
    so_far = f"Edges so far: {', '.join(edges)}. " if edges else "There is no edge so far. "
    is_edge = step.phase == "connect"
    proof = (
        f"No path connects {names.replace(' – ', ' and ')}, and a spanning tree needs each column."
    )
    if not is_edge:
        path = " – ".join(features[j] for j in path_between(before.edges, *step.pair))
        proof = f"The path {path} connects them: one more edge would close a cycle."
    wrong = [Wrong(Rule.WEAK, 2)] if is_edge else [Wrong(Rule.STRONG, 0)]
    yield Question(
        number,
        "edge",
        f"{so_far}Next is {names}, with {num4(step.information)} bits: what becomes of it?",
        Option(VERDICTS, [0 if is_edge else 1]),
        proof,
        wrong,
        "Look for a path between the two.",
    )


def _next_edge(
    run: Run[Problem, BayesianNetworkClassifier],
    number: int,
    learning: Sequence[BayesianNetworkStep],
) -> Iterator[Question]:
    """Ask which pair is the next edge, where information over all rows prefers another one."""
    seen = {step.pair for step in learning[:number] if step.phase != "measure"}
    left = [
        step
        for step in learning
        if step.phase == "measure" and step.pair is not None and step.pair not in seen
    ]
    if learning[number].phase != "connect" or not 1 < len(left) <= MAX_PAIRS:
        return
    given = np.array([step.information for step in left])
    over_all = _information_over_all_rows(run, left)
    right, preferred = best(given), best(over_all)
    if len(right) > 1 or len(preferred) > 1 or right == preferred:
        return
    places = dict.fromkeys([*right, *preferred, *np.argsort(-given, kind="stable").tolist()])
    options = sorted(list(places)[:MAX_LISTED])
    names = {i: _pair_name(run, left[i]) for i in options}
    listing = "; ".join(
        f"{name} {num4(over_all[i])} and {num4(given[i])}" for i, name in names.items()
    )
    yield Question(
        number,
        "next edge",
        f"Pairs left, with their bits over all rows and given the class: {listing}. "
        "Which is the next edge?",
        Option([*names.values()], [options.index(right[0])]),
        f"Given the class, {names[right[0]]} has {num4(given[right[0]])} bits and "
        f"{names[preferred[0]]} {num4(given[preferred[0]])}.",
        [Wrong(Rule.MARGINAL, options.index(preferred[0]))],
        "The class is already a parent of every column.",
    )


def _pair_name(run: Run[Problem, BayesianNetworkClassifier], step: BayesianNetworkStep) -> str:
    return " – ".join(run.problem.features[j] for j in step.pair or ())


def _information_over_all_rows(
    run: Run[Problem, BayesianNetworkClassifier], steps: Sequence[BayesianNetworkStep]
) -> Floats:
    """Return the mutual information of the pairs of some steps, without the class."""
    matrix = Columns.read(run.problem.training.data)[1]
    tables = zip(run.fitted.tables_, matrix.T, strict=True)
    codes = [table.coding.codes(column) for table, column in tables]
    alike = np.zeros(len(matrix), np.intp)
    pairs = [step.pair for step in steps if step.pair is not None]
    return np.array([conditional_mutual_information(codes[i], codes[j], alike) for i, j in pairs])


def _parent(
    run: Run[Problem, BayesianNetworkClassifier], number: int, step: BayesianNetworkStep
) -> Iterator[Question]:
    """Yield the question for the parent of a column that has a parent and a child."""
    features = run.problem.features
    degrees = {
        j: [b if a == j else a for a, b in step.edges if j in (a, b)] for j in range(len(features))
    }
    inner = [j for j, parent in enumerate(step.parents) if parent >= 0 and len(degrees[j]) > 1]
    if not inner:
        return
    child = inner[0]
    others = [j for j in degrees[child] if j != step.parents[child]]
    options = sorted([step.parents[child], *others][: MAX_OPTIONS - 1])
    root = step.parents.index(-1)
    path = " – ".join(features[j] for j in path_between(step.edges, root, child))
    yield Question(
        number,
        "parent",
        f"The root is {features[root]}: which parent does {features[child]} get besides the class?",
        Option([*(features[j] for j in options), "none"], [options.index(step.parents[child])]),
        f"Edges lead away from the root: the path to it is {path}.",
        [Wrong(Rule.UPWARDS, options.index(j)) for j in others[:1] if j in options],
        "Follow the edges from the root.",
    )


def _estimate(
    run: Run[Problem, BayesianNetworkClassifier], number: int, step: BayesianNetworkStep
) -> Iterator[Question]:
    table, model = step.tables[-1], run.fitted
    counts = table.counts
    if table.parent is None or not counts.sum():
        return
    n_values = counts.shape[2]
    p = prior_estimates(counts.reshape(-1, n_values), model.m_prior)
    added = model.laplace + model.m_estimate * p
    total = model.laplace * n_values + model.m_estimate

    def smoothed(part: Floats) -> Floats:
        sums = part.sum(axis=-1, keepdims=True) + total
        shares: Floats = np.divide(part + added, sums, out=np.zeros_like(part), where=sums > 0)
        return shares

    by_class = np.broadcast_to(smoothed(counts.sum(axis=1))[:, None], counts.shape)
    by_parent = np.broadcast_to(smoothed(counts.sum(axis=0))[None], counts.shape)
    right = table.probabilities
    gaps = np.minimum(np.abs(by_class - right), np.abs(by_parent - right))
    gaps = np.where((counts.sum(axis=2) > 0)[:, :, None], gaps, -1.0)
    c, state, value = np.unravel_index(gaps.argmax(), gaps.shape)
    n, size = counts[c, state, value], counts[c, state].sum()
    name, parent = _names(run)[c], f"{table.parent.name} = {table.parent.values[state]}"
    event = f"{table.coding.name} = {table.coding.values[value]}"
    smoothing = (
        f" Smoothing adds {num4(added[value])} to this count and {num4(total)} to all."
        if total
        else ""
    )
    fraction = f"({num4(n)} + {num4(added[value])}) / ({num4(size)} + {num4(total)})"
    n_class, n_parent = counts[c].sum(), counts[:, state].sum()
    yield Question(
        number,
        "estimate",
        f"Of {num4(size)} rows with {name} and {parent}, {num4(n)} have {event}; of {num4(n_class)}"
        f" with {name}, {num4(counts[c, :, value].sum())}; of {num4(n_parent)} with {parent}, "
        f"{num4(counts[:, state, value].sum())}.{smoothing} What is the entry of the table for "
        f"{event}, given {name} and {parent}?",
        Value(float(right[c, state, value]), TOLERANCE),
        f"It is {fraction if total else f'{num4(n)} / {num4(size)}'} = "
        f"{num4(right[c, state, value])}.",
        [
            Wrong(Rule.CLASS_ONLY, float(by_class[c, state, value])),
            Wrong(Rule.PARENT_ONLY, float(by_parent[c, state, value])),
            Wrong(Rule.NUMERATOR, float((n + added[value]) / size)),
        ],
        "The condition names all parents.",
    )


def _share(
    run: Run[Problem, BayesianNetworkClassifier],
    number: int,
    step: InferenceStep,
    before: InferenceStep,
) -> Iterator[Question]:
    shares, factors, names = before.posterior, step.factor[:, 0], _names(run)
    products = shares * factors
    if len(names) > MAX_CLASSES or not 0 < products.sum() < np.inf:
        return
    c = int(np.argmax(np.abs(products / products.sum() - products)))
    so_far = ", ".join(f"{num4(a)} for {name}" for a, name in zip(shares, names, strict=True))
    listing = ", ".join(f"{num4(b)} for {name}" for b, name in zip(factors, names, strict=True))
    terms = " + ".join(f"{num4(a)} · {num4(b)}" for a, b in zip(shares, factors, strict=True))
    right = float(step.posterior[c])
    event = f"{run.problem.features[step.attribute or 0]} = {step.value}"
    yield Question(
        number,
        "share",
        f"The probabilities so far are {so_far}; {event} has the factors {listing}. "
        f"What is the probability of {names[c]} then?",
        Value(right, TOLERANCE),
        f"{num4(shares[c])} · {num4(factors[c])} / ({terms}) = {num4(right)}.",
        [Wrong(InferenceRule.UNDIVIDED, float(products[c]))],
        "Multiply for each class, then divide by the sum.",
        hides=("Raster",),
    )


def _names(run: Run[Problem, BayesianNetworkClassifier]) -> list[str]:
    return [run.problem.classes[code] for code in run.fitted.classes_]
