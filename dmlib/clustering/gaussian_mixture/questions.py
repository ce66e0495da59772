"""Questions about EM: responsibilities, and the weights and means that follow from them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.algorithm import GaussianMixture
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.pictures.answers import Option, Place, Value
from dmlib.pictures.plane import data_panel
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_STEPS = 30  # that are asked about
MAX_ROWS = 2000
MAX_COMPONENTS = 5  # among which one is chosen as an option
MAX_DENSITIES = 3  # that are told
TINY = 1e-6  # that counts as nothing
LOWEST_DENSITY = 1e-4  # that a prompt tells
CLEAR = 2.0  # ratio of two responsibilities from which the larger is seen
REACH = 0.03  # share of an axis within which a place is the right one


class Rule(Misconception):
    """Wrong rules of EM."""

    HARD = "Each row counts only for its most probable component."
    EQUAL = "All components have the same weight."
    DENSITY = "Responsibilities are proportional to the densities, whatever the weights."
    NEAREST = "A row belongs most to the component with the nearest mean."


def questions(run: Run[Problem, GaussianMixture]) -> Iterator[Question]:
    """Yield the questions that the steps of EM answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.GaussianMixture`.

    Yields
    ------
    Question
        Before each E step and M step of the restart that is shown.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import GaussianMixture
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 2.0, 3.0, 5.0]}), ["a"])
    >>> model = GaussianMixture(2, init=[[1, 0], [0.7, 0.3], [0.4, 0.6], [0, 1]], max_iter=1)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['weight', 'responsibility', 'weight']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or len(problem.X) > MAX_ROWS:
        return
    last: GaussianMixtureStep = steps[-1]
    numbers = [i for i in range(1, len(steps)) if steps[i].restart == last.restart]
    for number in numbers[:MAX_STEPS]:
        step: GaussianMixtureStep = steps[number]
        shares = step.responsibilities
        if shares is None or step.mixture is None or shares.shape[1] < 2:
            continue
        if step.phase == "maximization" and not step.lost:
            yield from _maximization(problem, number, step, shares)
        elif step.phase == "expectation":
            yield from _expectation(problem, number, step, shares)


def _maximization(
    problem: Problem, number: int, step: GaussianMixtureStep, shares: Floats
) -> Iterator[Question]:
    n, k = shares.shape
    if shares.sum() < n - 0.5 or step.mixture is None:
        return  # single rows stand for the components at the start
    hard = np.eye(k)[shares.argmax(axis=1)]
    component = int(np.abs(hard.sum(axis=0) - shares.sum(axis=0)).argmax())
    size, weight = float(shares[:, component].sum()), float(step.mixture.weights[component])
    yield Question(
        number,
        "weight",
        f"Over all {n} rows, the responsibilities of component {component + 1} sum to "
        f"{num4(size)}. Which weight does the M step give it?",
        Value(weight, 0.01 * weight),
        f"{num4(size)} / {n} = {num4(weight)}.",
        (Wrong(Rule.HARD, float(hard[:, component].sum()) / n), Wrong(Rule.EQUAL, 1 / k)),
        "The weights of all components sum to 1.",
        about=[component],
        of="class",
    )
    if len(problem.features) == 2 and problem.plane.exact:
        yield from _mean(problem, number, step, shares)


def _mean(
    problem: Problem, number: int, step: GaussianMixtureStep, shares: Floats
) -> Iterator[Question]:
    assert step.means is not None
    hard = np.eye(shares.shape[1])[shares.argmax(axis=1)]
    sizes = hard.sum(axis=0)
    hard_means = (hard.T @ problem.X) / np.maximum(sizes, 1)[:, None]
    gaps = np.where(sizes > 0, np.linalg.norm(hard_means - step.means, axis=1), -1.0)
    component = int(gaps.argmax())
    panel = data_panel(problem)
    right, wrong = problem.plane.project(
        np.array([step.means[component], hard_means[component]])
    ).tolist()
    width, height = (REACH * panel.size).tolist()
    size, x = float(shares[:, component].sum()), float(step.means[component, 0])
    total = float(shares[:, component] @ problem.X[:, 0])
    yield Question(
        number,
        "mean",
        f"Where does the M step move the mean of component {component + 1}?",
        Place(panel, [(right[0], right[1])], reach=(width, height)),
        f"{problem.features[0]}: Σ r x / Σ r = {num4(total)} / {num4(size)} = {num4(x)}; every row "
        "counts by its responsibility.",
        (Wrong(Rule.HARD, (wrong[0], wrong[1])),),
        "The rows of other components pull as well, by their small shares.",
        about=[component],
        of="class",
    )


def _expectation(
    problem: Problem, number: int, step: GaussianMixtureStep, shares: Floats
) -> Iterator[Question]:
    assert step.mixture is not None
    joint = np.exp(step.mixture.log_joint(np.ascontiguousarray(problem.X.T))).T
    with np.errstate(divide="ignore", invalid="ignore"):
        densities = joint / step.mixture.weights
        unweighted = densities / densities.sum(axis=1, keepdims=True)
    if shares.shape[1] <= MAX_DENSITIES:
        yield from _responsibility(problem, number, step, shares, densities, unweighted)
    if 2 < shares.shape[1] <= MAX_COMPONENTS:
        yield from _most_probable(problem, number, step, shares, unweighted)


def _responsibility(
    problem: Problem,
    number: int,
    step: GaussianMixtureStep,
    shares: Floats,
    densities: Floats,
    unweighted: Floats,
) -> Iterator[Question]:
    assert step.mixture is not None
    gap = np.where(np.isfinite(unweighted), np.abs(unweighted - shares), 0.0)
    gap[(densities < LOWEST_DENSITY).sum(axis=1) >= shares.shape[1] - 1] = 0.0
    row, component = (int(i) for i in np.unravel_index(gap.argmax(), gap.shape))
    if gap[row, component] == 0:
        return
    weights, share = step.mixture.weights, float(shares[row, component])
    name = int(problem.rows[row]) + 1
    terms = [f"{num4(w)} · {_readable(d)}" for w, d in zip(weights, densities[row], strict=True)]
    yield Question(
        number,
        "responsibility",
        f"Row {name} has the densities {_listing(densities[row])} under components 1 to "
        f"{len(weights)}, whose weights are {_listing(weights)}. What is the responsibility of "
        f"component {component + 1} for it?",
        Value(share, 0.01),
        f"{terms[component]} / ({' + '.join(terms)}) = {num4(share)}.",
        (
            Wrong(Rule.DENSITY, float(unweighted[row, component])),
            Wrong(Rule.HARD, float(shares[row].argmax() == component)),
        ),
        "The responsibilities for a row sum to 1, and follow weight times density.",
        about=[name],
    )


def _most_probable(
    problem: Problem, number: int, step: GaussianMixtureStep, shares: Floats, unweighted: Floats
) -> Iterator[Question]:
    assert step.means is not None
    two = np.sort(shares, axis=1)[:, -2:]
    is_clear = two[:, 1] > CLEAR * two[:, 0]
    squares = ((problem.X[:, None] - step.means) ** 2).sum(axis=2)
    nearest, best = squares.argmin(axis=1), shares.argmax(axis=1)
    telling = is_clear & (nearest != best)
    if not telling.any():
        return
    row = int(telling.argmax())
    k, name = shares.shape[1], int(problem.rows[row]) + 1
    listing = ", ".join(
        f"{num4(share)} of component {j + 1}" for j, share in enumerate(shares[row])
    )
    distances = np.sqrt(squares[row])
    yield Question(
        number,
        "most probable",
        f"Which component has the largest responsibility for row {name} after the E step?",
        Option([f"component {j + 1}" for j in range(k)], [int(best[row])]),
        f"The responsibilities are {listing}; the mean of component {nearest[row] + 1} is nearest, "
        f"{num4(distances.min())} away, but there its weight times density is smaller.",
        (
            Wrong(Rule.NEAREST, int(nearest[row])),
            Wrong(Rule.DENSITY, int(np.nan_to_num(unweighted[row]).argmax())),
        ),
        "An ellipse shows how far a component reaches in each direction.",
        about=[name],
    )


def _listing(values: Floats) -> str:
    *first, last = map(_readable, values)  # there are at least two
    return f"{', '.join(first)} and {last}"


def _readable(value: float) -> str:
    return num4(value if value > TINY else 0.0)
