"""The variants as pictures: the line or strip of a step, the regions, the tree, its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Bytes, Floats
from dmlib.classification.staged_scene import ErrorCurves
from dmlib.classification.tree_variants.info_fuzzy import InfoFuzzyNetwork
from dmlib.classification.tree_variants.ledger import Narrator
from dmlib.classification.tree_variants.network_ledger import NetworkNarrator
from dmlib.classification.tree_variants.network_scene import Network
from dmlib.classification.tree_variants.oblivious import ObliviousTree
from dmlib.classification.tree_variants.trees_scene import VariantTrees
from dmlib.classification.tree_variants.variant import VariantStep, VariantTree
from dmlib.pictures.marks import Line
from dmlib.pictures.motion import thin
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.plane import across
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    image_samples,
    query_handle,
    region_panel,
    shade_of,
    step_surfaces,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Fold, Moment, data_alone, story
from dmlib.problem import Problem

MAX_FRAMES = 50
MAX_TREES = 25  # trees of different shape that are drawn
FIRST_ROWS = 4  # rows that have a frame even if they change no test
COARSE = 40  # pixels along each side of the image of a step
MAX_FADED = 30_000  # rows times frames up to which the rows outside a node are faded
FADED = 0.15  # opacity of rows that are not in the node, or have not arrived


def tree_variants_scene(run: Run[Problem, VariantTree]) -> Scene:
    """Draw how an oblivious, fuzzy, oblique or incremental tree, or an info-fuzzy network, grows.

    Parameters
    ----------
    run : Run
        Steps of one of the variants.

    Returns
    -------
    Scene
        One frame a step; of rows that arrive, those that change a test.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> scene = tree_variants_scene(Run.of(problem, ObliviousTree(significance=1.0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'level', 'done']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model = run.problem, run.fitted
    steps, note = _steps_with_trees(run.trace.steps)
    plane = region_panel(problem)
    trees, narrator = _drawing_and_words(run, steps)
    lines = trees.borders if isinstance(trees, Network) else SplitLines(problem, model).marks
    regions = CoarseRegions(problem, model)
    errors = {name: _errors(model, steps, part) for name, part in _parts(problem).items()}
    curves, error_panel = _curves(errors)
    rows = class_points(problem)
    is_faded = len(problem.X) * min(len(steps), MAX_FRAMES) <= MAX_FADED

    def draw(moment: Moment) -> Drawing:
        step: VariantStep = moment.step
        image = None if moment.is_last else regions.image(step)
        marks = (
            *step_surfaces(image, COARSE, run.surface, plane),
            *lines(step, plane, moment.so_far),
            replace(rows, opacity=_opacity(problem, step)) if is_faded else rows,
            *trees.marks(step),
            *curves.marks(moment.index + 1),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plane, trees.panel, error_panel),
        steps=steps,
        fold=Fold((), _levels),
        legend=class_legend(problem),
        handles=(query_handle(run.current_query),),
        notes=(*held_note(problem), _curve_note(errors), *note),
        max_frames=MAX_FRAMES,
    )


def _drawing_and_words(
    run: Run[Problem, VariantTree], steps: Sequence[VariantStep]
) -> tuple[VariantTrees | Network, Narrator | NetworkNarrator]:
    """Return what draws the trees, and what says captions and ledgers."""
    told = run.trace.steps, run.current_query
    if isinstance(run.fitted, InfoFuzzyNetwork):
        network = Network(run.problem, run.fitted, steps)
        return network, NetworkNarrator(run.problem, run.fitted, *told)
    return VariantTrees(run.problem, run.fitted, steps), Narrator(run.problem, run.fitted, *told)


def _steps_with_trees(steps: Sequence[VariantStep]) -> tuple[Sequence[VariantStep], Sequence[str]]:
    """Return the steps whose trees are drawn, and the note that says which.

    Of rows that arrive those that change a test, the first few and the last; of steps of
    backfitting some, evenly spaced.
    """
    moved = [i for i, step in enumerate(steps) if step.phase == "backfit"]
    if len(moved) > MAX_TREES:
        kept = {moved[i] for i in thin(len(moved), MAX_TREES)}
        return [step for i, step in enumerate(steps) if i in kept or i not in moved], ()
    if not any(step.phase == "same" for step in steps):
        return steps, ()
    changes = [step for i, step in enumerate(steps) if step.phase != "same" or i < FIRST_ROWS]
    # Each of these trees has marks of its own, those of trees without a frame too.
    note = "Rows that change no test have no frame of their own."
    return [changes[i] for i in thin(len(changes), MAX_TREES)], (note,)


def _levels(levels: tuple[VariantStep, ...], step: VariantStep) -> tuple[VariantStep, ...]:
    """Return the levels of an oblivious tree so far."""
    return (*levels, step) if step.phase == "level" else levels


# --- the plane ----------------------------------------------------------------------------------


class CoarseRegions:
    """Coarse images of the classes that the trees of steps predict.

    Parameters
    ----------
    problem : Problem
        The data.
    model : VariantTree
        Fitted to the training samples.
    """

    def __init__(self, problem: Problem, model: VariantTree) -> None:
        samples, self._pixel = image_samples(problem, model, COARSE)
        self._terms = model.terms_of(samples)
        self._codes = np.asarray(model.classes_, np.uint8)

    def image(self, step: VariantStep) -> tuple[Bytes, Bytes]:
        """Return the class of each pixel, and its confidence."""
        winner, sure = surest(step.tree.predict(self._terms))
        return self._codes[winner][self._pixel], shade_of(sure)[self._pixel]


class SplitLines:
    """The line of a test in the plane, and the edges of its strip; none for nominal tests.

    Parameters
    ----------
    problem : Problem
        The data.
    model : VariantTree
        Fitted to the training samples.
    """

    def __init__(self, problem: Problem, model: VariantTree) -> None:
        plane, self.is_oblivious = problem.plane, isinstance(model, ObliviousTree)
        pairs = list(zip(model._terms.source, model._terms.value, strict=True))
        is_shown = np.abs(plane.basis).sum(axis=0) > 0
        self.has_lines = not any(is_shown[j] and code >= 0 for j, code in pairs)
        self._base = model.terms_of(problem.table(plane.base[None]))[0]
        slopes = [plane.basis[:, j] if code < 0 else np.zeros(2) for j, code in pairs]
        self._slopes = np.array(slopes)

    def marks(
        self, step: VariantStep, panel: Panel, levels: Sequence[VariantStep]
    ) -> tuple[Line, ...]:
        """Return the lines of a step's test; of an oblivious tree those of all levels so far."""
        if not self.has_lines:
            return ()
        steps = levels if self.is_oblivious else [step] if step.weights is not None else []
        middles = [self._ends(each, panel, 0.0) for each in steps]
        edges = [
            self._ends(each, panel, side * each.width / 2)
            for each in steps
            for side in (-1, 1)
            if each.width
        ]
        return (
            line_through(np.concatenate([NOWHERE, *middles]), color="ink", width=2.5),
            line_through(np.concatenate([NOWHERE, *edges]), color="ink", width=1.2, dash=True),
        )

    def _ends(self, step: VariantStep, panel: Panel, shift: float) -> Floats:
        """Return the ends of a line parallel to that of a test in the panel, and a gap."""
        assert step.weights is not None
        start, slopes = float(step.weights @ self._base), step.weights @ self._slopes
        ends = across(start, slopes, step.threshold + shift, panel)
        return np.vstack([ends, np.full((1, 2), np.nan)])


def _opacity(problem: Problem, step: VariantStep) -> Floats:
    """Return the opacities of rows: training rows outside the node are faded."""
    if step.rows is None or len(step.rows) == len(problem.trained):
        return np.ones(1)
    opacity = np.full(len(problem.X), FADED)
    opacity[problem.trained[step.rows]] = 1.0
    return opacity


# --- beside it ----------------------------------------------------------------------------------


def _parts(problem: Problem) -> dict[str, Any]:
    """Return the training rows and, where there are some, the test rows."""
    testing = {} if problem.testing is None else {"test": problem.testing}
    return {"training": problem.training, **testing}


def _errors(model: VariantTree, steps: Sequence[VariantStep], part: Any) -> Floats:
    """Return the error of each step's tree on some rows; several steps may have the same tree."""
    terms, y = model.terms_of(part.data), np.asarray(part.y)
    trees = {id(step.tree): step.tree for step in steps}
    errors = {
        key: float((model.classes_[tree.predict(terms).argmax(axis=1)] != y).mean())
        for key, tree in trees.items()
    }
    return np.array([errors[id(step.tree)] for step in steps])


def _curves(errors: dict[str, Floats]) -> tuple[ErrorCurves, Panel]:
    """Return the curves of the errors, and their panel."""
    low, high = bounds(np.concatenate([*errors.values(), [0.0]]), 0.12)
    curves = ErrorCurves("step", errors["training"], None, errors.get("test"), high)
    return curves, replace(curves.panel, y=Axis("error", low, high), title="Error")


def _curve_note(errors: dict[str, Floats]) -> str:
    test = ", in colour the test error" if "test" in errors else ""
    return f"Error: grey is the training error{test}."
