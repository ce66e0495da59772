"""Convolution as a picture: a filter that slides over a picture, or a network that learns."""

from __future__ import annotations

from dmlib.neural.cnn.algorithm import ConvNet
from dmlib.neural.cnn.filter_scene import filter_scene
from dmlib.neural.cnn.network_scene import network_scene
from dmlib.neural.cnn.picture_scene import PictureView, shows_network
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import needs_steps
from dmlib.problem import DigitsProblem


@needs_steps
def cnn_scene(run: Run[DigitsProblem, ConvNet]) -> Scene:
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
    view = PictureView(run)
    return network_scene(view) if shows_network(run) else filter_scene(view)
