"""X-means as a picture: every cut with the two BICs that judge it, and the BIC of each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dmlib.clustering.kmeans_variants.cuts_scene import curve_marks, cuts_story, trial_clustering
from dmlib.clustering.kmeans_variants.xmeans import XMeans
from dmlib.clustering.kmeans_variants.xmeans import XMeansStep as Step
from dmlib.clustering.kmeans_variants.xmeans_ledger import PROGRESS, xmeans_ledger
from dmlib.pictures.marks import Mark
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Moment, needs_steps
from dmlib.problem import Problem


@needs_steps
def xmeans_scene(run: Run[Problem, XMeans]) -> Scene:
    """Draw X-means, one frame per step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import XMeans
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0, 0, 2, 2, 10, 10, 14, 14], "b": [0, 2, 0, 2, 0, 4, 0, 4]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = xmeans_scene(Run.of(problem, XMeans(1, random_state=0)))
    >>> print(scene.frames[1].caption)
    Cluster 1 is split: one centre has the BIC −48.9015, two have −42.1183, which is higher.
    """
    problem, steps = run.problem, run.trace.steps
    clusterings = [
        replace(trial_clustering(step), is_nearest=step.cluster is None) for step in steps
    ]
    ledger = partial(xmeans_ledger, problem)
    return cuts_story(run, clusterings, ledger, [_bic_panel(steps)], _bic_marks, PROGRESS)


def _bic_panel(steps: Sequence[Step]) -> Panel:
    rounds = [step for step in steps if step.phase == "improve_params"]
    sizes = [len(step.centers) for step in rounds]
    low, high = bounds([step.score.bic for step in rounds], 0.12)
    x = Axis("clusters", min(sizes) - 0.5, max(*sizes, min(sizes) + 1) + 0.5, integer=True)
    title = "BIC of all rows, round by round"
    return Panel("bic", x, Axis("BIC", low, high), title=title, side=True)


def _bic_marks(moment: Moment) -> Sequence[Mark]:
    curve = [(len(step.centers), step.score.bic) for step in moment.so_far.rounds]
    return curve_marks("bic", curve, moment.step.round - 1)
