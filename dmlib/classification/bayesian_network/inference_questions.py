"""Questions about exact inference: who is independent, which factors are multiplied, the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx

from dmlib.classification.bayesian_network.exact_inference import (
    ExactInference,
    ExactInferenceStep,
    independent_nodes,
)
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import NetworkProblem

MAX_NODES = 12  # that are not observed, of which independent ones are picked
TOLERANCE = 0.01
BLOCKED = "by an observed node, or where two arrows meet and nothing there or below is observed"


class InferenceRule(Misconception):
    """Wrong rules of inference in a network."""

    UNDIVIDED = "The product is the probability: it need not be divided by the sum of all products."
    ALL = "All factors that are left are multiplied before a variable is summed out."
    OWN = "Only its own table is needed to sum a variable out."
    COLLIDER = "What is observed blocks a path, also where two arrows meet."
    OPEN = "A path lets influence through as long as no node on it is observed."


def inference_questions(run: Run[NetworkProblem, ExactInference]) -> Iterator[Question]:
    """Yield the questions that the steps of exact inference answer.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> problem = prepare_network(load("burglary").nodes, "burglary", {"alarm": "yes"})
    >>> [each.topic for each in inference_questions(Run.of(problem, ExactInference()))][:2]
    ['independence', 'factors']
    """
    if not run.trace.complete:
        return
    steps: Sequence[ExactInferenceStep] = run.trace.steps
    for number, step in enumerate(steps[1:], 1):
        if step.phase == "observe":
            yield from _independence(run.problem, number)
        elif step.phase == "eliminate":
            yield _factors(number, step, steps[number - 1])
        elif step.phase == "normalise":
            yield from _probability(run.problem, number, step)


def _independence(problem: NetworkProblem, number: int) -> Iterator[Question]:
    """Ask which nodes the evidence d-separates from the target."""
    target, names, evidence = problem.target, problem.names, problem.evidence
    unknown = [name for name in names if name != target and name not in evidence]
    if not 2 <= len(unknown) <= MAX_NODES:
        return

    def numbers(chosen: Sequence[str]) -> list[int]:
        return [names.index(name) + 1 for name in chosen]

    right = independent_nodes(problem)
    graph = nx.DiGraph([(names[parent], names[child]) for parent, child in problem.edges])
    graph.add_nodes_from(names)
    remaining = graph.subgraph([target, *unknown])
    without_meeting = [
        name for name in unknown if nx.is_d_separator(remaining, {target}, {name}, set())
    ]
    connected = nx.node_connected_component(remaining.to_undirected(), target)
    observed = ", ".join(f"{name} = {value}" for name, value in evidence.items()) or "nothing"
    yield Question(
        number,
        "independence",
        f"Observed: {observed}. Which of the other nodes are independent of {target} then?",
        Pick(
            "node",
            [numbers(right)],
            among=numbers(unknown),
            several=True,
            names={names.index(name) + 1: name for name in unknown},
        ),
        _paths(right, [name for name in unknown if name not in right]),
        (
            Wrong(
                InferenceRule.COLLIDER,
                numbers(without_meeting),
                "Where two arrows meet, what is observed there or below opens the path.",
            ),
            Wrong(
                InferenceRule.OPEN,
                numbers([name for name in unknown if name not in connected]),
                "Where two arrows meet, a path is blocked unless something there or below is "
                "observed.",
            ),
        ),
        "Follow each path, and look for nodes in which two arrows meet.",
    )


def _paths(independent: Sequence[str], dependent: Sequence[str]) -> str:
    """Return to which nodes paths are open, and to which all are blocked."""
    is_open = f"A path is open to {', '.join(dependent)}"
    is_blocked = f"very path to {', '.join(independent)} is blocked: {BLOCKED}."
    if not independent:
        return f"{is_open}."
    return f"{is_open}; e{is_blocked}" if dependent else f"E{is_blocked}"


def _factors(number: int, step: ExactInferenceStep, before: ExactInferenceStep) -> Question:
    """Ask how many factors are multiplied before a variable is summed out."""
    n_all, variable = len(before.factors), step.variable
    others = [factor.name for factor in before.factors if variable not in factor.variables]
    return Question(
        number,
        "factors",
        f"Next, {variable} is summed out: how many factors are multiplied before?",
        Value(float(len(step.used))),
        f"These contain it: {', '.join(factor.name for factor in step.used)}.",
        (
            Wrong(
                InferenceRule.ALL,
                float(n_all),
                f"{', '.join(others)}: without {variable}, they stand before the sum.",
            ),
            Wrong(InferenceRule.OWN, 1.0),
        ),
        "Look for the factors in which it occurs.",
    )


def _probability(
    problem: NetworkProblem, number: int, step: ExactInferenceStep
) -> Iterator[Question]:
    """Ask for the probability of the target's first value, from the products."""
    assert step.result is not None
    assert step.weights is not None
    weights = step.result.table
    values: Sequence[Any] = problem.by_name[problem.target].values
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
        [Wrong(InferenceRule.UNDIVIDED, float(weights[0]))],
        "The probabilities of all values sum to 1.",
        hides=("shares.Rects",),
    )
