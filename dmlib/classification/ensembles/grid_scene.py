"""The classifiers of an ensemble as small pictures, each with its bag and its vote."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.classification.staged_scene import StagedRegions
from dmlib.evenly import evenly
from dmlib.pictures.marks import Line, Mark, Points, Raster, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.regions import shade_of, surest
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem

MAX_TILES = 25
MAX_DOTS = 40  # rows of a bag that are drawn
GAP, HEAD = 0.06, 0.16  # around a picture, and above it, in parts of its tile
DOT, VOTE = 1.4, 5.0  # radius of a row, and of the query


class TileGrid:
    """Small pictures of the first classifiers, side by side in rows from the top left.

    Parameters
    ----------
    run : Run
        Of an ensemble.
    regions : StagedRegions
        The regions in the plane.
    votes : ndarray of shape (n_estimators,)
        The class code that each classifier predicts for the query.
    """

    def __init__(
        self, run: Run[Problem, VotingClassifier], regions: StagedRegions, votes: Bytes
    ) -> None:
        self.problem, self.model, self.query = run.problem, run.fitted, run.current_query
        self.plane, self.size, self.votes = regions.panel, regions.size, votes
        self.regions = regions
        self.n_tiles = min(len(self.model.estimators_), MAX_TILES)
        self.n_columns = int(np.ceil(np.sqrt(self.n_tiles)))
        self.n_rows = -(-self.n_tiles // self.n_columns)
        number = np.arange(self.n_tiles)
        rows, columns = np.divmod(number, self.n_columns)
        self.corners = np.column_stack([columns, self.n_rows - 1 - rows]).astype(float)

    @property
    def panel(self) -> Panel:
        """The panel of the small pictures."""
        estimators = self.model.estimators_
        n = len(estimators)
        extent = f"The first {MAX_TILES} of {n}" if n > MAX_TILES else "All"
        names = "trees" if all(hasattr(each, "tree_") for each in estimators) else "classifiers"
        x = Axis("", 0.0, float(self.n_columns), ticks=("",))
        y = Axis("", 0.0, float(self.n_rows), ticks=("",))
        return Panel("grid", x, y, title=f"{extent} {names}, each with its bag")

    def marks(self, n: int) -> list[Mark]:
        """Return the small pictures once ``n`` classifiers have joined."""
        return [*self._images(n), self._bags(n), self._frame(n), self._votes(n), self._titles(n)]

    def _images(self, n: int) -> list[Raster]:
        """Return the regions of each classifier that has joined."""
        images, hidden_images = self._all_images
        return [*images[:n], *hidden_images[n:]]

    def _bags(self, n: int) -> Points:
        """Return the rows of each bag, as dots."""
        places, colors, tiles = self._dots
        has_joined = tiles < n
        return points_at(
            places[has_joined],
            panel="grid",
            color=colors[has_joined],
            size=[DOT],
            symbol=[0],
            of="",
        )

    def _frame(self, n: int) -> Line:
        """Return a frame around the classifier that joined last."""
        box = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], float) * (1 - GAP) + GAP / 2
        corners = self.corners[n - 1] + box if 0 < n <= self.n_tiles else NOWHERE
        return line_through(corners, panel="grid", color="accent", width=2.5)

    def _votes(self, n: int) -> Points:
        """Return the query in each picture, in the colour of the class that is predicted for it."""
        n_joined = min(n, self.n_tiles)
        return points_at(
            self._query_places[:n_joined],
            panel="grid",
            color=self.votes[:n_joined],
            size=[VOTE],
            emphasis=True,
            of="",
        )

    def _titles(self, n: int) -> Texts:
        """Return the number above each picture."""
        x, y = (self.corners[:n] + np.array([0.5, 1 - HEAD / 2 - GAP / 2])).T
        return Texts(panel="grid", x=x, y=y, text=[str(i + 1) for i in range(self.n_tiles)], dy=4.0)

    @cached_property
    def _all_images(self) -> tuple[list[Raster], list[Raster]]:
        """The regions of each classifier with a tile, and as many hidden images."""
        samples, pixel = self.regions.samples
        classes, images = np.asarray(self.model.classes_, np.uint8), []
        all_shares = islice(self.model.each_predict_proba(samples), self.n_tiles)
        for tile, shares in enumerate(all_shares):
            winner, sure = surest(shares)
            (x0, y0), (x1, y1) = self._box(tile)
            image = Raster(
                panel="grid",
                pixels=classes[winner][pixel],
                shade=shade_of(sure)[pixel],
                width=self.size,
                height=self.size,
                extent=(x0, x1, y0, y1),
            )
            images.append(image)
        return images, [visible_if(False, image) for image in images]

    @cached_property
    def _query_places(self) -> Floats:
        """The place of the query in each small picture."""
        query = np.array([self.query.place])
        return np.concatenate([self._inside(tile, query) for tile in range(self.n_tiles)])

    @cached_property
    def _dots(self) -> tuple[Floats, Bytes, Ints]:
        """The place, the colour and the tile of each dot."""
        problem, y = self.problem, np.asarray(self.problem.y)
        places, colors, tiles = [NOWHERE], [np.empty(0, np.uint8)], [np.empty(0, np.intp)]
        for tile in range(self.n_tiles):
            bag = np.unique(self.model.estimators_samples_[tile])
            rows = problem.trained[bag[evenly(len(bag), MAX_DOTS)]]
            places.append(self._inside(tile, problem.points[rows]))
            colors.append(y[rows].astype(np.uint8))
            tiles.append(np.full(len(rows), tile))
        return np.concatenate(places), np.concatenate(colors), np.concatenate(tiles)

    def _inside(self, tile: int, places: Floats) -> Any:
        """Return the coordinates of places of the plane in a small picture, shape (n, 2)."""
        low = np.array([self.plane.x.low, self.plane.y.low])
        start, end = self._box(tile)
        return start + np.clip((places - low) / self.plane.size, 0.0, 1.0) * (end - start)

    def _box(self, tile: int) -> tuple[Floats, Floats]:
        """Return the lower left and the upper right corner of a small picture."""
        corner = self.corners[tile]
        return corner + GAP, corner + np.array([1 - GAP, 1 - GAP - HEAD])
