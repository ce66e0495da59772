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
from dmlib.classification.bayesian_network.tree import path_between
from dmlib.classification.class_questions import first_of
from dmlib.classification.conditionals import prior_estimates
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import NetworkProblem, Problem

MAX_CLASSES = 4  # whose shares are computed by hand
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
    UNDIVIDED = "The product is the probability: it need not be divided by the sum of all products."


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
    ['factors', 'factors', 'probability']
    """
    of_steps = _of_inference if isinstance(run.model, ExactInference) else _of_classifier
    yield from first_of(of_steps(run))


def _of_classifier(run: Run[Problem, BayesianNetworkClassifier]) -> Iterator[Question]:
    learning = [step for step in run.trace.steps if isinstance(step, BayesianNetworkStep)]
    if len(learning) == len(run.trace.steps):
        return
    for number, step in enumerate(learning[1:], 1):
        if step.phase in ("connect", "reject"):
            yield from _verdict(run, number, step, learning[number - 1])
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
    features = run.problem.features
    names = " – ".join(features[j] for j in step.pair)
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
        [Wrong(Rule.UNDIVIDED, float(products[c]))],
        "Multiply for each class, then divide by the sum.",
        hides=("Raster",),
    )


def _of_inference(run: Run[NetworkProblem, ExactInference]) -> Iterator[Question]:
    if not run.trace.complete:
        return
    steps = run.trace.steps
    for number, step in enumerate(steps[1:], 1):
        if step.phase == "eliminate":
            yield Question(
                number,
                "factors",
                f"Next, {step.variable} is summed out: how many factors are multiplied before?",
                Value(float(len(step.used))),
                f"These contain it: {', '.join(factor.name for factor in step.used)}.",
                hint="Look for the factors in which it occurs.",
            )
        elif step.phase == "normalise":
            yield from _probability(run.problem, number, step)


def _probability(problem: NetworkProblem, number: int, step: Any) -> Iterator[Question]:
    weights = step.result.table
    values: Sequence[str] = problem.by_name[problem.target].values
    terms = " + ".join(num4(weight) for weight in weights)
    listing = ", ".join(
        f"{num4(weight)} for {value}" for weight, value in zip(weights, values, strict=True)
    )
    yield Question(
        number,
        "probability",
        f"The products are {listing}. What is the probability of {problem.target} = {values[0]}, "
        "given the evidence?",
        Value(float(step.weights[0]), TOLERANCE),
        f"{num4(weights[0])} / ({terms}) = {num4(step.weights[0])}.",
        [Wrong(Rule.UNDIVIDED, float(weights[0]))],
        "The probabilities of all values sum to 1.",
        hides=("shares.Rects",),
    )


def _names(run: Run[Problem, BayesianNetworkClassifier]) -> list[str]:
    return [run.problem.classes[code] for code in run.fitted.classes_]
