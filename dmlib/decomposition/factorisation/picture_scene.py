"""A picture beside the one that few of its terms make, the terms, and the PSNR by their number."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.picture import MOST_TERMS, PictureStep, Taken
from dmlib.decomposition.factorisation.picture_ledger import PictureNarrator
from dmlib.decomposition.factorisation.tiles_scene import (
    colour_codes,
    colour_notes,
    palette,
    sheet,
    tile_frames,
)
from dmlib.pictures.marks import Line, Mark, Points, Raster, Texts
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story

ROOM = 150_000  # pixels in all frames
MIN_FRAMES, MAX_FRAMES = 6, 24
RATIO = 1.7  # width of the panel by its height
GAP = 0.08  # between the pictures, by their height
MAX_TILES, N_ACROSS = 12, 4  # terms that are drawn as pictures, and beside each other


@needs_steps
def picture_scene(run: Run) -> Scene:
    """Draw a picture and the picture that its first terms make.

    Examples
    --------
    >>> from dmlib.decomposition import ImageSVD
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255], [255, 0, 0, 10]])
    >>> [frame.phase for frame in picture_scene(Run.of(problem, ImageSVD(2))).frames]
    ['start', 'component', 'component', 'done']
    """
    taken: Taken = run.trace.steps[-1].taken
    heights = taken.curve(MOST_TERMS)
    pictures, curve = PicturePlot(taken.clean, taken.noisy), TermCurve(taken, heights)
    terms = TermTiles(taken) if taken.patch > 1 else SingularValues(taken)
    narrator = PictureNarrator(run.fitted, taken, heights)

    def draw(now: Moment) -> Drawing:
        step: PictureStep = now.step
        marks = (*pictures.marks(taken.shown(step)), *curve.marks(step.n), *terms.marks(step.n))
        return Drawing(marks, *narrator.tell(step), step.phase)

    return story(
        run,
        draw,
        panels=(pictures.panel, curve.panel, terms.panel),
        notes=colour_notes(run.problem),
        max_frames=n_frames(taken.clean, ROOM, MIN_FRAMES, MAX_FRAMES),
    )


def n_frames(image: Floats, room: int, lowest: int, highest: int) -> int:
    """Return how many frames there is room for: of large pictures fewer."""
    return int(np.clip(room // image[:, :, 0].size, lowest, highest))


class PicturePlot:
    """A picture, with its noise if it has some, and one that is rebuilt.

    Parameters
    ----------
    clean, noisy : ndarray of shape (height, width, channels)
        The picture, and with the noise that was added on purpose.
    """

    def __init__(self, clean: Floats, noisy: Floats) -> None:
        self.height, self.width, self.n_channels = clean.shape
        images = {"the picture": clean}
        if not np.array_equal(clean, noisy):
            images["with noise"] = noisy
        names = [*images, "rebuilt"]
        n_across, n_down = self._layout(len(names))
        gap = max(2.0, GAP * self.height)
        places = []
        for i in range(len(names)):
            row, column = divmod(i, n_across)
            places.append((column * (self.width + gap), (n_down - 1 - row) * (self.height + gap)))
        self.last = places[-1]
        pairs = zip(images.values(), places, strict=False)
        self.fixed = [self._raster(image, place) for image, place in pairs]
        self.names = Texts(
            x=[x + self.width / 2 for x, _ in places],
            y=[y + self.height + 0.35 * gap for _, y in places],
            text=names,
            of="",
        )
        self.panel = Panel(
            "data",
            Axis("", 0.0, n_across * (self.width + gap) - gap),
            Axis("", 0.0, n_down * (self.height + gap)),
            "",
            equal=True,
        )

    def _layout(self, n: int) -> tuple[int, int]:
        """Return how many pictures stand beside and below each other, so that they are largest."""

        def scale(n_across: int) -> float:
            n_down = -(-n // n_across)
            return float(min(RATIO / (n_across * self.width), 1 / (n_down * self.height)))

        n_across = max(range(1, n + 1), key=scale)
        return n_across, -(-n // n_across)

    def _raster(self, image: Floats, place: tuple[float, float]) -> Raster:
        x, y = place
        return Raster(
            pixels=colour_codes(image),
            extent=(x, x + self.width, y, y + self.height),
            width=self.width,
            height=self.height,
            opacity=1.0,
            crisp=True,
            palette=palette(self.n_channels),
        )

    def marks(self, rebuilt: Floats) -> tuple[Mark, ...]:
        """Return the pictures and their names."""
        return *self.fixed, self._raster(rebuilt, self.last), self.names


class TermCurve:
    """The PSNR by the number of terms.

    Parameters
    ----------
    taken : Taken
        The picture with its terms.
    curve : ndarray
        The PSNR of 0, 1, ... terms.
    """

    def __init__(self, taken: Taken, curve: Floats) -> None:
        low, high = float(curve.min()), float(min(curve.max(), curve.min() + 60))
        pad = high - low
        y = Axis("dB", low - 0.05 * pad - 0.1, high + 0.08 * pad + 0.1)
        x = Axis("terms", -0.02 * len(curve), 1.02 * len(curve), integer=True)
        self.panel = Panel("near", x, y, "PSNR by terms", side=True)
        self.heights = np.minimum(curve, y.high)
        has_noise = not np.array_equal(taken.clean, taken.noisy)
        best = [int(curve.argmax())] if has_noise else []
        heights = self.heights[best]
        at = np.arange(len(curve), dtype=float)
        self.line = Line(panel="near", x=at, y=self.heights, color="muted", width=1.5, of="")
        self.best = Points(panel="near", x=best, y=heights, color=[1], size=[4.0], of="")

    def marks(self, n_terms: int) -> tuple[Mark, ...]:
        """Return the curve, its best place where there is noise, and that of so many terms."""
        n = min(n_terms, len(self.heights) - 1)
        point = Points(
            panel="near",
            x=[float(n)],
            y=[self.heights[n]],
            color=[0],
            size=[5.0],
            emphasis=True,
            leads="x",
            numbers=[n],
            of="terms",
        )
        return self.line, self.best, point


class SingularValues:
    """The logarithms of the singular values.

    Parameters
    ----------
    taken : Taken
        The picture with its terms.
    """

    def __init__(self, taken: Taken) -> None:
        self.sizes = np.log10(np.maximum(taken.sizes[:MOST_TERMS], 1e-9))
        self.at = np.arange(1, len(self.sizes) + 1, dtype=float)
        low, high = 0.0, 1.0
        if len(self.sizes):
            low, high = float(self.sizes.min()), float(self.sizes.max())
        pad = 0.05 * (high - low) + 0.05
        x = Axis("term", 0.0, 1.02 * len(self.sizes) + 1, integer=True)
        y = Axis("log₁₀ σ", low - pad, high + pad)
        self.panel = Panel("sizes", x, y, "Singular values", side=True)
        self.line = Line(panel="sizes", x=self.at, y=self.sizes, color="muted", width=1.5, of="")

    def marks(self, n_terms: int) -> tuple[Mark, ...]:
        """Return all values, and those of so many terms as points."""
        points = Points(
            panel="sizes",
            x=self.at[:n_terms],
            y=self.sizes[:n_terms],
            color=[0],
            size=[2.5],
            numbers=self.at[:n_terms],
            of="terms",
        )
        return self.line, points


class TermTiles:
    """The first terms as small pictures, grey where they add nothing.

    Parameters
    ----------
    taken : Taken
        The picture with its terms.
    """

    def __init__(self, taken: Taken) -> None:
        side, self.n_channels = taken.patch, taken.clean.shape[2]
        terms = taken.right[:MAX_TILES]
        largest = np.abs(terms).max(axis=1, keepdims=True, initial=0.0)
        tiles = 0.5 + 0.5 * terms / np.where(largest > 0, largest, 1.0)
        self.tiles = tiles.reshape(len(terms), side, side, self.n_channels)
        self.height, self.width = sheet(self.tiles, N_ACROSS).shape[:2]
        x, y = Axis("", 0.0, self.width), Axis("", 0.0, self.height)
        self.panel = Panel("terms", x, y, "The first terms", side=True, equal=True)
        tile = (side, side)
        self.frames = tile_frames(len(terms), N_ACROSS, tile, panel="terms", of="terms")

    def marks(self, n_terms: int) -> tuple[Mark, ...]:
        """Return the pictures of so many terms."""
        tiles = self.tiles.copy()
        tiles[n_terms:] = 0.5
        raster = Raster(
            panel="terms",
            pixels=colour_codes(sheet(tiles, N_ACROSS, 0.5)),
            palette=palette(self.n_channels),
            width=self.width,
            height=self.height,
            extent=(0.0, float(self.width), 0.0, float(self.height)),
            opacity=1.0,
            crisp=True,
        )
        return raster, self.frames
