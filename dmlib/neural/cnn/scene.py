"""Convolution as a picture: a filter that slides over a picture, or a network that learns and looks at it."""

from __future__ import annotations

from dmlib.neural.cnn.filter_scene import Sliding, filter_marks, filter_panels
from dmlib.neural.cnn.ledger import filter_frame, network_frame
from dmlib.neural.cnn.looked_scene import Look
from dmlib.neural.cnn.network_scene import INPUT, LOW, Reading, network_marks, network_panels
from dmlib.pictures.data.image import image_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.motion import thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem.digits import SIDE


def cnn_scene(run: Run) -> Scene:
    """Draw a filter place by place, or a network epoch by epoch, as the option ``view`` says.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.ConvNet` on digits.

    Returns
    -------
    Scene
        One frame for each place of the filter, of very many some, or for each epoch.

    Examples
    --------
    >>> from dmlib.neural import ConvNet
    >>> from dmlib.problem import prepare_digits
    >>> problem = prepare_digits([[0, 255, 0], [0, 255, 0], [0, 255, 0]])
    >>> run = Run.of(problem, ConvNet(1, max_iter=1, random_state=0))
    >>> [frame.phase for frame in cnn_scene(run).frames]
    ['multiply', 'done']
    """
    if not run.trace.steps:
        return image_scene(run.problem)
    look = Look(run)
    if look.options["view"] == "network":
        reading = Reading(look)
        grids = look.grids("layers", LOW + INPUT)
        frames = Deferred(lambda i: network_frame(reading, i), range(len(reading.steps)))
        return Scene(network_panels(reading), network_marks(reading), frames, run.problem.notes, grids)
    sliding = Sliding(look)
    frames = Deferred(lambda i: filter_frame(sliding, i), range(len(sliding.phases)))
    notes = (*run.problem.notes, *thinned_note(sliding.places))
    return Scene(filter_panels(sliding), filter_marks(sliding), frames, notes, look.grids("data", float(SIDE)))
