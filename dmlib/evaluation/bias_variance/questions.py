"""Questions about bias and variance: the mean curve, the parts of the error, and the best model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.algorithm import GRID, SQUARED, BiasVariance, BiasVarianceStep
from dmlib.evaluation.bias_variance.scene import bundle_panel
from dmlib.pictures.answers import Option, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num, num4, signed
from dmlib.problem import Problem

PLACE = GRID // 4  # that is asked about, beside the one where the models are most uneven
MAX_SETS = 6  # whose predictions are listed
MAX_OPTIONS = 4


class Rule(Misconception):
    """Wrong rules of bias and variance."""

    MEDIAN = "The main prediction is the median of the models' predictions."
    EACH = "Bias² is the mean squared distance of the models from the truth."
    TRUTH = "The variance is taken around the true value."
    NOISELESS = "The expected error is bias² plus variance."
    TRAINING = "The model with the smallest training error has the smallest error."


def questions(run: Run[Problem, BiasVariance]) -> Iterator[Question]:
    """Yield the questions that the steps of a simulation answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.evaluation.BiasVariance`.

    Yields
    ------
    Question
        Before the mean curve, the variance, and the comparison of complexities.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.0, 2.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> model = BiasVariance(n_sets=4, truth="sine", random_state=0)
    >>> sorted({question.topic for question in questions(Run.of(problem, model))})
    ['bias', 'complexity', 'error', 'mean', 'variance']
    """
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step = steps[number]
        is_squared = run.model.loss == SQUARED
        if step.phase == "mean" and is_squared:
            for place in _places(step):
                yield from _mean(run, number, step, place)
                yield from _bias(number, step, place)
        elif step.phase == "variance" and is_squared:
            for place in _places(step):
                yield from _variance(number, step, place)
            yield from _error(number, step)
        elif step.phase == "complexity":
            yield from _complexity(run.model, number, step)


def _places(step: BiasVarianceStep) -> list[int]:
    """Return two places; at the first, mean and median of the predictions are far from each other.

    Curves are wild at the ends, which are left out.
    """
    curves = np.asarray(step.curves, float)
    gaps = np.abs(np.median(curves, axis=0) - np.asarray(step.mean_curve, float))
    margin = GRID // 10
    uneven = margin + int(np.nan_to_num(gaps[margin:-margin]).argmax())
    return list(dict.fromkeys([uneven, PLACE]))


def _listing(step: BiasVarianceStep, place: int) -> tuple[Floats, str, str]:
    """Return the predictions at a place, the place, and the list of them as text."""
    predictions = np.asarray(step.curves, float)[:, place]
    return (predictions, num4(step.places[place]), ", ".join(num4(value) for value in predictions))


def _mean(
    run: Run[Problem, BiasVariance], number: int, step: BiasVarianceStep, place: int
) -> Iterator[Question]:
    predictions, x, listing = _listing(step, place)
    if not 3 <= len(predictions) <= MAX_SETS or not np.isfinite(predictions).all():
        return
    samples = [each for each in run.trace.steps if each.phase == "sample"]
    panel = bundle_panel(run, samples)
    mean, at = float(step.mean_curve[place]), float(step.places[place])
    if not panel.y.low <= mean <= panel.y.high:
        return
    terms = " + ".join(signed(value, 4) for value in predictions)
    yield Question(
        number,
        "mean",
        f"At x = {x} the {len(predictions)} models predict {listing}: how high is the mean curve?",
        Place(panel, [(at, mean)], form="y", reach=(1.0, 0.02 * float(panel.size[1]))),
        f"({terms}) / {len(predictions)} = {num4(mean)}.",
        (Wrong(Rule.MEDIAN, (at, float(np.median(predictions)))),),
        "With the squared error, the main prediction is the mean.",
    )


def _bias(number: int, step: BiasVarianceStep, place: int) -> Iterator[Question]:
    predictions, x, listing = _listing(step, place)
    truth, mean = float(step.truth[place]), float(step.mean_curve[place])
    bias = (mean - truth) ** 2
    if not np.isfinite(bias) or bias < 1e-4 * truth**2:
        return
    is_listed = len(predictions) <= MAX_SETS
    known = f"predict {listing}" if is_listed else f"predict {num4(mean)} in the mean"
    wrong = (Wrong(Rule.EACH, float(((predictions - truth) ** 2).mean())),)
    yield Question(
        number,
        "bias",
        f"At x = {x} the models {known}, and the truth is {num4(truth)}: what is bias² there?",
        Value(bias, max(0.02 * bias, 2e-3 * abs(mean - truth))),
        f"(mean − truth)² = ({num4(mean)} − {signed(truth, 4)})² = {num4(bias)}.",
        wrong if is_listed else (),
        "Take the mean of the models first, then its distance from the truth.",
    )


def _variance(number: int, step: BiasVarianceStep, place: int) -> Iterator[Question]:
    predictions, x, listing = _listing(step, place)
    truth, mean = float(step.truth[place]), float(step.mean_curve[place])
    variance = float(step.variance_at[place])
    if len(predictions) > MAX_SETS or not np.isfinite(variance) or variance <= 0:
        return
    squares = " + ".join(f"{num4(abs(value - mean))}²" for value in predictions)
    yield Question(
        number,
        "variance",
        f"At x = {x} the models predict {listing}, {num4(mean)} in the mean; the truth is "
        f"{num4(truth)}: what is their variance there?",
        Value(variance, 0.02 * variance),
        f"({squares}) / {len(predictions)} = {num4(variance)}, around the mean.",
        (Wrong(Rule.TRUTH, float(((predictions - truth) ** 2).mean())),),
        "The variance does not know the truth.",
    )


def _error(number: int, step: BiasVarianceStep) -> Iterator[Question]:
    bias, variance, noise, error = step.bias, step.variance, step.noise, step.error
    if not np.isfinite(error):
        return
    yield Question(
        number,
        "error",
        f"On average bias² = {num4(bias)}, the variance is {num4(variance)}, and the noise has the "
        f"standard deviation {num4(noise**0.5)}: what is the expected squared error on new rows?",
        Value(error, 0.01 * error),
        f"bias² + variance + σ² = {num4(bias)} + {num4(variance)} + {num4(noise)} = {num4(error)}.",
        (Wrong(Rule.NOISELESS, bias + variance, "The noise of new rows is an error, too."),),
        "New rows are noisy.",
    )


def _complexity(model: BiasVariance, number: int, step: BiasVarianceStep) -> Iterator[Question]:
    """Ask which of a few complexities has the smallest error."""
    errors, training = np.asarray(step.errors), np.asarray(step.train_errors)
    if not np.isfinite(errors).all() or len(errors) < MAX_OPTIONS:
        return
    best, fitted = int(errors.argmin()), int(training.argmin())
    ends = [0, len(errors) - 1, len(errors) // 2, model.level]
    places = sorted(list(dict.fromkeys([best, fitted, *ends]))[:MAX_OPTIONS])
    label, levels = model.family.label, step.levels
    right = np.flatnonzero(np.isclose(errors[places], errors[best], rtol=1e-9)).tolist()
    listing = ", ".join(f"{num4(errors[i])} ({num(levels[i])})" for i in places)
    yield Question(
        number,
        "complexity",
        f"Which {label} has the smallest error on new rows?",
        Option([f"{label} {num(levels[i])}" for i in places], right),
        f"The errors are {listing}.",
        (
            Wrong(
                Rule.TRAINING,
                places.index(fitted),
                f"Its training error is only {num4(training[fitted])}, but its variance is large.",
            ),
        ),
        "It must be flexible enough for the true curve, and no more.",
        "Several have the same error." if len(right) > 1 else "",
    )
