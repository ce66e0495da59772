"""A run of an estimator that plays in a notebook, and can be saved and read."""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from dmlib.cached import cached_property
from dmlib.pictures.encode import encode, ledger_csv
from dmlib.pictures.run import AnyRun, Run
from dmlib.pictures.scene import Frame, Scene
from dmlib.playback.page import page
from dmlib.playback.problems import problem_of, scene_function

HEIGHT = 700  # pixels of a run in a notebook
UNTRUSTED = "The run plays here once the notebook is trusted, or its cells are run."
"""It is read where a notebook leaves out frames, as JupyterLab does of notebooks by others."""


class Playback:
    """A run of an estimator, as a picture with its steps.

    Attributes
    ----------
    run : Run
        The estimator, its data and its steps.
    draw : callable
        Run -> Scene: what draws it.
    frame : int
        The frame that it opens at; the last by default.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> playback = play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]])
    >>> playback.frame == len(playback.frames) - 1, "phase" in playback.ledger
    (True, True)
    """

    def __init__(self, run: AnyRun, draw: Callable[[AnyRun], Scene] | None = None) -> None:
        self.run = run
        self.draw = draw or scene_function(type(run.model))
        self.frame = len(self.scene.frames) - 1

    @cached_property
    def scene(self) -> Scene:
        """The picture of the run, as its page in the dashboard shows it."""
        return self.draw(self.run)

    @property
    def steps(self) -> Sequence[Any]:
        """The records that the algorithm has yielded."""
        return self.run.trace.steps

    @property
    def frames(self) -> Sequence[Frame]:
        """Caption, arithmetic and phase of each frame."""
        return self.scene.frames

    @property
    def ledger(self) -> pd.DataFrame:
        """The arithmetic of all frames, one row for each line of a table or formula."""
        return pd.read_csv(io.StringIO(ledger_csv(self.scene.frames)))

    def to_html(self) -> str:
        """Return one HTML document that plays the run without a network."""
        return page(self.encoded(), type(self.run.model).__name__, self.frame)

    def encoded(self) -> bytes:
        """Return the picture as the stage reads it (:func:`dmlib.pictures.encode.encode`)."""
        name = type(self.run.model).__name__
        return encode(self.scene, name=name.lower(), title=name, selectable=False)

    def save(self, path: str | Path) -> None:
        """Write the document of :meth:`to_html` to a file."""
        Path(path).write_text(self.to_html(), "utf-8")

    def to_gif(
        self,
        path: str | Path | None = None,
        *,
        frames: Sequence[int] | None = None,
        size: tuple[int, int] = (800, 450),
        seconds: float = 0.7,
    ) -> bytes:
        """Return the run as an animated GIF, and write it to a file if one is named.

        An installed Chromium or Chrome draws it, driven by Playwright (``pip install dmlib[gif]``).

        Parameters
        ----------
        path : str or Path, optional
            The file.
        frames : sequence of int, optional
            The numbers of the frames, from 0; by default all.
        size : tuple of (int, int)
            Width and height in pixels.
        seconds : float
            How long each frame is shown; the last one two seconds at least.

        Raises
        ------
        IndexError
            If there is no frame of a number.
        RuntimeError
            If no browser, or no package that drives it, is installed.
        """
        from dmlib.playback.movie import gif

        numbers = range(len(self.frames))
        chosen = numbers if frames is None else [numbers[i] for i in frames]
        content = gif(self.to_html(), chosen, size, seconds)
        if path is not None:
            Path(path).write_bytes(content)
        return content

    def widget(self) -> Any:
        """Return the run as a widget whose values come back (``pip install dmlib[widget]``).

        See :func:`dmlib.playback.widget.widget`.

        Raises
        ------
        RuntimeError
            If the package anywidget is not installed.
        """
        from dmlib.playback.widget import widget

        try:
            return widget(self)
        except ModuleNotFoundError as error:
            raise RuntimeError("A widget needs anywidget: install dmlib[widget].") from error

    def _repr_html_(self) -> str:
        """Return the run as notebooks show it: in a frame that shares nothing with the page."""
        return (
            f'<iframe srcdoc="{html.escape(self.to_html())}" width="100%" height="{HEIGHT}"'
            ' style="border: 0" sandbox="allow-scripts allow-downloads">'
            f"{UNTRUSTED}</iframe>"
        )


def play(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    draw: Callable[[AnyRun], Scene] | None = None,
    **options: Any,
) -> Playback:
    """Run an estimator step by step and return the run as a picture that plays.

    At the end of a notebook's cell it shows itself, with the player and the arithmetic of every
    step.

    Parameters
    ----------
    estimator : estimator
        One of dmlib that has a picture.
    X : DataFrame, array-like, networkx.Graph, sequence or problem
        What ``fit`` takes: a table of numbers or names; sequences of items, texts, a graph or a
        pair, a series, an image, patterns, the formula of a surface. Or a problem of
        :mod:`dmlib.problem`, of any kind of data.
    y : array-like, optional
        What is predicted; of series the second one.
    draw : callable, optional
        Run -> Scene, where an estimator has another picture than that of its page:
        ``lda_projection_scene`` of :mod:`dmlib.decomposition.lda_projection.scene` draws Fisher's
        projection.
    **options
        Of the preparation: ``scaling``, ``view``, ``test_size`` and the like (:func:`prepare`).

    Returns
    -------
    Playback

    Raises
    ------
    TypeError
        If the estimator has no picture.
    ValueError
        If the estimator refuses the data.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> run = play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]])
    >>> run.frames[-1].caption
    'Done after 2 iterations. No label changed.'
    >>> run.run.fitted.inertia_, len(run.steps) > 3
    (1.0, True)
    """
    draw = draw or scene_function(type(estimator))
    return Playback(Run.of(problem_of(estimator, draw, X, y, options), estimator), draw)
