"""A decision tree as a picture: the tree and its regions grow together, are pruned, and a row walks down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.candidates_scene import candidate_marks
from dmlib.classification.decision_tree.drawing_scene import Drawing, tree_marks, tree_panel
from dmlib.classification.decision_tree.growth_scene import ROOT, Standing, makers, replay, standing_so
from dmlib.classification.decision_tree.ledger import MANY, Teller
from dmlib.classification.decision_tree.walk_scene import Part, walk
from dmlib.classification.tree_regions_scene import Box, axis_of, upright
from dmlib.pictures.marks import Line, PerFrame, Raster, Rects, Segments
from dmlib.pictures.motion import thin, when
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Handle, Scene
from dmlib.pictures.tree_layout import layout
from dmlib.problem import Problem, Query
from dmlib.trees.splits import Candidates
from dmlib.trees.steps import DecisionTreeStep

MOST_FRAMES = 80  # steps that are shown; of more, several come at once
MOST_DRAWN = 600  # nodes that are drawn; the levels below are left out
MOST_FADED = 8_000  # rows times frames up to which the rows outside a node are faded
FAINT, STRONG = 0.10, 0.36  # opacity of a region whose classes are even, and of one with a single class
FADED = 0.18  # opacity of rows outside the node


@dataclass(frozen=True)
class Moment:
    """What a frame shows."""

    frame: Frame  # its words
    nodes: tuple[int, ...]  # the nodes that it is about
    step: DecisionTreeStep | None = None  # the last step that has been made
    asked: bool = False  # whether the query is on its way down


def decision_tree_scene(run: Run) -> Scene:
    """Draw how a tree grows, how it is pruned, and how a place or sample goes down.

    There is a frame for the root; one for each node, level by level; for each comparison of pruning; for the finished
    tree; then the way of the query. The option ``draft`` of the run is the path of the node whose split the reader is
    still choosing: the picture ends there.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uvuv"), "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = decision_tree_scene(Run.of(problem, DecisionTreeClassifier(), query=problem.query((1.0, 0.0))))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'split', 'leaf', 'leaf', 'done', 'walk', 'classify']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    model, query, draft = run.fitted, run.asked, run.options.get("draft")
    steps: Sequence[DecisionTreeStep] = trace.steps
    shown, played = _plan(steps, draft)
    teller = Teller(problem, steps, query, model)
    trying = shown[-1] if shown and shown[-1].path == draft else None
    moments = [Moment(teller.start(), (ROOT,))]
    for step in shown:
        frame = teller.choose(step, shown[:-1]) if step is trying else teller.frame(step)
        moments.append(Moment(frame, (step.node,), step))
    if trying is None:
        moments += _end(teller, steps[-1], query)
    standing = replay(problem, steps, played, len(moments))
    children = {step.node: step.children for step in steps if step.phase == "split" and step.children}
    drawing = Drawing(problem, layout(_upper(children)), standing, teller.codes, len(moments))
    drawn = drawing.layout.x
    marks = (
        *_images(problem, run, moments),
        _regions(standing, teller.codes, len(moments)),
        _borders(standing, len(moments)),
        _outline(standing, moments),
        *candidate_marks(problem.plane, _competing(standing, moments), teller.longest),
        class_points(problem, opacity=_fading(problem, steps, moments)),
        *tree_marks(
            drawing,
            [[node for node in moment.nodes if node in drawn] for moment in moments],
            [[edge for edge in way if edge[1] in drawn] for way in _ways(steps, moments)],
        ),
    )
    handles = (*_cut_handle(problem, trying), query_handle(query))
    notes = (*_data_notes(problem, model), *held_note(problem), *_slanted_note(problem))
    notes += _depth_note(drawing, len(makers(steps)))
    return Scene(
        (region_panel(problem), tree_panel(drawing)), marks, [m.frame for m in moments], notes, handles,
        class_legend(problem),
    )  # fmt: skip


