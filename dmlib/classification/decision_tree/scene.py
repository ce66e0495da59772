"""A decision tree as a picture: the tree and its regions grow, are pruned, and a row walks down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.candidates_scene import candidate_marks
from dmlib.classification.decision_tree.drawing_scene import TreeDrawing
from dmlib.classification.decision_tree.growth_scene import NodeSpan, TimedMark, makers, replay
from dmlib.classification.decision_tree.ledger import Narrator
from dmlib.classification.decision_tree.plan_scene import QUERY_PHASES, ROOT, Event, plan
from dmlib.classification.tree_regions_scene import Box, axis_of, border_lines, upright
from dmlib.pictures.marks import Line, Points, Raster, Rects, Segments
from dmlib.pictures.places import line_through, visible_if
from dmlib.pictures.regions import case_notes, case_points, class_legend, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Handle, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.pictures.tree_layout import layout
from dmlib.problem import Problem
from dmlib.trees.steps import DecisionTreeStep

MAX_NODES = 600  # nodes that are drawn; the levels below are left out
MAX_FADED = 8_000  # rows times frames up to which the rows outside a node are faded
FAINT, STRONG = 0.10, 0.36  # opacity of a region with even classes, and of one with a single class
FADED = 0.18  # opacity of rows outside the node

Boxes = Mapping[int, tuple[Box, ...]]


def decision_tree_scene(run: Run[Problem, DecisionTreeClassifier]) -> Scene:
    """Draw how a tree grows, how it is pruned, and the path of a query.

    There is a frame for the root; one for each node, level by level; for each comparison of
    pruning; for the finished tree; then the path of the query. The option ``draft`` of the run is
    the path of the node whose split the reader is still choosing: the picture ends there.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uvuv"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> query = problem.query((1.0, 0.0))
    >>> scene = decision_tree_scene(Run.of(problem, DecisionTreeClassifier(), query=query))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'split', 'leaf', 'leaf', 'done', 'walk', 'classify']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, steps, model = run.problem, run.trace.steps, run.fitted
    events, played = plan(steps, run.current_query.x, run.options.get("draft"))
    spans = replay(problem, steps, played, len(events))
    children = {
        step.node: step.children for step in steps if step.phase == "split" and step.children
    }
    narrator = Narrator(problem, steps, run.current_query, model)
    tree = TreeDrawing(problem, layout(_upper(children)), spans, narrator.codes)
    regions, borders = _regions(spans, narrator.codes), _borders(spans)
    boxes = {s.node: s.boxes for s in spans}
    parents = {node: step.parent for node, step in makers(steps).items()}
    rows = case_points(problem, model, region_panel(problem))
    opacity = _fading(problem, steps, len(events))

    def draw(moment: Moment) -> Drawing:
        event: Event = moment.step
        nodes = [node for node in event.nodes if node in tree.layout.x]
        path = [edge for edge in _path(parents, event.nodes) if edge[1] in tree.layout.x]
        marks = (
            *_image(run, event),
            regions.at(moment.index),
            borders.at(moment.index),
            _outline(boxes, event),
            *_candidates(problem, boxes, event, narrator.max_candidates),
            replace(rows, opacity=opacity(event)),
            *tree.marks(moment.index, nodes, path),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), event.phase)

    scene = story(
        run,
        draw,
        panels=(region_panel(problem), tree.panel),
        steps=events,
        legend=class_legend(problem),
        handles=(*_cut_handle(problem, events[-1]), query_handle(run.current_query)),
        notes=(*case_notes(problem, model), *_notes(problem, tree, len(parents))),
        max_frames=len(events),
    )
    return replace(scene, notes=_with_missing(scene.notes, model))


def _notes(problem: Problem, tree: TreeDrawing, n_nodes: int) -> tuple[str, ...]:
    notes = []
    if not upright(problem.plane):
        slanted = "In this view splits are not axis-parallel"
        notes.append(f"{slanted}, so that regions are drawn for the finished tree only.")
    if len(tree.layout.x) < n_nodes:
        levels = f"the first {tree.layout.height} levels below the root"
        notes.append(f"Of the tree only {levels} are drawn; the regions are all.")
    return tuple(notes)


def _with_missing(notes: Sequence[str], model: DecisionTreeClassifier) -> Sequence[str]:
    """Return the notes; if missing is a separate category, no value is skipped."""
    if model.missing != "category":
        return notes
    skipped, category = "only those values are skipped", "missing is a separate category"
    return tuple(note.replace(skipped, category) for note in notes)


