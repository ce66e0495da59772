"""The small picture of logistic regression: the likelihood over coefficients, or over steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.surface_scene import (
    path_marks,
    surface_image,
    surface_of,
    surface_panel,
)
from dmlib.classification.logistic_regression.terms import Terms
from dmlib.pictures.marks import Mark
from dmlib.pictures.places import path_until, vertices_until
from dmlib.pictures.scene import step_panel


class LikelihoodMap:
    """The likelihood over two coefficients, with the path of the steps on it.

    Parameters
    ----------
    terms : Terms
        The terms of the score.
    pair : tuple of int
        The two terms whose coefficients vary.
    likelihood : Likelihood
        The objective.
    steps : sequence of LogisticRegressionStep
        All steps of the run.
    title : str
        The name of the objective.
    """

    def __init__(
        self,
        terms: Terms,
        pair: tuple[int, int],
        likelihood: Likelihood,
        steps: Sequence[LogisticRegressionStep],
        title: str,
    ) -> None:
        coefs = np.array([step.coef[0] for step in steps])
        surface = surface_of(likelihood, coefs, pair, terms.has_intercept)
        self.panel = surface_panel(surface, terms.names, title)
        self._image = surface_image(surface, self.panel)
        self._places = coefs[:, list(pair)]
        fixed = []
        if len(terms.names) > len(pair) + surface.pinned:
            fixed.append("the other coefficients")
        if surface.pinned:
            fixed.append("the score of the mean row")
        note = "Small picture: the stronger the colour, the higher."
        if fixed:
            note += f" It holds {' and '.join(fixed)} at the values of the last step."
        self.notes = (note,)

    def marks(self, number: int) -> list[Mark]:
        """Return the map, and the path up to a step."""
        vertices = vertices_until(len(self._places), number)
        return [self._image, *path_marks(self._places[vertices])]


class LikelihoodCurve:
    """The likelihood after each step.

    Parameters
    ----------
    steps : sequence of LogisticRegressionStep
        All steps of the run.
    title : str
        The name of the objective.
    """

    notes: tuple[str, ...] = ()

    def __init__(self, steps: Sequence[LogisticRegressionStep], title: str) -> None:
        heights = np.array([step.objective for step in steps])
        last = len(steps) - 1
        self.panel = step_panel("height", "height", last, heights, f"{title} after each step", 0.1)
        self._places = np.column_stack([np.arange(len(steps)), heights])

    def marks(self, number: int) -> list[Mark]:
        """Return the curve up to a step."""
        vertices = vertices_until(len(self._places), number)
        return list(path_until(self._places[vertices], len(vertices), panel="height"))
