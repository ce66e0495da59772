"""The variants as pictures: the line or strip of a step, the regions so far, the tree, and its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.tree_drawing_scene import Drawing, Shot, tree_marks, tree_panel, whole
from dmlib.classification.tree_variants.ledger import Teller, term_names
from dmlib.classification.tree_variants.linear_tree import LinearTree, condition
from dmlib.classification.tree_variants.oblivious import ObliviousTree
from dmlib.classification.tree_variants.variant import VariantStep
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Raster
from dmlib.pictures.motion import path, thin, thinned_note, xy
from dmlib.pictures.plane import across, data_scene
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    held_note,
    image_samples,
    query_handle,
    region_panel,
    shade_of,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.tree_layout import fitting
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

MOST_FRAMES = 50
MOST_TREES = 25  # trees of different shape that are drawn
COARSE = 40  # pixels along each side of the image of a step
FADED = 0.15  # opacity of rows that are not in the node, or have not arrived


class VariantDrawing(Drawing):
    """A tree of one of the variants with a place for each node."""

    def __init__(
        self, tree: LinearTree, problem: Problem, codes: Sequence[int], names: Sequence[str], terms: Floats
    ) -> None:
        super().__init__(cast(Tree, tree), problem, codes)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "terms", terms)

    def _lines(self, node: int, room: float) -> list[tuple[float, str]]:
        tree = cast(LinearTree, self.tree)
        if tree.is_leaf[node]:
            return [(9.0, fitting(self.problem.classes[self.codes[tree.answers[node]]], room))]
        names: Sequence[str] = vars(self)["names"]
        weights, at = tree.weights[node], float(tree.thresholds[node])
        written = condition(names, weights, at, 2, vars(self)["terms"])
        columns = ", ".join(names[i] for i in np.argsort(-np.abs(weights), kind="stable") if weights[i] != 0)
        return [(9.0, written if len(written) <= room else fitting(columns, room))]

    @cached_property
    def values(self) -> list[tuple[int, str]]:
        """Return nothing: no test has names for its branches."""
        return []


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    shown: Sequence[VariantStep]  # the steps that are drawn

    @cached_property
    def codes(self) -> list[int]:
        """The codes of the classes that the tree knows."""
        return [int(code) for code in self.model.classes_]

    @cached_property
    def names(self) -> list[str]:
        """What the numbers that are asked are called."""
        return term_names(self.problem, self.model)

    @cached_property
    def terms(self) -> Floats:
        """The numbers that are asked, shape (n_samples, n_terms)."""
        return np.asarray(self.model.terms_of(self.problem.data))

    @property
    def last(self) -> LinearTree:
        """The finished tree."""
        return self.shown[-1].tree


def tree_variants_scene(run: Run) -> Scene:
    """Draw how an oblivious, fuzzy, oblique or incremental tree grows.

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
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    steps: Sequence[VariantStep] = trace.steps
    kept = chosen_steps(steps)
    picture = Picture(problem, run.fitted, [steps[i] for i in kept])
    teller = Teller(problem, picture.model, steps, run.asked)
    plane, errors = region_panel(problem), _errors(picture)
    marks = [
        *_regions(picture, run.surface, plane),
        *_lines(picture, plane),
        class_points(problem, opacity=_opacity(picture)),
        *_tree(picture),
        *_curves(errors),
    ]
    top = Axis("error", *bounds(np.concatenate([*errors.values(), [0.0]]), 0.12))
    last = max(len(kept) - 1, 1)
    panels = (
        plane,
        tree_panel("tree", f"Tree: {count(picture.last.n_leaves, 'leaf', 'leaves')} (left branch: true)"),
        Panel("error", Axis("step", -0.02 * last, 1.02 * last, integer=True), top, "Error", side=True),
    )
    return Scene(
        panels, marks, Deferred(teller.frame, picture.shown), _notes(picture, steps, kept, errors),
        (query_handle(run.asked),), class_legend(problem),
    )  # fmt: skip


def chosen_steps(steps: Sequence[VariantStep]) -> NDArray[np.intp]:
    """Return the steps that are drawn: of rows that arrive those that change a test, the first few and the last."""
    every = np.arange(len(steps))
    arriving = [i for i in every.tolist() if steps[i].phase == "same"]
    some = [i for i in every.tolist() if steps[i].phase != "same" or i < 4]
    kept = np.array(some if arriving else every)
    return kept[thin(len(kept), MOST_TREES if arriving else MOST_FRAMES)]


def _notes(
    picture: Picture, steps: Sequence[VariantStep], kept: NDArray[np.intp], errors: dict[str, Floats]
) -> tuple[str, ...]:
    arriving = any(step.phase == "same" for step in steps)
    some = ("Rows that change no test have no frame of their own.",) if arriving else thinned_note(kept)
    curves = "Error: grey is the training error" + (", in colour the test error." if "test" in errors else ".")
    return (*picture.problem.notes, *held_note(picture.problem), curves, *some)


# --- the plane --------------------------------------------------------------------------------------------------------