def _upper(children: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return the children of the nodes in as many upper levels as can be drawn."""
    level, count, upper = [ROOT], 1, {}
    while level:
        below = {node: children[node] for node in level if node in children}
        count += sum(map(len, below.values()))
        if count > MAX_NODES:
            break
        upper.update(below)
        level = list(chain.from_iterable(below.values()))
    return upper


# --- marks --------------------------------------------------------------------------------------


def _image(run: Run[Problem, DecisionTreeClassifier], event: Event) -> tuple[Raster, ...]:
    """Return the regions of the finished tree as an image, where they are no rectangles."""
    if upright(run.problem.plane):
        return ()
    is_finished = event.step is not None and event.step.tree is not None
    return (visible_if(is_finished, run.surface),)


def _regions(spans: Sequence[NodeSpan], codes: Sequence[int]) -> TimedMark[Rects]:
    """Return the boxes of the leaves, whose opacity is their purity."""
    pairs = [(box, leaf) for leaf in spans if leaf.split is None for box in leaf.boxes]
    leaves = [leaf for _, leaf in pairs]
    corners = [(box.x0, box.x1, box.y0, box.y1) for box, _ in pairs]
    x0, x1, y0, y1 = np.array(corners, float).reshape(-1, 4).T
    boxes = Rects(
        x0=x0,
        x1=x1,
        y0=y0,
        y1=y1,
        color=[codes[leaf.winner] for leaf in leaves],
        opacity=[FAINT + (STRONG - FAINT) * _lead(leaf.shares) for leaf in leaves],
    )
    return TimedMark(boxes, leaves)


def _lead(shares: Floats) -> float:
    """Return the frequency of the majority class minus that of the second."""
    ordered = np.sort(np.append(shares, 0.0))
    return float(ordered[-1] - ordered[-2])


def _borders(spans: Sequence[NodeSpan]) -> TimedMark[Segments]:
    """Return the lines that the splits draw."""
    pairs = [(border, node) for node in spans for border in node.borders]
    lines = border_lines([border for border, _ in pairs], 1.5)
    return TimedMark(lines, [node for _, node in pairs])


def _candidates(
    problem: Problem, boxes: Boxes, event: Event, max_candidates: int
) -> tuple[Rects, Points]:
    """Return the candidates in the table, at the node that they would split."""
    step = event.step
    if step is None or step.phase not in ("split", "leaf"):
        return candidate_marks(problem.plane, None, (), max_candidates)
    boxes_of_node = boxes.get(step.node, ())
    return candidate_marks(problem.plane, step.candidates, boxes_of_node, max_candidates)


def _outline(boxes: Boxes, event: Event) -> Line:
    """Return the outline of the nodes of an event."""
    corners: list[tuple[float, float]] = []
    for box in chain.from_iterable(boxes.get(node, ()) for node in event.nodes):
        corners += [*box.corners, (np.nan, np.nan)]
    return line_through(corners, color="ink", width=2.5)


def _fading(
    problem: Problem, steps: Sequence[DecisionTreeStep], n_frames: int
) -> Callable[[Event], Floats | None]:
    """Return the opacities of rows by event, faded outside its nodes; None for large runs."""
    n = len(problem.X)
    if n * n_frames > MAX_FADED:
        return lambda event: None
    inside = {node: problem.trained[step.rows] for node, step in makers(steps).items()}

    def opacity(event: Event) -> Floats:
        if event.phase in QUERY_PHASES or event.nodes in ((), (ROOT,)):
            return np.ones(1)
        opacities = np.full(n, FADED)
        for node in event.nodes:
            opacities[inside[node]] = 1.0
        return opacities

    return opacity


def _path(parents: Mapping[int, int], nodes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the edges from the root to nodes, each once."""
    edges: dict[tuple[int, int], None] = {}
    for node in nodes:
        child = node
        while parents[child] >= 0:
            edges[parents[child], child] = None
            child = parents[child]
    return list(edges)


def _cut_handle(problem: Problem, last: Event) -> list[Handle]:
    """Return the handle of the split that the reader is choosing, where it is axis-parallel."""
    chosen = last.step.chosen if last.phase == "choose" and last.step is not None else None
    if chosen is None or chosen.test is not None:
        return []
    cut, axis = chosen.split.cut, axis_of(problem.plane, chosen.split.column)
    if axis is None or cut is None:
        return []
    if axis == 0:
        return [Handle("split", "data", "your split", "x", cut, None)]
    return [Handle("split", "data", "your split", "y", None, cut)]
