"""Ensembles that grow: the regions after each classifier, and the curves of their errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster
from dmlib.pictures.places import line_through, path_until, points_at
from dmlib.pictures.regions import image_samples, region_panel, shade_of, step_surfaces, surest
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Axis, Key, Panel
from dmlib.pictures.story import Moment
from dmlib.problem import Problem

MARGIN = 0.02  # beside the curves, in parts of their length
USUAL = 4.5  # radius of a row that is drawn once
OUTSIDE = 2.0  # of one that is not drawn
HELD_OUT = 3.5  # of a test row
LARGEST = 10.0
BAG_KEY = Key("size of a row: times in the last bag", symbol=0)


class StagedRegions:
    """The regions of the first classifiers of an ensemble, coarsely, and at the end those of all.

    Parameters
    ----------
    run : Run
        Of a classifier with ``staged_predict_proba``.
    size : int
        Pixels along each side of a coarse image.
    """

    def __init__(self, run: AnyRun, size: int) -> None:
        self.run, self.size = run, size
        self.panel = region_panel(run.problem)

    def marks(self, moment: Moment) -> tuple[Raster, ...]:
        """Return the image of a moment; none at the start."""
        image = None if moment.is_last else self._images[moment.index]
        return step_surfaces(image, self.size, self.run.surface, self.panel)

    @cached_property
    def samples(self) -> tuple[Any, Ints]:
        """The samples of a coarse image, and the sample of each pixel."""
        return image_samples(self.run.problem, self.run.fitted, self.size)

    @cached_property
    def _images(self) -> list[tuple[Bytes, Bytes]]:
        """The class and the confidence of each pixel, by the number of classifiers."""
        model = self.run.fitted
        samples, pixel = self.samples
        classes, no_pixels = np.asarray(model.classes_, np.uint8), np.empty(0, np.uint8)
        images = [(no_pixels, no_pixels)]
        for shares in model.staged_predict_proba(samples):
            winner, sure = surest(shares)
            images.append((classes[winner][pixel], shade_of(sure)[pixel]))
        return images


def staged_test_errors(run: AnyRun) -> dict[str, Floats]:
    """Return the test error after each step, under "test"; nothing without test rows.

    It is NaN at the start; a last step whose classifier does not vote has the error before it.
    """
    testing = run.problem.testing
    if testing is None:
        return {}
    predictions: Any = run.fitted.staged_predict(testing.data)
    shares = [float((predicted != testing.y).mean()) for predicted in predictions]
    unchanged = shares[-1:] * (len(run.trace.steps) - 1 - len(shares))
    return {"test": np.array([np.nan, *shares, *unchanged])}


def rings(places: Floats, size: Floats | list[float]) -> Points:
    """Return grey rings around misclassified rows.

    Examples
    --------
    >>> rings(np.array([[1.0, 2.0]]), [7.0]).x.tolist()
    [1.0]
    """
    return points_at(places, size=size, color=[NO_CLASS], symbol=[0], hollow=[1], of="")


def bag_sizes(problem: Problem, bag: Ints) -> Floats:
    """Return the radius of each row, whose area is the number of times in a bag; of none, equal.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0]}), ["a"])
    >>> bag_sizes(problem, np.array([1, 1])).round(1).tolist()
    [2.0, 6.4]
    """
    radii = np.full(len(problem.X), HELD_OUT)
    radii[problem.trained] = USUAL
    if len(bag):
        times = np.bincount(bag, minlength=len(problem.trained))
        inside = np.minimum(USUAL * np.sqrt(times), LARGEST)
        radii[problem.trained] = np.where(times > 0, inside, OUTSIDE)
    return radii


class ErrorCurves:
    """The errors by step: on the training set, a second one dashed, and on the test set.

    Parameters
    ----------
    unit : str
        The unit of steps: "round" or "trees".
    training : ndarray of shape (n_steps,)
        The training error.
    dashed : ndarray of shape (n_steps,) or None
        The out-of-bag error, or a bound of the training error.
    test : ndarray of shape (n_steps,) or None
        The test error, where rows are held out.
    top : float
        The upper end of the axis.
    width : float
        Of the dashed curve, in pixels.
    name : str
        Of the dashed curve.

    Examples
    --------
    >>> training, test = np.array([0.5, 0.2, 0.0]), np.array([np.nan, 0.3, 0.4])
    >>> curves = ErrorCurves("round", training, None, test, 1.0)
    >>> [mark.y.tolist() for mark in curves.marks(2)]
    [[0.5, 0.2], [nan, 0.3], [0.3]]
    """

    def __init__(
        self,
        unit: str,
        training: Floats,
        dashed: Floats | None,
        test: Floats | None,
        top: float,
        width: float = 2.0,
        name: str = "out of bag",
    ) -> None:
        self.unit, self.top = unit, top
        self.steps = np.arange(len(training))
        style: dict[str, Any] = {"color": "muted", "label": "training"}
        self.curves = [(training, style)]
        if dashed is not None:
            style = {"color": "ink", "width": width, "dash": True, "label": name}
            self.curves.append((np.minimum(dashed, top), style))
        self.test = test

    @property
    def panel(self) -> Panel:
        """The panel of the errors."""
        end = max(len(self.steps) - 1, 1)
        x = Axis(self.unit, -MARGIN * end, (1 + MARGIN) * end, integer=True)
        y = Axis("error", 0.0, self.top)
        return Panel("error", x, y, title=f"Error by {self.unit}", side=True)

    def marks(self, n: int) -> list[Mark]:
        """Return the curves of the first ``n`` steps."""
        marks: list[Mark] = [
            line_through(self._places(heights)[:n], panel="error", **style)
            for heights, style in self.curves
        ]
        if self.test is not None:
            line, end = path_until(self._places(self.test), n, panel="error")
            marks += [replace(line, label="test"), end]
        return marks

    def _places(self, heights: Floats) -> Floats:
        return np.column_stack([self.steps, heights])
