"""Questions about cascade correlation: candidates and their S, inputs, and what is trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.neural.mlp.cascade import CascadeStep, covariances
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_UNITS = 6  # that are asked about
MAX_OUTPUTS = 4  # of a sum that is worked out
CLEAR = 0.02  # by which the best candidate must exceed the next
TOLERANCE = 0.01
TRAINED = (
    "those of the outputs",
    "those of the outputs and of the new hidden unit",
    "those of the outputs and of all hidden units",
)


class CascadeRule(Misconception):
    """Wrong rules of cascade correlation."""

    ALONG = "A unit that varies against the error is of no use: only sums above 0 count."
    LAYER = "All hidden units form one layer, which is fed with the columns alone."
    CHAIN = "A hidden unit is fed with the unit before it alone."
    BACKPROPAGATION = (
        "The outputs are trained together with all hidden units, as by backpropagation."
    )


def cascade_questions(run: Run[Problem, Any]) -> Iterator[Question]:
    """Ask for the correlation of the best candidates, and for those that become units.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.CascadeCorrelationClassifier`.
    """
    steps = run.trace.steps
    yield from _growth(run)
    numbers = [i for i, step in enumerate(steps) if step.phase == "install"]
    for number in numbers[:MAX_UNITS]:
        by_outputs = covariances(run.model, run.problem.training, steps[number - 1])
        if by_outputs.shape[1] > MAX_OUTPUTS:
            return
        S = np.abs(by_outputs).sum(axis=1)
        order = np.argsort(-S, kind="stable")
        clear = [k for k in order[1:].tolist() if S[k] < (1 - CLEAR) * S[order[0]]]
        if clear:
            best = int(order[0])
            signs = np.sign(by_outputs[:, 0])
            rival = next((k for k in clear if signs[k] != signs[best]), clear[0])
            yield _candidate(number, by_outputs, sorted([best, rival]), best)
        if by_outputs.shape[1] > 1:
            yield _correlation(number, by_outputs[order[-1]], int(order[-1]))


def _growth(run: Run[Problem, Any]) -> Iterator[Question]:
    """Ask for the inputs of the candidates of each pool, and what is trained after the second."""
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if 0 < step.n_units <= MAX_UNITS and (before.phase, step.phase) == (
            "outputs",
            "candidates",
        ):
            yield _inputs(number, step)
        elif step.n_units == 2 and (before.phase, step.phase) == ("install", "outputs"):
            yield _trained(number, step, before)


def _inputs(number: int, step: CascadeStep) -> Question:
    p, h = len(step.coefs[0]), step.n_units
    units, columns = count(h, "hidden unit", "hidden units"), count(p, "column", "columns")
    n_inputs = len(step.candidates[0])
    return Question(
        number,
        "inputs",
        f"The network has {columns} and {units}: how many inputs has each of the new candidates,"
        " its intercept not counted?",
        Value(n_inputs),
        f"Candidates are fed with the columns and all hidden units: {p} + {h} = {n_inputs}.",
        (Wrong(CascadeRule.LAYER, p), Wrong(CascadeRule.CHAIN, 1)),
        "Each unit is a layer of its own.",
    )


def _trained(number: int, step: CascadeStep, before: CascadeStep) -> Question:
    moves = [
        not np.array_equal(W, V) for W, V in zip(step.coefs[:-1], before.coefs[:-1], strict=True)
    ]
    return Question(
        number,
        "trained weights",
        f"Hidden unit {step.n_units} has been installed: which weights change in the epochs that"
        " follow?",
        Option(list(TRAINED), [2 if any(moves[:-1]) else int(moves[-1])]),
        "The weights of hidden units are frozen; the outputs learn on one input more.",
        (Wrong(CascadeRule.BACKPROPAGATION, 2),),
        "It is why nothing has to go back through hidden units.",
    )


def _listed(values: Any) -> str:
    return " and ".join(num4(value) for value in values)


def _candidate(number: int, sums: Any, pair: list[int], best: int) -> Question:
    along = np.maximum(sums[pair], 0).sum(axis=1)
    covariance = "Σ (V − V̄)(E − Ē)" + (" for each output" if sums.shape[1] > 1 else "")
    parts = "; ".join(f"{_listed(sums[k])} of candidate {k + 1}" for k in pair)
    totals = [f"{num4(np.abs(sums[k]).sum())} of candidate {k + 1}" for k in pair]
    return Question(
        number,
        "candidate",
        f"{covariance} is {parts}: which of the two becomes a hidden unit?",
        Option([f"Candidate {k + 1}" for k in pair], [pair.index(best)]),
        f"S is the sum of the absolute values: {' and '.join(totals)}.",
        (Wrong(CascadeRule.ALONG, int(along.argmax())),),
        hint="A unit that varies against the error helps as much as one that varies with it.",
    )


def _correlation(number: int, sums: Any, candidate: int) -> Question:
    S = float(np.abs(sums).sum())
    terms = " + ".join(f"|{num4(value)}|" for value in sums)
    return Question(
        number,
        "correlation",
        f"Of candidate {candidate + 1}, Σ (V − V̄)(E − Ē) is {_listed(sums)}, output by output:"
        " what is its S?",
        Value(S, max(TOLERANCE * S, 1e-9)),
        f"S = {terms} = {num4(S)}.",
        (Wrong(CascadeRule.ALONG, float(np.maximum(sums, 0).sum())),),
        hint="Signs do not matter: the output weights can turn a unit round.",
    )
