"""Each candidate that would cut the plane has a tick at the edge of the node, by its rank."""

import numpy as np
import pandas as pd

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.ledger import CANDIDATE
from dmlib.classification.decision_tree.scene import decision_tree_scene
from dmlib.pictures.marks import Points, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare


def marks(scene):
    (lines,) = (mark for mark in scene.marks if isinstance(mark, Rects) and mark.of == CANDIDATE)
    (ticks,) = (mark for mark in scene.marks if isinstance(mark, Points) and mark.of == CANDIDATE)
    return lines, ticks


def test_a_tick_stands_at_the_threshold_of_its_row():
    frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": [5.0, 7.0, 6.0, 8.0], "c": list("xxyy")})
    run = Run.of(prepare(frame, ["a", "b"], target="c", labelled=True), DecisionTreeClassifier())
    scene = decision_tree_scene(run)
    lines, ticks = marks(scene)
    split = [frame.phase for frame in scene.frames].index("split")
    (table,) = (
        block for block in scene.frames[split].ledger if getattr(block, "by", "") == CANDIDATE
    )
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5, 6]
    candidates = run.trace.steps[split - 1].candidates
    for number, x, y0, y1 in zip(
        *(
            np.asarray(channel.rows[split])
            for channel in (ticks.numbers, lines.x0, lines.y0, lines.y1)
        ),
        strict=True,
    ):
        i = int(number) - 1
        cut = candidates.thresholds[i]
        assert (x if candidates.columns[i] == 0 else y0) == cut
        assert (y0 < y1) == (candidates.columns[i] == 0)
    assert np.asarray(ticks.x.rows[split]).size == 6


def test_frames_without_a_ranking_have_none():
    frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "b": list("uvuv"), "c": list("xxyy")})
    scene = decision_tree_scene(
        Run.of(prepare(frame, ["a", "b"], target="c", labelled=True), DecisionTreeClassifier())
    )
    _, ticks = marks(scene)
    counts = {
        frame.phase: np.asarray(row).size
        for frame, row in zip(scene.frames, ticks.x.rows, strict=True)
    }
    assert counts["start"] == counts["done"] == 0
    assert counts["split"] == 3  # thresholds of a; names cut no plane at a threshold
