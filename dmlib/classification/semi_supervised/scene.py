"""Semi-supervised and active learning as pictures: labels that spread over the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.semi_supervised.active_learning import ActiveLearner
from dmlib.classification.semi_supervised.canvas_scene import Canvas, ErrorCurve
from dmlib.classification.semi_supervised.graph_classifier import GraphClassifier, SpreadingStep
from dmlib.classification.semi_supervised.graph_ledger import GraphNarrator
from dmlib.classification.semi_supervised.ledger import RoundNarrator
from dmlib.classification.semi_supervised.random_order_scene import random_order_errors
from dmlib.classification.semi_supervised.round_step import RoundStep
from dmlib.pictures.marks import Mark, Segments
from dmlib.pictures.places import segments_between, visible_if
from dmlib.pictures.regions import held_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.problem import Problem

FIRST = 6  # iterations, the start included, that have a frame however long the run is
MAX_EDGES = 2000  # that are drawn, the heaviest ones
PALE = 0.35  # opacity of a row whose two best classes are even
EVEN = 1e-9  # a lead of rounding only
WIDE = 3.0  # pixels of the edges over which a row takes its shares


@needs_steps
def semi_supervised_scene(run: Run[Problem, Any]) -> Scene:
    """Draw a run of self-training, label propagation, label spreading or active learning.

    There is a frame for the start, for each round or iteration, and for the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SelfTrainingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": 0.0, "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = semi_supervised_scene(Run.of(problem, SelfTrainingClassifier(n_labeled=1)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'label', 'done']
    """
    is_graph = isinstance(run.model, GraphClassifier)
    return _graph_scene(run) if is_graph else _round_scene(run)


def _round_scene(run: Run[Problem, Any]) -> Scene:
    canvas, steps = Canvas(run), run.trace.steps
    narrator = RoundNarrator(run, canvas)
    numbers = [step.n_labels for step in steps]
    is_active = isinstance(run.model, ActiveLearner)
    dashed = run.once("random order", lambda: random_order_errors(run)) if is_active else ()
    curve = ErrorCurve(numbers, [step.error for step in steps], "labelled rows", dashed)

    def draw(moment: Moment) -> Drawing:
        step: RoundStep = moment.step
        marks: tuple[Mark, ...] = (
            *canvas.regions(moment),
            *canvas.rows(step.labels, new=step.rows),
            *curve.marks(moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(canvas.panel, *curve.panels),
        legend=canvas.legend,
        notes=held_note(run.problem),
        max_frames=canvas.max_frames,
    )


def _graph_scene(run: Run[Problem, GraphClassifier]) -> Scene:
    canvas, steps = Canvas(run), run.trace.steps
    narrator = GraphNarrator(run, canvas)
    curve = ErrorCurve([step.iteration for step in steps], [s.error for s in steps], "iteration")
    edges = _edges(canvas, narrator)

    def draw(moment: Moment) -> Drawing:
        step: SpreadingStep = moment.step
        lead = _lead(step.label_distributions)
        answers = np.where(lead > EVEN, step.answers, -1)
        marks: tuple[Mark, ...] = (
            *canvas.regions(moment),
            edges,
            visible_if(step.phase == "spread", _votes(canvas, narrator, step)),
            *canvas.rows(answers, np.where(answers < 0, 1.0, PALE + (1 - PALE) * lead)),
            *curve.marks(moment.index),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(canvas.panel, *curve.panels),
        legend=canvas.legend,
        notes=(*held_note(run.problem), *_edge_note(narrator)),
        also=range(min(FIRST, len(steps))),
        max_frames=canvas.max_frames,
    )


def _edges(canvas: Canvas, narrator: GraphNarrator) -> Segments:
    """Return the edges of the graph, of very many the heaviest."""
    entries = narrator.weights.tocoo()
    once = entries.row < entries.col
    starts, ends, weights = entries.row[once], entries.col[once], entries.data[once]
    heaviest = np.argsort(-weights, kind="stable")[:MAX_EDGES]
    return segments_between(
        canvas.places(starts[heaviest]),
        canvas.places(ends[heaviest]),
        size=0.25 + 0.5 * weights[heaviest],
        of="",
    )


def _edge_note(narrator: GraphNarrator) -> tuple[str, ...]:
    n_edges = narrator.weights.nnz // 2
    if n_edges <= MAX_EDGES:
        return ()
    return (f"Of {n_edges:,} edges the {MAX_EDGES:,} heaviest are drawn.",)


def _votes(canvas: Canvas, narrator: GraphNarrator, step: SpreadingStep) -> Segments:
    """Return the edges over which the first row that is explained takes its shares."""
    rows = np.array(narrator.explained(step)[:1], np.intp)
    neighbors = narrator.neighbors(rows[0])[0] if len(rows) else rows
    starts = canvas.places(np.resize(rows, len(neighbors)))
    return segments_between(starts, canvas.places(neighbors), width=WIDE, of="")


def _lead(shares: Floats) -> Floats:
    """Return the lead of each row's largest share over the second; 0 without any."""
    second, first = np.sort(np.column_stack([shares, np.zeros(len(shares))]), axis=1)[:, -2:].T
    lead: Floats = first - second
    return lead