def _regions(picture: Picture, last: Raster, panel: Panel) -> list[Raster]:
    """Return the classes that the tree of each step predicts, coarsely, and at the end finely."""
    samples, pixel = image_samples(picture.problem, picture.model, COARSE)
    terms = picture.model.terms_of(samples)

    def image(step: VariantStep) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        winner, sure = surest(step.tree.predict(terms))
        return np.array(picture.codes, np.uint8)[winner][pixel], shade_of(sure)[pixel]

    images = Deferred(image, picture.shown)
    frames = range(len(picture.shown))
    winner, shade = (Deferred(lambda i, part=part: images[i][part], frames) for part in range(2))
    return coarse_surfaces(winner, shade, COARSE, last, panel)


def _lines(picture: Picture, panel: Panel) -> list[Line]:
    """Return the line of each step's test and the edges of its strip; of an oblivious tree those of all its levels."""
    problem = picture.problem
    shown = np.abs(problem.plane.basis).sum(axis=0) > 0
    terms = picture.model._terms
    if any(shown[j] and code >= 0 for j, code in zip(terms.source, terms.value, strict=True)):
        return []  # of names there is no line
    middle, strip = [], []
    for number, step in enumerate(picture.shown):
        about = [step] if step.weights is not None else []
        if isinstance(picture.model, ObliviousTree):
            about = [each for each in picture.shown[: number + 1] if each.phase == "level"]
        middle.append(_ends(picture, panel, [(each, 0.0) for each in about]))
        edges = [(each, side * each.width / 2) for each in about for side in (-1, 1) if each.width]
        strip.append(_ends(picture, panel, edges))
    x, y = xy(middle)
    side_x, side_y = xy(strip)
    return [Line(x=x, y=y, color="ink", width=2.5), Line(x=side_x, y=side_y, color="ink", width=1.2, dash=True)]


def _ends(picture: Picture, panel: Panel, tests: Sequence[tuple[VariantStep, float]]) -> Floats | None:
    """Return where the lines of tests cross the panel, interrupted by NaN."""
    plane, terms = picture.problem.plane, picture.model._terms
    base = picture.model.terms_of(picture.problem.table(plane.base[None]))[0]
    pairs = zip(terms.source, terms.value, strict=True)
    slopes = np.array([plane.basis[:, j] if code < 0 else np.zeros(2) for j, code in pairs])
    found = []
    for step, shift in tests:
        assert step.weights is not None
        ends = across(float(step.weights @ base), step.weights @ slopes, step.threshold + shift, panel)
        found += [ends, np.full((1, 2), np.nan)]
    return np.vstack(found) if found else None


def _opacity(picture: Picture) -> PerFrame | None:
    """Return opacities that fade training rows outside the node of a step, or that have not arrived."""
    problem, rows = picture.problem, []
    if len(problem.X) * len(picture.shown) > 30_000:
        return None
    clear = np.ones(1)
    for step in picture.shown:
        if step.rows is None or len(step.rows) == len(problem.trained):
            rows.append(clear)
            continue
        opacity = np.full(len(problem.X), FADED)
        opacity[problem.trained[step.rows]] = 1.0
        rows.append(opacity)
    return PerFrame(rows)


# --- beside it --------------------------------------------------------------------------------------------------------


def _tree(picture: Picture) -> list[Mark]:
    """Return the tree of each step; trees of the same shape stand in the same place."""
    growing = not any(step.phase in ("same", "grow", "revise") for step in picture.shown)
    drawings: dict[int, VariantDrawing] = {}
    shots, current = [], []
    for step in reversed(picture.shown):
        key = 0 if growing else id(step.tree.weights)
        drawing = drawings.setdefault(
            key, VariantDrawing(step.tree, picture.problem, picture.codes, picture.names, picture.terms)
        )
        n, here = drawing.tree.node_count, step.tree
        if growing:
            there, leaf = np.arange(n) < here.node_count, np.ones(n, bool)
            leaf[: here.node_count] = here.is_leaf
            shots.append(Shot(drawing, there, drawing.tree.parents, leaf))
        else:
            shots.append(whole(drawing))
        current.append(_about(picture, step))
    return tree_marks("tree", shots[::-1], [None] * len(shots), current[::-1])


def _about(picture: Picture, step: VariantStep) -> list[int]:
    """Return the nodes that a step is about."""
    if step.node < 0:
        return []
    if isinstance(picture.model, ObliviousTree):
        depths = step.tree.depths
        return [int(node) for node in np.flatnonzero(depths == min(step.node, int(depths.max())))]
    return [step.node]


def _errors(picture: Picture) -> dict[str, Floats]:
    """Return the training error after each step, and the test error if there are test rows."""
    parts = {"training": picture.problem.training}
    parts |= {} if picture.problem.testing is None else {"test": picture.problem.testing}
    found = {}
    for name, part in parts.items():
        terms, y = picture.model.terms_of(part.data), np.asarray(part.y)
        made: dict[int, float] = {}
        codes = np.array(picture.codes)
        for step in picture.shown:
            if id(step.tree) not in made:
                made[id(step.tree)] = float((codes[step.tree.predict(terms).argmax(axis=1)] != y).mean())
        found[name] = np.array([made[id(step.tree)] for step in picture.shown])
    return found


def _curves(errors: dict[str, Floats]) -> list[Mark]:
    steps = np.arange(len(errors["training"]))
    reached = range(1, len(steps) + 1)
    x, y = xy(np.column_stack([steps, errors["training"]])[:n] for n in reached)
    marks: list[Mark] = [Line(panel="error", x=x, y=y, color="muted")]
    if "test" in errors:
        marks += path(np.column_stack([steps, errors["test"]]), reached, panel="error")
    return marks
