"""A curve that grows with the epochs: a loss, an error or an energy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from dmlib.arrays import Floats
from dmlib.pictures.marks import Mark
from dmlib.pictures.places import path_until
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot


def curve_plot(
    name: str,
    places: Floats,
    x_label: str,
    y_axis: Axis,
    title: str,
    *,
    background: Sequence[Mark] = (),
    n_passed: Callable[[Moment], int] = attrgetter("so_far"),
) -> Plot:
    """Return a curve up to the moment, with a point at its end, in a panel at the side.

    Parameters
    ----------
    name : str
        The panel.
    places : ndarray of shape (n_epochs, 2)
        The number of each epoch, counted from 0, and its height.
    x_label : str
        The label of the horizontal axis.
    y_axis : Axis
        The vertical axis.
    title : str
        Of the panel.
    background : sequence of Mark
        Marks below the curve.
    n_passed : callable
        Moment -> number of places up to it.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.array([[0.0, 3.0], [1.0, 2.0], [2.0, 1.5]])
    >>> plot = curve_plot("loss", losses, "epoch", Axis("loss", 0.0, 3.0), "Loss")
    >>> line, end = plot.marks(Moment(1, None, None, so_far=2))
    >>> line.y.tolist(), end.y.tolist()
    ([3.0, 2.0], [2.0])
    """
    last = max(len(places) - 1, 1)
    x_axis = Axis(x_label, -0.02 * last, 1.02 * last, integer=True)

    def marks(moment: Moment) -> list[Mark]:
        return [*background, *path_until(places, n_passed(moment), panel=name)]

    return Plot(Panel(name, x_axis, y_axis, title=title, side=True), marks)
