"""Boltzmann machines as pictures, restricted or not."""

from __future__ import annotations

from typing import Any

from dmlib.neural.boltzmann.machine_scene import machine_scene
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.restricted_scene import restricted_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import needs_steps
from dmlib.problem import PatternsProblem


@needs_steps
def boltzmann_scene(run: Run[PatternsProblem, Any]) -> Scene:
    """Draw the steps of a Boltzmann machine, restricted or not.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.BoltzmannMachine` or
        :class:`dmlib.neural.RestrictedBoltzmannMachine`.

    Returns
    -------
    Scene
        Of the restricted machine filters and reconstructions, of the other its states and their
        distribution.

    Examples
    --------
    >>> from dmlib.neural import RestrictedBoltzmannMachine
    >>> from dmlib.problem import prepare_patterns
    >>> problem = prepare_patterns([[[1, 1], [0, 0]]])
    >>> model = RestrictedBoltzmannMachine(2, n_iter=1, random_state=0)
    >>> scene = boltzmann_scene(Run.of(problem, model))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'positive', 'negative', 'update', 'epoch', 'done']
    """
    if isinstance(run.model, RestrictedBoltzmannMachine):
        return restricted_scene(run)
    return machine_scene(run)