def _data_notes(problem: Problem, model: DecisionTreeClassifier) -> tuple[str, ...]:
    """Return the notes on the data; if missing is a separate category, no value is skipped."""
    if model.missing != "category":
        return problem.notes
    return tuple(
        note.replace("only those values are skipped", "missing is a separate category") for note in problem.notes
    )


def _slanted_note(problem: Problem) -> tuple[str, ...]:
    if upright(problem.plane):
        return ()
    return ("In this view splits are not axis-parallel, so that regions are drawn for the finished tree only.",)


def _upper(children: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return the children of the nodes in the upper levels: as many whole levels as can be drawn."""
    level, count, upper = [ROOT], 1, {}
    while level:
        below = {node: children[node] for node in level if node in children}
        count += sum(map(len, below.values()))
        if count > MOST_DRAWN:
            break
        upper.update(below)
        level = [child for some in below.values() for child in some]
    return upper


def _depth_note(drawing: Drawing, n_nodes: int) -> tuple[str, ...]:
    if len(drawing.layout.x) == n_nodes:
        return ()
    return (
        f"Of the tree only the first {drawing.layout.height} levels below the root are drawn; the regions are all.",
    )


def _plan(
    steps: Sequence[DecisionTreeStep], draft: str | None
) -> tuple[list[DecisionTreeStep], list[tuple[DecisionTreeStep, int]]]:
    """Return the steps that get a frame, and all that are played with the frame in which that is seen.

    The first frame is the start, and the last step is told apart. With a draft, those before it are played, then it.
    """
    some = list(steps[:-1])
    if draft is not None:
        trying = [step for step in some if step.path == draft and step.phase == "split"]
        below = f"{draft}."
        some = [s for s in some if s.phase in ("split", "leaf") and not f"{s.path}.".startswith(below)] + trying
    kept = np.arange(len(some))
    if len(kept) > MANY:
        kept = np.array([i for i, step in enumerate(some) if step.phase not in ("leaf", "keep")])
    kept = kept[thin(len(kept), MOST_FRAMES)]
    frames = np.searchsorted(kept, np.arange(len(some))) + 1
    return [some[i] for i in kept], list(zip(some, frames.tolist(), strict=True))


def _end(teller: Teller, last: DecisionTreeStep, query: Query) -> list[Moment]:
    """Return the finished tree, and the way of the query."""
    assert last.tree is not None
    numbers = last.tree.numbers.tolist()

    def at(parts: Sequence[Part]) -> tuple[int, ...]:
        return tuple(numbers[part.node] for part in parts)

    levels = walk(last.tree, query.x)
    moments = [Moment(teller.done(), (), last)]
    moments += [Moment(teller.walked(here, after), at(after), last, True) for here, after in pairwise(levels)]
    return [*moments, Moment(teller.answer(levels[-1]), at(levels[-1]), last, True)]


# --- marks ------------------------------------------------------------------------------------------------------------


def _images(problem: Problem, run: Run, moments: Sequence[Moment]) -> list[Raster]:
    """Return the regions of the finished tree as an image, where they are no rectangles of the picture."""
    if upright(problem.plane):
        return []
    surface, last = run.surface, [moment.step is not None and moment.step.tree is not None for moment in moments]
    return [replace(surface, pixels=when(last, surface.pixels), shade=when(last, surface.shade))]


def _regions(standing: Sequence[Standing], codes: Sequence[int], n_frames: int) -> Rects:
    """Return the boxes of the leaves, the stronger the purer."""
    boxes, leaves = [], []
    for leaf in standing:
        if leaf.split is None:
            boxes += [(box.x0, box.x1, box.y0, box.y1) for box in leaf.boxes]
            leaves += [leaf] * len(leaf.boxes)
    x0, x1, y0, y1 = np.array(boxes).reshape(-1, 4).T
    return Rects(
        x0=standing_so(x0, leaves, n_frames),
        x1=x1,
        y0=y0,
        y1=y1,
        color=[codes[int(leaf.shares.argmax())] for leaf in leaves],
        opacity=[FAINT + (STRONG - FAINT) * _sure(leaf.shares) for leaf in leaves],
    )


def _sure(shares: Any) -> float:
    """Return by how much the most frequent class leads."""
    ordered = np.sort(np.append(shares, 0.0))
    return float(ordered[-1] - ordered[-2])


def _borders(standing: Sequence[Standing], n_frames: int) -> Segments:
    """Return the lines that the splits draw."""
    some = [(border, s) for s in standing for border in s.borders]
    x0, y0, x1, y1 = np.array([border for border, _ in some]).reshape(-1, 4).T
    return Segments(x0=standing_so(x0, [s for _, s in some], n_frames), y0=y0, x1=x1, y1=y1, width=1.5)


def _competing(
    standing: Sequence[Standing], moments: Sequence[Moment]
) -> list[tuple[Candidates | None, tuple[Box, ...]]]:
    """Return the candidates that the table of each frame ranks, and where the node is that they would split."""
    boxes = {s.node: s.boxes for s in standing}
    told = (m.step if m.step is not None and m.step.phase in ("split", "leaf") else None for m in moments)
    return [(None, ()) if step is None else (step.candidates, boxes.get(step.node, ())) for step in told]


def _outline(standing: Sequence[Standing], moments: Sequence[Moment]) -> Line:
    """Return the outline of the nodes that each frame is about."""
    boxes: dict[int, tuple[Box, ...]] = {s.node: s.boxes for s in standing}
    xs, ys = [], []
    for moment in moments:
        around = [box for node in moment.nodes for box in boxes.get(node, ())]
        xs.append([x for box in around for x in (box.x0, box.x1, box.x1, box.x0, box.x0, np.nan)])
        ys.append([y for box in around for y in (box.y0, box.y0, box.y1, box.y1, box.y0, np.nan)])
    return Line(x=PerFrame(xs), y=PerFrame(ys), color="ink", width=2.5)


def _fading(problem: Problem, steps: Sequence[DecisionTreeStep], moments: Sequence[Moment]) -> PerFrame | None:
    """Return opacities that fade the rows outside the node that is told of; None where that were too much to send."""
    n = len(problem.X)
    if n * len(moments) > MOST_FADED:
        return None
    learned = np.arange(n) if problem.test is None else np.flatnonzero(~problem.test)
    inside = {step.node: learned[step.rows] for step in makers(steps).values()}
    clear = np.ones(1)
    rows = []
    for moment in moments:
        if moment.asked or not moment.nodes or moment.nodes == (ROOT,):
            rows.append(clear)
            continue
        opacity = np.full(n, FADED)
        for node in moment.nodes:
            opacity[inside[node]] = 1.0
        rows.append(opacity)
    return PerFrame(rows)


def _ways(steps: Sequence[DecisionTreeStep], moments: Sequence[Moment]) -> list[tuple[tuple[int, int], ...]]:
    """Return for each frame the edges from the root to the nodes that it is about."""
    parents: dict[int, int] = {node: step.parent for node, step in makers(steps).items()}
    ways = []
    for moment in moments:
        edges: dict[tuple[int, int], None] = {}
        for node in moment.nodes:
            here = node
            while parents[here] >= 0:
                edges[parents[here], here] = None
                here = parents[here]
        ways.append(tuple(edges))
    return ways


def _cut_handle(problem: Problem, trying: DecisionTreeStep | None) -> list[Handle]:
    """Return the line of the split that the reader is trying, where it is one in the picture."""
    if trying is None or trying.chosen is None or trying.chosen.test is not None:
        return []
    cut, axis = trying.chosen.split.cut, axis_of(problem.plane, trying.chosen.split.column)
    if axis is None or cut is None:
        return []
    if axis == 0:
        return [Handle("split", "data", "your split", "x", cut, None)]
    return [Handle("split", "data", "your split", "y", None, cut)]
