"""Questions about DBSCAN in the feature space of a kernel: a distance, and who is within ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.clustering.dbscan.algorithm import DBSCAN
from dmlib.clustering.kernel_distance import kernel_distances
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, num4, signed
from dmlib.problem import Problem

CLEAR = 0.02  # of ε, by which a distance differs from it


class KernelRule(Misconception):
    """Wrong rules of distances by a kernel."""

    PLANE = "Rows are compared by their distance in the columns."
    SQUARE = "The distance is k(x, x) − 2 k(x, y) + k(y, y), without a root."
    CROSS = "The distance leaves out one of the two k(x, y)."


def kernel_questions(run: Run[Problem, DBSCAN], number: int, row: int) -> Iterator[Question]:
    """Yield a question about the distance of a row to another one.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.DBSCAN` with a kernel as its metric.
    number : int
        The number of the step.
    row : int
        The row that is visited, or expands its cluster, by its place.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 0.0, 0.0]}), ["a", "b"])
    >>> run = Run.of(problem, DBSCAN(0.5, metric="rbf", gamma=1.0))
    >>> [question.topic for question in kernel_questions(run, 1, 0)]
    ['kernel distance']
    """
    X, eps = np.asarray(run.problem.X, float), run.model.eps
    kernel = run.model.distance(X)
    distances = kernel_distances(kernel, X)[row]
    lengths = np.linalg.norm(X - X[row], axis=1)
    is_near = distances <= eps
    # the row about which most rules are wrong, of equal ones that whose distance is next to ε
    wrong_rules = (is_near != (lengths <= eps)) * 2.0 + (is_near != (distances**2 <= eps))
    wrong_rules += 1 / (1 + np.abs(distances - eps))
    allowed = (distances > 0) & (np.abs(distances - eps) > CLEAR * eps)
    if not allowed.any():
        return
    other = int(np.where(allowed, wrong_rules, -1).argmax())
    d = float(distances[other])
    pairs = (row, row), (other, other), (row, other)
    a, b, cross = (float(kernel(X[[i]], X[[j]])[0, 0]) for i, j in pairs)
    names = [int(run.problem.rows[place]) + 1 for place in (row, other)]
    terms = f"{num4(a)} − 2 · {signed(cross, 4)} + {num4(b)}"
    situation = (
        f"Rows {names[0]} and {names[1]} are {num4(lengths[other])} apart in the columns; the"
        f" kernel is {num4(cross)} for the pair, {num4(a)} and {num4(b)} for each with itself"
    )
    if number % 4 == 1:
        yield Question(
            number,
            "kernel distance",
            f"{situation}: what is their distance in feature space?",
            Value(d, 0.01 * d),
            f"d² = k(x, x) − 2 k(x, y) + k(y, y) = {terms} = {num4(d * d)}, and d = {num4(d)}.",
            (
                Wrong(KernelRule.PLANE, float(lengths[other])),
                Wrong(KernelRule.SQUARE, d * d),
                Wrong(KernelRule.CROSS, float(np.sqrt(max(a - cross + b, 0.0)))),
            ),
            "It is the length of φ(x) − φ(y), by inner products alone.",
            about=names,
        )
        return
    yield Question(
        number,
        "within ε",
        f"{situation}: is row {names[1]} within ε = {num(eps)} of row {names[0]}?",
        Option(["Yes", "No"], [int(not is_near[other])]),
        f"d² = {terms} = {num4(d * d)}, so d = {num4(d)} {'≤' if is_near[other] else '>'}"
        f" {num(eps)}.",
        (
            Wrong(KernelRule.PLANE, int(lengths[other] > eps)),
            Wrong(KernelRule.SQUARE, int(d * d > eps)),
        ),
        "DBSCAN compares distances in feature space, which the kernel gives.",
        about=names,
    )
