"""Small pictures of what techniques answer, as SVG in a link that a cell of a table can show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from dashboard.differences import matched
from dashboard.entrants import GRID, N_CURVE
from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.evaluation.benchmark import Scores, Target
from dmlib.pictures.figures.style import MUTED
from dmlib.pictures.regions import region_panel
from dmlib.problem import Problem

WIDTH, HEIGHT = 96, 64
CELL = WIDTH // GRID[0]
MAX_POINTS = 150


@dataclass(frozen=True, eq=False)
class Thumbnails:
    """Pictures of answers on the same rows.

    Attributes
    ----------
    rows : Problem
        The rows.
    target : {"classes", "number", "clusters"}
        What is found.
    colors : sequence of str
        Of the classes or clusters.
    base : ndarray of shape (n_samples,), optional
        Clusters whose colours others take over, as far as they have the same rows.
    """

    rows: Problem
    target: Target
    colors: Sequence[str]
    base: NDArray[Any] | None = None

    def link(self, scores: Scores | None) -> str | None:
        """Return the picture of an answer as a link; None without an answer."""
        if scores is None or scores.answer is None:
            return None
        parts = self._numbers(scores) if self.target == "number" else self._groups(scores)
        size = f'width="{2 * WIDTH}" height="{2 * HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
        return f"data:image/svg+xml;utf8,{quote(svg, safe=SAFE)}"

    @cached_property
    def _sample(self) -> NDArray[np.intp]:
        """The rows that are drawn: of many, as many as a small picture can show."""
        n = len(self.rows.X)
        return np.unique(np.linspace(0, n - 1, min(n, MAX_POINTS)).astype(np.intp))

    @cached_property
    def _places(self) -> Floats:
        """The places of these rows in the picture."""
        x0, x1, y0, y1 = region_panel(self.rows).extent
        return _scaled(self.rows.points[self._sample], (x0, x1), (y0, y1))

    def _groups(self, scores: Scores) -> Iterable[str]:
        """Yield the regions of classes, and rows in the colour of their class or cluster."""
        assert scores.answer is not None
        if scores.surface is not None:
            winner = scores.surface.reshape(GRID[1], GRID[0])[::-1]
            for code in np.unique(winner).tolist():
                path = _region(winner == code)
                yield f'<path fill="{self._color(code)}" opacity=".3" d="{path}"/>'
        answer = scores.answer if self.base is None else matched(self.base, scores.answer)
        answer = answer[self._sample]
        for code in np.unique(answer).tolist():
            yield _dots(self._places[answer == code], self._color(code))

    def _numbers(self, scores: Scores) -> Iterable[str]:
        """Yield the curve over a single column, or predictions against observed numbers."""
        assert scores.answer is not None
        assert self.rows.y is not None
        observed, predicted = self.rows.y[self._sample], scores.answer[self._sample]
        if scores.surface is not None:
            ends = _ends(observed)
            x0, x1, *_ = region_panel(self.rows).extent
            x = self.rows.points[self._sample, 0]
            yield _dots(_scaled(np.column_stack([x, observed]), (x0, x1), ends), MUTED)
            middles = x0 + (x1 - x0) * (np.arange(N_CURVE) + 0.5) / N_CURVE
            curve = _scaled(np.column_stack([middles, scores.surface]), (x0, x1), ends)
            yield _line(curve.clip(-WIDTH, 2 * WIDTH), self._color(0))
            return
        ends = _ends(np.concatenate([observed, predicted]))
        yield _line(np.array([[0, HEIGHT], [WIDTH, 0]]), MUTED)
        yield _dots(_scaled(np.column_stack([observed, predicted]), ends, ends), self._color(0))

    def _color(self, code: Any) -> str:
        """Return the colour of a class or cluster; noise has none."""
        return self.colors[int(code) % len(self.colors)] if code >= 0 else MUTED


SAFE = " =:/,.()'"
"""Characters of a picture that a link may contain as they are."""


def _ends(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest number, apart where they are equal."""
    low, high = float(values.min()), float(values.max())
    return (low, high) if high > low else (low - 1, high + 1)


def _scaled(places: Floats, x: tuple[float, float], y: tuple[float, float]) -> Floats:
    """Return places in the picture, whose second axis goes down."""
    low, high = np.array([x[0], y[0]]), np.array([x[1], y[1]])
    shares = (places - low) / (high - low)
    scaled: Floats = np.column_stack([shares[:, 0] * WIDTH, (1 - shares[:, 1]) * HEIGHT])
    return scaled


def _path(places: Floats) -> Iterable[str]:
    return (f"{x:.0f} {y:.0f}" for x, y in np.nan_to_num(places).tolist())


def _dots(places: Floats, color: str) -> str:
    """Return dots as one path: strokes of no length, with round ends."""
    path = "".join(f"M{place}h0" for place in _path(places))
    return f'<path stroke="{color}" stroke-width="3.4" stroke-linecap="round" d="{path}"/>'


def _line(places: Floats, color: str) -> str:
    path = "M" + "L".join(_path(places))
    return f'<path fill="none" stroke="{color}" stroke-width="2" d="{path}"/>'


def _region(is_inside: NDArray[np.bool_]) -> str:
    """Return the cells of a grid as one path: a rectangle for each run of a line."""
    parts = []
    for i, line in enumerate(is_inside):
        edges = np.flatnonzero(np.diff(np.r_[False, line, False].astype(int)))
        for start, end in edges.reshape(-1, 2).tolist():
            parts.append(f"M{CELL * start} {CELL * i}H{CELL * end}v{CELL}H{CELL * start}z")
    return "".join(parts)
