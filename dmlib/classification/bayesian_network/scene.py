"""Bayesian networks as pictures."""

from __future__ import annotations

from typing import Any

from dmlib.classification.bayesian_network.classifier_scene import classifier_scene
from dmlib.classification.bayesian_network.exact_inference import ExactInference
from dmlib.classification.bayesian_network.inference_scene import inference_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene


def bayesian_network_scene(run: Run[Any, Any]) -> Scene:
    """Draw how a network learns and classifies, or how a given one is asked.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> question = prepare_network(load("sprinkler").nodes, "rain", {"wet_grass": "yes"})
    >>> scene = bayesian_network_scene(Run.of(question, ExactInference()))
    >>> [frame.phase for frame in scene.frames]
    ['tables', 'observe', 'eliminate', 'eliminate', 'multiply', 'normalise']
    """
    if isinstance(run.model, ExactInference):
        return inference_scene(run)
    return classifier_scene(run)
