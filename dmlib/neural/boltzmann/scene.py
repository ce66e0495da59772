"""Boltzmann machines as pictures: restricted, stacked, or neither."""

from __future__ import annotations

from typing import Any

from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork
from dmlib.neural.boltzmann.deep_belief_scene import deep_belief_scene
from dmlib.neural.boltzmann.machine_scene import machine_scene
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.restricted_scene import restricted_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import needs_steps
from dmlib.problem import PatternsProblem


@needs_steps
def boltzmann_scene(run: Run[PatternsProblem, Any]) -> Scene:
    """Draw the steps of a Boltzmann machine, restricted or not, or of a stack of them.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.BoltzmannMachine`,
        :class:`dmlib.neural.RestrictedBoltzmannMachine` or
        :class:`dmlib.neural.DeepBeliefNetwork`.

    Returns
    -------
    Scene
        Of the restricted machine filters and reconstructions, of a stack the features of both
        layers with the errors, of the other machine its states and their distribution.

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
    if isinstance(run.model, DeepBeliefNetwork):
        return deep_belief_scene(run)
    return machine_scene(run)
