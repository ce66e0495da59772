"""Questions about missing values: which rows give a value, and what is imputed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.answers import Option, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel
from dmlib.pictures.words import num4, signed
from dmlib.preprocessing.missing_values.algorithm import Imputer, ImputerStep
from dmlib.preprocessing.missing_values.cloud_scene import Cloud
from dmlib.preprocessing.missing_values.scene import filled_codes, pair_of
from dmlib.problem import Problem

MAX_EARLY = 2  # imputed values of a column before which its known values are counted
MAX_STEPS = 30
MAX_ROWS = 20  # among which neighbours are looked for by eye
MAX_TERMS = 8  # values of a mean that is worked out by hand
MAX_SETS = 12  # of neighbours that are equally near
MAX_OPTIONS = 4


class Rule(Misconception):
    """Wrong rules of imputation."""

    DONORS = "Rows that miss the value themselves count, too."
    SERIAL = "Values that were imputed before count like known ones."
    MEAN = "A missing value becomes the mean of its column."
    NEAREST = "The value of the single nearest row is copied."
    LAST = "A missing value becomes the last known value above it."


def questions(run: Run[Problem, Imputer]) -> Iterator[Question]:
    """Yield the questions that the steps of an imputer answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.preprocessing.Imputer`.

    Yields
    ------
    Question
        Before missing values are imputed, or rows left out.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [1.0, 2.0, 4.0, 7.0], "b": [2.0, None, 6.0, 9.0]})
    >>> problem = prepare(table, ["a", "b"], holes="keep")
    >>> [question.topic for question in questions(Run.of(problem, Imputer(n_neighbors=2)))]
    ['known values', 'neighbours']
    """
    steps = run.trace.steps
    if not run.trace.complete:
        return
    for number in range(1, min(len(steps), MAX_STEPS)):
        step = steps[number]
        is_early = _filled_before(run, number, step.column) < MAX_EARLY
        if is_early and step.phase in ("statistic", "neighbours", "draw"):
            yield _known_values(run, number, step)
        if step.phase == "neighbours":
            # The values of the neighbours would tell who they are: only one of both is asked.
            of_rows = list(_neighbours(run, number, step)) if number % 2 else []
            yield from of_rows or _value(run, number, step)
        if step.phase in ("statistic", "regress"):
            yield from _value(run, number, step)
        elif step.phase == "own":
            yield from _own_category(run.problem, number, step)
        elif step.phase == "leave":
            yield from _left_out(run.problem, number, step)
        elif step.phase == "done" and run.model.strategy == "mean":
            yield from _spread(run, number)


def _known_values(run: Run[Problem, Imputer], number: int, step: ImputerStep) -> Question:
    x, name = run.problem.X[:, step.column], run.problem.features[step.column]
    known, n_filled = int(np.isfinite(x).sum()), _filled_before(run, number, step.column)
    label = int(run.problem.rows[step.row]) + 1
    n_missing = len(x) - known
    what = f"on how many values does the one that row {label} gets depend"
    if step.phase == "draw":
        what = f"from how many values is the one of row {label} drawn"
        if run.model.strategy != "sample" and step.column not in run.problem.categories:
            what = f"to how many values is the distribution of the draw for row {label} fitted"
    elif step.phase == "neighbours":
        what = f"among how many rows are the neighbours of row {label} looked for"
    return Question(
        number,
        "known values",
        f"{name} is missing in {n_missing} of {len(x)} rows: {what}?",
        Value(known),
        f"Only rows that know {name} count: {len(x)} − {n_missing} = {known}.",
        (
            Wrong(Rule.SERIAL, known + n_filled, "All values come from the table as it was."),
            Wrong(Rule.DONORS, len(x) - 1, "A row without the value has none to give."),
        ),
        "A value comes from known values.",
        about=[label],
    )


def _filled_before(run: Run[Problem, Imputer], number: int, column: int) -> int:
    return sum(step.column == column for step in run.trace.steps[1:number])


# --- neighbours -----------------------------------------------------------------------------------


def _neighbours(run: Run[Problem, Imputer], number: int, step: ImputerStep) -> Iterator[Question]:
    X, column = run.problem.X, step.column
    others = np.flatnonzero(np.isfinite(X[step.row]))
    k = len(step.neighbors)
    if len(X) > MAX_ROWS or len(others) != 1 or others[0] in run.problem.categories:
        return
    gaps = np.abs(X[:, others[0]] - X[step.row, others[0]])
    gaps[step.row] = np.inf
    knows = np.isfinite(X[:, column])
    filled = knows.copy()
    filled[[each.row for each in run.trace.steps[1:number] if each.column == column]] = True
    right = _nearest_sets(np.where(knows, gaps, np.inf), k)
    if not right:
        return
    chosen = set(step.neighbors.tolist())
    right.sort(key=lambda each: set(each) != chosen)
    names, other = run.problem.features, run.problem.features[others[0]]
    label = int(run.problem.rows[step.row]) + 1
    farthest = step.neighbors[-1]
    yield Question(
        number,
        "neighbours",
        f"Which {k} rows are the neighbours from which row {label} gets its {names[column]}?",
        Pick("row", [_labels(run.problem, rows) for rows in right], several=True),
        f"Row {label} has {other} {num4(X[step.row, others[0]])}; of the rows that know"
        f" {names[column]}, row {run.problem.rows[farthest] + 1} with"
        f" {num4(X[farthest, others[0]])} is the last of the {k} nearest.",
        (
            Wrong(Rule.SERIAL, _labels(run.problem, _first(np.where(filled, gaps, np.inf), k))),
            Wrong(Rule.DONORS, _labels(run.problem, _first(gaps, k))),
        ),
        f"The distance counts {other} alone, since row {label} misses {names[column]}.",
        "Several rows are equally near." if len(right) > 1 else "",
        about=[label],
    )


def _nearest_sets(gaps: NDArray[np.float64], k: int) -> list[list[int]]:
    """Return all sets of k nearest rows; none where they are too many."""
    limit = np.sort(gaps)[k - 1]
    if not np.isfinite(limit):
        return []
    nearer = np.flatnonzero(gaps < limit - 1e-12).tolist()
    equal = np.flatnonzero(np.isclose(gaps, limit, rtol=0, atol=1e-12)).tolist()
    sets = combinations(equal, k - len(nearer))
    found = [[*nearer, *each] for each in islice(sets, MAX_SETS + 1)]
    return found if len(found) <= MAX_SETS else []


def _first(gaps: NDArray[np.float64], k: int) -> list[int]:
    return [int(row) for row in np.argsort(gaps, kind="stable")[:k]]


def _labels(problem: Problem, rows: Sequence[int]) -> list[int]:
    return [int(problem.rows[row]) + 1 for row in rows]


# --- values ---------------------------------------------------------------------------------------


def _value(run: Run[Problem, Imputer], number: int, step: ImputerStep) -> Iterator[Question]:
    problem, column = run.problem, step.column
    if column in problem.categories or not np.isfinite(step.value) or run.model.noise:
        return
    x, name = problem.X[:, column], problem.features[column]
    sources = _sources(run, step)
    if sources is None:
        return
    facts, proof = sources
    label = int(problem.rows[step.row]) + 1
    spread = float(np.nanmax(x) - np.nanmin(x))
    above = x[: step.row][np.isfinite(x[: step.row])]
    wrong: list[tuple[Rule, float]] = [(Rule.MEAN, float(np.nanmean(x)))]
    if step.phase == "neighbours":
        wrong.append((Rule.NEAREST, float(x[step.neighbors[0]])))
    if len(above):
        wrong.append((Rule.LAST, float(above[-1])))
    panel = _cloud_panel(run, column)
    is_place = panel is not None and number % 4 == 0
    answer: Any = Value(step.value, max(0.01 * abs(step.value), 0.005 * spread))
    if is_place and panel is not None:
        answer = Place(panel, [(float(panel.x.low), step.value)], "y", _reach(panel))
    yield Question(
        number,
        "imputed value",
        f"{facts}: {'at which height is' if is_place else 'what is'} the {name} that row {label}"
        " gets?",
        answer,
        proof,
        [
            Wrong(rule, (float(panel.x.low), value) if is_place and panel else value)
            for rule, value in wrong
        ],
        "Only what the method uses counts, not the order of the rows.",
        about=[label],
    )


def _sources(run: Run[Problem, Imputer], step: ImputerStep) -> tuple[str, str] | None:
    """Return what a value is made of, and the arithmetic; None where that is too long."""
    problem, column, value = run.problem, step.column, num4(step.value)
    x, name = problem.X[:, column], problem.features[column]
    if step.phase == "neighbours":
        values = x[step.neighbors]
        is_weighted = run.model.weights == "distance" or not np.isfinite(step.distances).all()
        if is_weighted or len(values) > MAX_TERMS:
            return None
        terms = " + ".join(signed(each, 4) for each in values)
        listing = ", ".join(num4(each) for each in values)
        facts = f"The {len(values)} nearest rows that know {name} have {listing}"
        return facts, f"({terms}) / {len(values)} = {value}."
    if step.phase == "regress":
        return _regression(run, step)
    known = x[np.isfinite(x)]
    strategy = run.model.strategy
    if len(known) > MAX_TERMS:
        return None
    listing = ", ".join(num4(each) for each in known)
    facts = f"{name} has the known values {listing}, and the {strategy} is imputed"
    if strategy == "mean":
        terms = " + ".join(signed(each, 4) for each in known)
        return facts, f"({terms}) / {len(known)} = {value}."
    return facts, f"The {strategy} of the known values is {value}."


def _regression(run: Run[Problem, Imputer], step: ImputerStep) -> tuple[str, str] | None:
    problem, equation = run.problem, run.fitted.equation(step.column)
    others = [j for j in range(len(problem.features)) if j != step.column]
    if len(others) != 1 or others[0] in problem.categories:
        return None
    value = problem.X[step.row, others[0]]
    if not np.isfinite(value):
        return None
    constant, slope = (float(b) for b in equation.coefficients[:, 0])
    name, other = problem.features[step.column], problem.features[others[0]]
    line = f"{num4(constant)} + {signed(slope, 4)} · {signed(value, 4)}"
    equation_text = f"{name} = {num4(constant)} + {signed(slope, 4)} · {other}"
    facts = f"The regression is {equation_text}, and the row has {other} {num4(value)}"
    return facts, f"{line} = {num4(step.value)}."


def _cloud_panel(run: Run[Problem, Imputer], column: int) -> Panel | None:
    """Return the panel in which a column has the vertical axis, if there is one."""
    pair = run.once("missing_values.pair", lambda: pair_of(run.problem))
    if column != pair[1] or pair[0] == pair[1]:
        return None
    panel: Panel = run.once(
        "missing_values.panel",
        lambda: Cloud(run.problem, filled_codes(run), pair, drops_rows=False).panel,
    )
    return panel


def _reach(panel: Panel) -> tuple[float, float]:
    width, height = panel.size.tolist()
    return width, 0.03 * height


# --- other methods --------------------------------------------------------------------------------


def _own_category(problem: Problem, number: int, step: ImputerStep) -> Iterator[Question]:
    names = problem.categories.get(step.column, ())[:MAX_OPTIONS]
    if not names:
        return
    label, name = int(problem.rows[step.row]) + 1, problem.features[step.column]
    yield Question(
        number,
        "imputed value",
        f"What becomes of the missing {name} of row {label}?",
        Option([*names, "a category of its own"], [len(names)]),
        f"Unknown is a category of its own, beside the {len(names)} names.",
        (),
        "That it is unknown may be informative.",
        about=[label],
    )


def _left_out(problem: Problem, number: int, step: ImputerStep) -> Iterator[Question]:
    if not 2 < len(problem.X) <= MAX_ROWS:
        return
    label = int(problem.rows[step.row]) + 1
    yield Question(
        number,
        "row left out",
        "Which row is left out next?",
        Pick("row", [[label]]),
        f"Row {label} is the next one with a missing value; one is enough.",
        (),
        "The rows are visited in their order.",
    )


def _spread(run: Run[Problem, Imputer], number: int) -> Iterator[Question]:
    column = pair_of(run.problem)[1]
    x, filled = run.problem.X[:, column], filled_codes(run)[:, column]
    known = x[np.isfinite(x)]
    if len(known) == len(x) or len(known) < 2 or np.ptp(known) == 0:
        return
    name = run.problem.features[column]
    before, after = num4(known.std(ddof=1)), num4(filled.std(ddof=1))
    yield Question(
        number,
        "spread",
        f"The standard deviation of {name} was {before}: what has become of it?",
        Option(["it has fallen", "it is the same", "it has risen"], [0]),
        f"The {len(x) - len(known)} means lie in the middle: it is {after} now, and was {before}.",
        (),
        "All imputed values lie at the mean.",
    )
