"""Parts of all pictures: regions, rows with and without a label, and the curve of the error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster
from dmlib.pictures.places import line_through, path_until, points_at
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import image_samples, region_panel, shade_of, step_surfaces, surest
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Axis, Key, Panel
from dmlib.pictures.story import Moment

PIXELS = 48  # along each side of the regions of a step
MAX_BYTES = 110_000  # of the regions and rows in all frames
CROSS = 4  # the class whose symbol is a cross
SIZE, NEW = 4.5, 7.0  # pixels of a row, and of one that just got its label
RING, BEHIND = 9.0, 8.0  # pixels of the ring of a known label, and of the cross of a wrong one
MARGIN = 0.02  # beside a curve, in parts of its length
TOP = 1.15  # times the largest error


class Canvas:
    """The plane of a run, with its rows and the regions of each step.

    Parameters
    ----------
    run : Run
        Of a method of semi-supervised or active learning.
    """

    def __init__(self, run: AnyRun) -> None:
        self.run, self.problem = run, run.problem
        self.start = run.model.start(run.problem.training.y)
        self.panel = region_panel(run.problem)
        test = run.problem.test
        n_rows = len(run.problem.X)
        self.training = np.arange(n_rows) if test is None else np.flatnonzero(~test)

    @property
    def classes(self) -> list[str]:
        """The names of the classes that the algorithm knows, in its order."""
        return [self.problem.classes[code] for code in self.start.classes]

    @property
    def selected(self) -> list[int]:
        """The selected row, if there is one, by its place among the training rows."""
        places: list[int] = np.flatnonzero(self.training == self.run.selected).tolist()
        return places

    @property
    def max_frames(self) -> int:
        """How many frames there may be."""
        return max(8, MAX_BYTES // (2 * PIXELS**2 + 6 * len(self.problem.X)))

    def places(self, rows: Ints) -> Floats:
        """Return where training rows are drawn."""
        points: Floats = self.problem.points[self.training[rows]]
        return points

    def regions(self, moment: Moment) -> tuple[Raster, ...]:
        """Return the regions of a step: coarse, and at the end of a whole run fine."""
        if moment.is_last and self.run.trace.complete:
            return step_surfaces(None, PIXELS, self.run.surface, self.panel)
        samples, pixel = self._samples
        model, rows = self.run.model, self.problem.training.X
        winner, sure = surest(model.proba_at(moment.step, rows, samples))
        classes = np.asarray(self.start.classes, np.uint8)
        image = classes[winner][pixel], shade_of(sure)[pixel]
        final = self.run.surface if self.run.trace.complete else None
        return step_surfaces(image, PIXELS, final, self.panel)

    @cached_property
    def _samples(self) -> tuple[Any, Ints]:
        samples, pixel = image_samples(self.problem, self.run.model, PIXELS)
        return np.asarray(samples, float), pixel

    def rows(
        self, answers: Ints, opacity: ArrayLike = 1.0, new: ArrayLike = ()
    ) -> tuple[Points, ...]:
        """Return rings around known labels, crosses behind wrong ones, and all rows in colours.

        Parameters
        ----------
        answers : ndarray of shape (n_training,)
            The class of each training row; -1 for none.
        opacity : array-like of shape () or (n_training,)
            How strong it is.
        new : array-like of shape (n_new,)
            The training rows that just got theirs: they are larger.
        """
        n_rows = len(self.problem.X)
        colors = np.full(n_rows, NO_CLASS, np.uint8)
        strengths, sizes = np.ones(n_rows), np.full(n_rows, SIZE)
        colors[self.training] = self._colors(answers)
        strengths[self.training] = opacity
        sizes[self.training[np.asarray(new, np.intp)]] = NEW
        rings = points_at(
            self.places(np.flatnonzero(self.start.is_labeled)),
            color=[NO_CLASS],
            symbol=[0],
            size=[RING],
            hollow=[1],
            of="",
        )
        points = data_points(
            self.problem, color=colors, classes=self.problem.classes, opacity=strengths, size=sizes
        )
        wrong = self.start.hidden & (answers >= 0) & (answers != self.start.codes)
        crosses = points_at(
            self.places(np.flatnonzero(wrong)),
            color=[NO_CLASS],
            symbol=[CROSS],
            size=[BEHIND],
            opacity=[0.6],
            of="",
        )
        return rings, crosses, points

    def _colors(self, answers: Ints) -> Bytes:
        codes = np.append(self.start.classes, NO_CLASS).astype(np.uint8)
        return codes[answers]  # that of -1 is the last

    @property
    def legend(self) -> tuple[Key, ...]:
        """The legend of the rows."""
        keys = tuple(Key(name, code) for code, name in enumerate(self.problem.classes))
        test = () if self.problem.test is None else (Key("held out", NO_CLASS, hollow=True),)
        return (
            *keys,
            Key("no label", NO_CLASS, 0),
            Key("known label", NO_CLASS, 0, hollow=True),
            Key("wrong label", NO_CLASS, CROSS),
            *test,
        )


class ErrorCurve:
    """The error on the rows without a label at the start, against a number that grows.

    Parameters
    ----------
    numbers : array-like of shape (n_steps,)
        The number of each step: labels, or iterations.
    errors : sequence of arrays
        The misclassified rows of each step and how many there are, as steps have them.
    label : str
        What is counted.
    dashed : array-like of shape (n, 2)
        A curve to compare with, of the same kind; empty for none.
    """

    def __init__(self, numbers: ArrayLike, errors: Any, label: str, dashed: ArrayLike = ()) -> None:
        shares = [error[0] / error[1] for error in errors if len(error)]
        self.places = np.column_stack([np.asarray(numbers, float)[: len(shares)], shares])
        self.dashed = np.asarray(dashed, float).reshape(-1, 2)
        self.label = label

    @property
    def panels(self) -> tuple[Panel, ...]:
        """Its panel; none where no label is hidden."""
        if not len(self.places):
            return ()
        places = np.vstack([self.places, self.dashed])
        low, high = places[:, 0].min(), places[:, 0].max()
        margin = MARGIN * max(high - low, 1)
        top = min(1.0, TOP * float(places[:, 1].max())) or 1.0
        x = Axis(self.label, low - margin, high + margin, integer=True)
        return (Panel("error", x, Axis("error", 0.0, top), title="Error", side=True),)

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the curve up to a step, and all of what it is compared with."""
        if not len(self.places):
            return ()
        style: dict[str, Any] = {"panel": "error", "color": "muted", "dash": True}
        label = "random order" if len(self.dashed) else ""
        return (
            line_through(self.dashed, label=label, **style),
            *path_until(self.places, number + 1, panel="error"),
        )
