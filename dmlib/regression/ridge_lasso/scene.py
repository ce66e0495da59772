"""Penalised regression as a picture: the SSE's contours meet the ball of the penalty, and the descent to that place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.params import Integer
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Ellipses, Line, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import path as trail
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.algorithm import Centred, PenaltyStep, least_squares
from dmlib.regression.ridge_lasso.ledger import Teller
from dmlib.regression.ridge_lasso.paths import Path, coefficient_path

Floats = NDArray[np.float64]

OPTIONS = {"across": Option(Integer(0, 1_000_000), 0), "up": Option(Integer(0, 1_000_000), 0)}
"""The columns whose coefficients are the plane of the picture, from 1; 0 for the first and the second one."""
CONTOURS = (0.05, 0.2, 0.5, 1.0)  # of the SSE, as shares of what all zeros have more than least squares
VERTICES = 121  # of the ball
MOST_COLOURED = 8  # coefficient paths
FLATTEST = 1e-9  # share of the largest curvature below which a contour is a strip without end


def ridge_lasso_scene(run: Run) -> Scene:
    """Draw the descent over two of the coefficients, with the SSE's contours and the penalty's ball.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import Lasso
    >>> frame = pd.DataFrame({"a": [-1.0, 0.0, 1.0], "b": [1.0, -2.0, 1.0], "y": [-2.0, -1.0, 3.0]})
    >>> problem = prepare(frame, ["a", "b"], target="y", numeric_target=True)
    >>> [frame.phase for frame in ridge_lasso_scene(Run.of(problem, Lasso(8.0))).frames]
    ['start', 'update', 'zero', 'update', 'zero', 'done']
    """
    problem, trace, model = run.problem, run.trace, run.model
    if not trace.steps:
        return heights_scene(problem)
    learned = problem.training
    data = Centred.of(np.asarray(learned.X, float), np.asarray(learned.y, float))
    free = least_squares(data)
    path: Path = run.once("coefficient path", lambda: coefficient_path(model, learned.X, learned.y))
    shown = thin(len(trace.steps))
    steps: Sequence[PenaltyStep] = [trace.steps[i] for i in shown]
    picture = _Picture(problem, model, data, free, steps, chosen(run, OPTIONS))
    teller = Teller(problem, model.alpha, model.share, free, run.selected)
    path_panel, path_marks = picture.path(path)
    size_panel, size_marks = picture.sizes()
    large, marks = picture.plane() if len(free) > 1 else picture.single()
    names = [Key(name, j % 255) for j, name in enumerate(problem.features[:MOST_COLOURED])]
    return Scene(
        (large, path_panel, size_panel),
        (*marks, *path_marks, *size_marks),
        Deferred(teller.frame, steps),
        (*problem.notes, *picture.notes, *thinned_note(shown)),
        legend=names,
    )


class _Picture:
    """The panels and marks of a run.

    Parameters
    ----------
    problem : Problem
        The table.
    model : ElasticNet
        The estimator.
    data : Centred
        The sums around the means.
    free : ndarray of shape (n_features,)
        The coefficients of least squares.
    steps : sequence of PenaltyStep
        Those that are shown.
    options : dict
        See :data:`OPTIONS`.
    """

    def __init__(
        self, problem: Problem, model: object, data: Centred, free: Floats, steps: Sequence[PenaltyStep],
        options: dict[str, int],
    ) -> None:  # fmt: skip
        self.problem, self.data, self.free, self.steps = problem, data, free, steps
        self.alpha, self.share = float(getattr(model, "alpha", 0.0)), float(getattr(model, "share", 0.0))
        self.last = steps[-1]
        p = len(free)
        i = min(options["across"] or 1, p) - 1
        j = min(options["up"] or 2, p) - 1
        self.pair = [i, j if j != i else (i + 1) % p]
        self.notes: tuple[str, ...] = ()

    # two coefficients

    def plane(self) -> tuple[Panel, list[Mark]]:
        """Return the plane of two coefficients: contours, ball, and the way of the descent."""
        pair = self.pair
        coefs = np.array([step.coef[pair] for step in self.steps])
        middle, curvature = self._bowl()
        ball = self._ball()
        reach = np.vstack([coefs, middle[None], -0.15 * middle[None], [[0.0, 0.0]], ball])
        names = [self.problem.features[k] for k in pair]
        x, y = (Axis(f"b of {name}", *bounds(reach[:, k], 0.12)) for k, name in enumerate(names))
        panel = Panel("data", x, y, equal=True)
        line, end = trail(coefs, range(1, len(coefs) + 1))
        if len(self.free) > 2:
            others = "the other coefficients stay as they are in the answer"
            self.notes = (f"The contours of the SSE are those over two columns; {others}.",)
        marks: list[Mark] = [
            self._contours(middle, curvature),
            Line(x=ball[:, 0], y=ball[:, 1], color="accent", width=2.0, dash=True),
            Line(x=[panel.x.low, panel.x.high, np.nan, 0, 0], y=[0, 0, np.nan, panel.y.low, panel.y.high],
                 color="muted", width=1.0),
            Points(x=[middle[0]], y=[middle[1]], color=[NO_CLASS], symbol=[4], size=[6.0], of="",
                   labels=["The least SSE"]),
            Texts(x=[middle[0]], y=[middle[1]], text=["least SSE"], dy=-10.0, halo=True),
            line,
            end,
        ]  # fmt: skip
        return panel, marks

    def _bowl(self) -> tuple[Floats, Floats]:
        """Return where the SSE is least over the pair, the others fixed at the answer, and its curvature."""
        pair, others = self.pair, [k for k in range(len(self.free)) if k not in self.pair]
        curvature = self.data.gram[np.ix_(pair, pair)]
        right = self.data.products[pair] - self.data.gram[np.ix_(pair, others)] @ self.last.coef[others]
        return np.asarray(np.linalg.lstsq(curvature, right, rcond=1e-12)[0]), np.asarray(curvature)

    def _contours(self, middle: Floats, curvature: Floats) -> Mark:
        """Return contours of the SSE: through the answer, and at shares of the way up to 0."""
        values, vectors = np.linalg.eigh(curvature)
        away = self.last.coef[self.pair] - middle
        up = float(middle @ curvature @ middle) or float(np.trace(curvature))
        through = float(away @ curvature @ away)
        above = [share * up for share in CONTOURS] + ([through] if through > 0 else [])
        values = np.maximum(values, FLATTEST * max(float(values[-1]), 1e-300))
        radii = np.sqrt(np.array(above)[:, None] / values)
        n = len(radii)
        angle = float(np.arctan2(vectors[1, 0], vectors[0, 0]))  # of the flattest way: the long axis
        return Ellipses(
            x=np.full(n, middle[0]), y=np.full(n, middle[1]), rx=radii[:, 0], ry=radii[:, 1],
            angle=np.full(n, angle), fill=0.03, of="",
        )  # fmt: skip

    def _ball(self) -> Floats:
        """Return the coefficients that cost what the answer's cost, shape (n_vertices, 2)."""
        at = np.abs(self.last.coef[self.pair])
        price = float(self.share * at.sum() + (1 - self.share) * (at**2).sum())
        if price <= 0:
            return np.zeros((1, 2))
        angles = np.linspace(0, 2 * np.pi, VERTICES)
        ways = np.column_stack([np.cos(angles), np.sin(angles)])
        linear = self.share * np.abs(ways).sum(axis=1)
        square = 1 - self.share
        # linear r + square r² = price, for the distance r in each direction
        r = price / linear if square == 0 else (np.sqrt(linear**2 + 4 * square * price) - linear) / (2 * square)
        return np.asarray(ways * r[:, None])

    # one coefficient

    def single(self) -> tuple[Panel, list[Mark]]:
        """Return the objective over the only coefficient, with its two parts."""
        low, high = bounds([0.0, float(self.free[0]), -0.2 * float(self.free[0])], 0.4)
        b = np.linspace(low, high, VERTICES)
        sse = np.array([self.data.sse(np.array([value])) for value in b])
        paid = self.alpha * (self.share * np.abs(b) + (1 - self.share) * b**2)
        top = 1.1 * float(max(self.data.total, self.last.objective)) or 1.0
        panel = Panel("data", Axis(f"b of {self.problem.features[0]}", low, high), Axis("sum of squares", 0.0, top))
        at = PerFrame([[step.coef[0]] for step in self.steps])
        height = PerFrame([[step.objective] for step in self.steps])
        near = int(np.abs(b - self.last.coef[0]).argmin())
        marks: list[Mark] = [
            Line(x=b, y=sse, color="muted", width=1.5),
            Line(x=b, y=paid, color="muted", width=1.5, dash=True),
            Line(x=b, y=sse + paid, color="accent", width=2.5),
            Points(x=at, y=height, color=[0], size=[6.0], of="", tween=True),
            Texts(x=[b[near]], y=[sse[near] + paid[near]], text=["SSE + penalty"], dy=-12.0, halo=True),
        ]
        self.notes = ("Thin: the SSE; dashed: the penalty; thick: their sum, whose lowest place is the answer.",)
        return panel, marks

    # beside

    def path(self, path: Path) -> tuple[Panel, list[Mark]]:
        """Return all coefficients by the price, with the price that is set."""
        known = path.alphas > 0
        x = np.log10(path.alphas[known])
        coefs = path.coefs[known]
        if path.knots and (~known).any() and len(x):  # the last knot is price 0, which has no logarithm
            x, coefs = np.append(x, x.min() - 1.0), np.vstack([coefs, path.coefs[-1]])
        if not len(x):
            x, coefs = np.array([0.0]), np.zeros((1, len(self.free)))
        now = float(np.clip(np.log10(self.alpha) if self.alpha > 0 else x.min(), x.min(), x.max()))
        wide = Axis("log₁₀ α", *bounds(x, 0.05))
        panel = Panel("path", wide, Axis("b", *bounds(coefs)), "Coefficients by price", side=True)
        lines: list[Mark] = [
            Line(panel="path", x=x, y=values, color=j % 255 if j < MOST_COLOURED else "muted", width=1.6)
            for j, values in enumerate(coefs.T[:MOST_COLOURED])
        ]
        here = Line(panel="path", x=[now, now], y=[panel.y.low, panel.y.high], color="accent", width=1.5, dash=True)
        return panel, [*lines, here]

    def sizes(self) -> tuple[Panel, list[Mark]]:
        """Return the coefficients of each step as bars, beside those of least squares."""
        shown = min(len(self.free), 2 * MOST_COLOURED)
        y = np.arange(shown, dtype=float)[::-1]
        ends = [0.0, *self.free[:shown], *np.concatenate([step.coef[:shown] for step in self.steps])]
        names = tuple(self.problem.features[:shown][::-1])
        panel = Panel("sizes", Axis("b", *bounds(ends)), Axis("", -0.6, shown - 0.4, ticks=names), "Coefficients", True)
        bars = Rects(
            panel="sizes",
            x0=np.zeros(shown),
            x1=PerFrame([step.coef[:shown] for step in self.steps]),
            y0=y - 0.32,
            y1=y + 0.32,
            color=np.arange(shown) % 255,
            tween=True,
            of="",
        )
        marks = Segments(
            panel="sizes", x0=self.free[:shown], x1=self.free[:shown], y0=y - 0.42, y1=y + 0.42, width=2.0, of=""
        )
        return panel, [bars, marks]
