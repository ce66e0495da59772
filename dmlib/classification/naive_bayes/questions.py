"""Questions about naive Bayes: estimates of probabilities, and what one more factor changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of, is_optional
from dmlib.classification.conditionals import NominalTable, NormalTable, prior_estimates
from dmlib.classification.naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.word_tables import MultinomialTable
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_CLASSES = 4  # whose shares are computed by hand
SAME = 1e-3  # change of a share that is none
CHANGES = ("it rises", "it falls", "it stays the same")


class Rule(Misconception):
    """Wrong rules of naive Bayes."""

    ALL_ROWS = "The rows of a class with a value are divided by the number of all rows."
    INVERSE = "P(value | class) is the share of the class among the rows with the value."
    NUMERATOR = "Laplace smoothing adds to the rows with the value, and not to those of the class."
    UNDIVIDED = "The product is the probability: it need not be divided by the sum of all products."
    NO_PRIOR = "Only the new factors count, and not what the classes had before."
    FREQUENT = "A class gains from a value that most of its rows have."


def questions(run: Run[Problem, NaiveBayes]) -> Iterator[Question]:
    """Yield the questions that the steps of naive Bayes answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.NaiveBayes`.

    Yields
    ------
    Question
        Before each table, and before each factor of the query.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uuvu"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> [question.topic for question in questions(Run.of(problem, NaiveBayes(laplace=1)))]
    ['spread', 'estimate', 'share', 'change']
    """
    yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, NaiveBayes]) -> Iterator[Question]:
    learning = [step for step in run.trace.steps if isinstance(step, NaiveBayesStep)]
    if len(learning) == len(run.trace.steps):
        return
    for number, step in enumerate(learning[1:], 1):
        table = step.tables[-1]
        if isinstance(table, NominalTable):
            yield from _estimate(run, number, table)
        else:
            yield from _spread(run, number, table)
    query = run.problem.table(run.current_query.x[None])
    product = list(run.fitted.explain_steps(query))
    for i in range(1, len(product)):
        factor, before = product[i], product[i - 1]
        if factor.phase == "multiply" and np.isfinite(factor.log_joint).any():
            ask = _share if i % 2 else _change
            yield from ask(run, len(learning) + i, factor, before)


# --- learning -------------------------------------------------------------------------------------


def _estimate(
    run: Run[Problem, NaiveBayes], number: int, table: NominalTable
) -> Iterator[Question]:
    counts, model = table.counts, run.fitted
    is_counted = isinstance(table, MultinomialTable)  # its rows are words
    if is_counted or not counts.size or not np.allclose(counts, counts.round()):
        return
    n_values = len(table.values)
    per_class, per_value = counts.sum(axis=1), counts.sum(axis=0)
    # The cell where the fractions of the class and of the value differ most tells them apart.
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.abs(counts / per_class[:, None] - counts / per_value)
    if not np.isfinite(gaps).any():
        return
    c, v = np.unravel_index(np.nanargmax(gaps), gaps.shape)
    name, value = _names(run)[c], table.values[v]
    feature = table.name
    p = prior_estimates(counts, model.m_prior)
    added = model.laplace + model.m_estimate * float(p[v])
    total = model.laplace * n_values + model.m_estimate
    n, size = float(counts[c, v]), float(per_class[c])
    right = float(table.probabilities[c, v])
    smoothing = (
        f" To each of the {count(n_values, 'value', 'values')}, {num4(added)} is added."
        if added
        else ""
    )
    sum_added = f"{n_values} · {num4(added)}"
    if model.m_estimate and model.m_prior != "uniform":
        is_own = not isinstance(model.m_prior, str)
        all_rows = "the rows of the class" if is_own else "all values together"
        smoothing = f" {num4(added)} is added to it, and {num4(total)} to {all_rows}."
        sum_added = num4(total)
    fraction = f"({num4(n)} + {num4(added)}) / ({num4(size)} + {sum_added})"
    yield Question(
        number,
        "estimate",
        f"Of {count(int(size), 'row', 'rows')} of class {name}, {num4(n)} have {feature} = {value}."
        f"{smoothing} What is P({value} | {name})?",
        Value(right, 0.01),
        f"It is {fraction if added else f'{num4(n)} / {num4(size)}'} = {num4(right)}.",
        (
            Wrong(Rule.ALL_ROWS, (n + added) / (counts.sum() + total)),
            Wrong(Rule.INVERSE, n / float(per_value[v])),
            Wrong(Rule.NUMERATOR, (n + added) / size),
        ),
        "The condition is the class: its rows are the whole.",
    )


def _spread(run: Run[Problem, NaiveBayes], number: int, table: NormalTable) -> Iterator[Question]:
    names = _names(run)
    if not is_optional(names) or not np.isfinite(table.variance).all():
        return
    listing = ", ".join(
        f"{num4(value)} for {name}"
        for value, name in zip(np.sqrt(table.variance), names, strict=True)
    )
    yield Question(
        number,
        "spread",
        f"Which class has the widest curve in {table.name}?",
        Option(names, best(table.variance)),
        f"The standard deviations are {listing}.",
        hint="The width is the distance of rows from their mean, not their number.",
    )


# --- the product ----------------------------------------------------------------------------------


def _share(
    run: Run[Problem, NaiveBayes], number: int, step: ProductStep, before: ProductStep
) -> Iterator[Question]:
    shares, factors, names = before.posterior, step.factor, _names(run)
    if len(names) > MAX_CLASSES or not 0 < factors.sum() < np.inf:
        return
    # That of the class whose factor is far from its share.
    c = int(np.argmax(np.abs(factors / factors.sum() - shares)))
    products = shares * factors
    terms = " + ".join(f"{num4(a)} · {num4(b)}" for a, b in zip(shares, factors, strict=True))
    so_far = ", ".join(f"{num4(a)} for {name}" for a, name in zip(shares, names, strict=True))
    listing = ", ".join(f"{num4(b)} for {name}" for b, name in zip(factors, names, strict=True))
    right = float(step.posterior[c])
    yield Question(
        number,
        "share",
        f"The probabilities so far are {so_far}; {_value(run, step)} has the factors {listing}. "
        f"What is the probability of {names[c]} then?",
        Value(right, 0.01),
        f"{num4(shares[c])} · {num4(factors[c])} / ({terms}) = {num4(right)}.",
        (
            Wrong(Rule.UNDIVIDED, float(products[c])),
            Wrong(Rule.NO_PRIOR, float(factors[c] / factors.sum())),
        ),
        "Multiply for each class, then divide by the sum.",
        hides=("Raster",),
    )


def _change(
    run: Run[Problem, NaiveBayes], number: int, step: ProductStep, before: ProductStep
) -> Iterator[Question]:
    names, factors = _names(run), step.factor
    c = _telling(step.posterior - before.posterior, factors)
    change = float(step.posterior[c] - before.posterior[c])
    if 0 < abs(change) < SAME:
        return
    mean = float(before.posterior @ factors)
    frequent = 0 if factors[c] > 0.5 else 1
    is_nominal = isinstance(run.fitted.tables_[step.attribute or 0], NominalTable)
    yield Question(
        number,
        "change",
        f"{_value(run, step)} multiplies in: how does the probability of {names[c]} change?",
        Option(CHANGES, [0 if change > 0 else 1 if change < 0 else 2]),
        f"Its factor is {num4(factors[c])}, and the mean of the factors, weighted by the "
        f"probabilities so far, {num4(mean)}: {num4(before.posterior[c])} · {num4(factors[c])} / "
        f"{num4(mean)} = {num4(step.posterior[c])}.",
        [Wrong(Rule.FREQUENT, frequent)] if is_nominal else [],
        "Compare the factors of the classes with each other.",
        hides=("Raster",),
    )


def _telling(changes: Floats, factors: Floats) -> int:
    """Return the class whose probability changes most against what its factor alone suggests."""
    is_against = (changes < 0) == (factors > 0.5)
    return int(np.argmax(np.where(is_against, 1.0, 0.0) + np.abs(changes)))


def _value(run: Run[Problem, NaiveBayes], step: ProductStep) -> str:
    value = step.value if isinstance(step.value, str) else num4(step.value or 0.0)
    return f"{run.problem.features[step.attribute or 0]} = {value}"


def _names(run: Run[Problem, NaiveBayes]) -> list[str]:
    return [run.problem.classes[code] for code in run.fitted.classes_]
