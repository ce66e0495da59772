"""A picture beside the one that few of its terms make, the terms, and the PSNR by their number."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.picture import MAX_TERMS, Decomposition, ImageSVD, TermStep
from dmlib.decomposition.factorisation.picture_ledger import PictureNarrator
from dmlib.decomposition.factorisation.tiles_scene import (
    TileSheet,
    colour_codes,
    colour_notes,
    palette,
    unit_parts,
)
from dmlib.pictures.curves import Curve
from dmlib.pictures.marks import Line, Mark, Points, Raster, Texts
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import ImageProblem

ROOM = 150_000  # pixels in all frames
MIN_FRAMES, MAX_FRAMES = 6, 24
RATIO = 1.7  # width of the panel by its height
GAP = 0.08  # between the pictures, by their height
MAX_TILES = 12  # terms that are drawn as pictures


@needs_steps
def picture_scene(run: Run[ImageProblem, ImageSVD]) -> Scene:
    """Draw a picture and the picture that its first terms make.

    Examples
    --------
    >>> from dmlib.decomposition import ImageSVD
    >>> from dmlib.problem import prepare_image
    >>> problem = prepare_image([[0, 40, 200, 255], [255, 0, 0, 10]])
    >>> [frame.phase for frame in picture_scene(Run.of(problem, ImageSVD(2))).frames]
    ['start', 'component', 'component', 'done']
    """
    decomposition: Decomposition = run.trace.steps[-1].decomposition
    clean, noisy = decomposition.clean, decomposition.noisy
    heights = decomposition.curve(MAX_TERMS)
    pictures, curve = PicturePlot(clean, noisy), term_curve(heights)
    best = curve.places[[] if np.array_equal(clean, noisy) else [int(heights.argmax())]]
    best_place = points_at(best, panel=curve.panel.name, color=[1], size=[4.0], of="")
    terms: TermTiles | SingularValues
    terms = TermTiles(decomposition) if decomposition.patch > 1 else SingularValues(decomposition)
    narrator = PictureNarrator(run.fitted, decomposition, heights)

    def draw(moment: Moment) -> Drawing:
        step: TermStep = moment.step
        n = min(step.n, len(heights) - 1)
        line, point = curve.marks(n, numbers=[n], of="terms")
        marks = (
            *pictures.marks(decomposition.rebuilt(step.n)),
            line,
            best_place,
            point,
            *terms.marks(step.n),
        )
        return Drawing(marks, *narrator.caption_and_ledger(step), step.phase)

    return story(
        run,
        draw,
        panels=(pictures.panel, curve.panel, terms.panel),
        notes=colour_notes(run.problem),
        max_frames=n_frames(clean, ROOM, MIN_FRAMES, MAX_FRAMES),
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
        self.originals = [self._raster(image, place) for image, place in pairs]
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
        return *self.originals, self._raster(rebuilt, self.last), self.names


def term_curve(heights: Floats) -> Curve:
    """Return the PSNR by the number of terms."""
    low, high = float(heights.min()), float(min(heights.max(), heights.min() + 60))
    pad = high - low
    y = Axis("dB", low - 0.05 * pad - 0.1, high + 0.08 * pad + 0.1)
    x = Axis("terms", -0.02 * len(heights), 1.02 * len(heights), integer=True)
    panel = Panel("near", x, y, "PSNR by terms", side=True)
    return Curve.of_steps(panel, np.minimum(heights, y.high))


class SingularValues:
    """The logarithms of the singular values.

    Parameters
    ----------
    decomposition : Decomposition
        The picture with its terms.
    """

    def __init__(self, decomposition: Decomposition) -> None:
        self.sizes = np.log10(np.maximum(decomposition.sizes[:MAX_TERMS], 1e-9))
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
    decomposition : Decomposition
        The picture with its terms.
    """

    def __init__(self, decomposition: Decomposition) -> None:
        terms = decomposition.terms[:MAX_TILES]
        self.shades = 0.5 + 0.5 * unit_parts(terms)
        n_channels, title = decomposition.clean.shape[2], "The first terms"
        self.sheet = TileSheet(len(terms), decomposition.patch, n_channels, "terms", title, "terms")
        self.panel = self.sheet.panel

    def marks(self, n_terms: int) -> tuple[Mark, ...]:
        """Return the pictures of so many terms."""
        return self.sheet.marks(self.shades[:n_terms])
