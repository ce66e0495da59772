"""Picture and ledger of reductions to binary problems."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import (
    SVC,
    DecisionTreeClassifier,
    OneVsOneClassifier,
    OneVsRestClassifier,
    OutputCodeClassifier,
)
from dmlib.classification.multiclass.scene import COARSE, FADED, multiclass_scene
from dmlib.pictures.marks import NO_CLASS, Line, Points, Raster, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at

SIX = pd.DataFrame(
    {"x": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "y": [0.0, 1.0, 0.0, 1.0, 0.0, 1.0], "c": list("AABBCC")}
)
STUMP = DecisionTreeClassifier(max_depth=1)


def run_of(model, frame=SIX, place=None, **how):
    problem = prepare(frame, ["x", "y"], target="c", labelled=True, **how)
    return Run.of(problem, model, query=problem.query(place))


def marks(scene, kind, panel="data"):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


def texts(frame):
    return [block.text for block in frame.ledger if hasattr(block, "text")]


def test_rows_of_a_problem_have_two_colours_and_the_others_fade():
    scene = multiclass_scene(run_of(OneVsOneClassifier("svm")))
    _, rows = marks(scene, Points)
    colors = [at(rows.color, i).tolist() for i in range(len(scene.frames))]
    assert colors[:3] == [[0, 0, 1, 1, 2, 2]] * 3
    assert at(rows.opacity, 0).tolist() == [1, 1, 1, 1, FADED, FADED]
    assert at(rows.opacity, -1).tolist() == [1] * 6
    points = marks(multiclass_scene(run_of(OneVsRestClassifier("svm"))), Points)[1]
    assert at(points.color, 1).tolist() == [NO_CLASS, NO_CLASS, 1, 1, NO_CLASS, NO_CLASS]
    assert at(points.symbol, 1).tolist() == [0, 0, 1, 1, 2, 2]


def test_a_boundary_is_that_of_its_problem_and_the_last_frame_has_none():
    scene = multiclass_scene(run_of(OneVsOneClassifier(STUMP)))
    (line,) = marks(scene, Line)
    for i, cut in enumerate((2.5, 4.5, 6.5)):
        assert len(at(line.x, i))
        np.testing.assert_allclose(at(line.x, i), cut, atol=0.15)
    assert len(at(line.x, -1)) == 0


def test_the_codes_column_is_lit_and_its_cells_answer_to_the_ledger():
    scene = multiclass_scene(run_of(OneVsRestClassifier("svm")))
    (lit,), (cells,) = marks(scene, Line, "code"), marks(scene, Rects, "code")
    assert [sorted(set(at(lit.x, i).tolist())) for i in range(4)] == [
        [-0.5, 0.5],
        [0.5, 1.5],
        [1.5, 2.5],
        [],
    ]
    assert sorted(at(cells.numbers, -1).tolist()) == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    table = next(
        block for block in scene.frames[-1].ledger if getattr(block, "by", "") == "problem"
    )
    assert [row[0] for row in table.rows] == [1, 2, 3]


def test_stripes_lie_where_no_class_or_several_claim_a_place():
    run = run_of(OneVsRestClassifier(SVC(kernel="linear")))
    scene = multiclass_scene(run)
    hatching = marks(scene, Raster)[-1]
    assert [len(at(hatching.shade, i)) for i in range(3)] == [0, 0, 0]
    shade = at(hatching.shade, -1).reshape(hatching.height, hatching.width)
    x0, x1, y0, y1 = hatching.extent
    striped = shade.reshape(hatching.height // 12, 12, hatching.width // 12, 12).any(axis=(1, 3))
    n = striped.shape[0]
    x = x0 + (np.arange(n) + 0.5) * (x1 - x0) / n
    y = y1 + (np.arange(n) + 0.5) * (y0 - y1) / n
    places = run.problem.plane.lift(np.column_stack([np.tile(x, n), np.repeat(y, n)]))
    claims = run.fitted.answers(places)[1].sum(axis=1).reshape(n, n) != 1
    assert (striped == claims).mean() > 0.85  # blocks at the edges are partly striped
    assert claims.any()
    assert not claims.all()


def test_a_machine_so_far_is_grey_where_it_has_not_decided():
    scene = multiclass_scene(run_of(OneVsRestClassifier(STUMP)))
    first = at(marks(scene, Raster)[0].pixels, 0).reshape(COARSE, COARSE)
    assert set(np.unique(first)) == {0, NO_CLASS}
    assert (first[:, 0] == 0).all()
    assert (first[:, -1] == NO_CLASS).all()


def test_the_ledger_has_votes_sums_and_the_winner():
    frame = SIX.assign(y=0.0)
    scene = multiclass_scene(
        run_of(OneVsOneClassifier(SVC(kernel="linear", C=np.inf)), frame, (3.0, 0.0))
    )
    formulas = " | ".join(texts(scene.frames[-1]))
    assert "B has most votes: the class is B" in formulas
    assert "sum of B = " in formulas
    assert texts(scene.frames[0])[-1] == "votes so far: A 0; B 1; C 0"
    assert "error = (0 + 0) / 4 = 0" in texts(scene.frames[0])


def test_ties_say_how_they_are_broken():
    scene = multiclass_scene(run_of(OneVsRestClassifier(SVC(kernel="linear")), place=(4.5, 0.5)))
    formulas = " | ".join(texts(scene.frames[-1]))
    assert "no problem is positive, so values of different problems are compared" in formulas
    words = multiclass_scene(run_of(OutputCodeClassifier(STUMP, code_size=0.4, random_state=0)))
    formulas = " | ".join(texts(words.frames[-1]))
    assert words.frames[-1].caption.startswith(
        "A and B have the same code word, so B is never predicted"
    )
    assert "are equal, so the first wins" in formulas


def test_two_classes_need_one_problem_and_a_class_of_one_row_is_named():
    scene = multiclass_scene(run_of(OneVsOneClassifier(), SIX[:4]))
    assert [frame.phase for frame in scene.frames] == ["train", "decode"]
    assert (
        scene.frames[-1].caption
        == "Two classes need only one problem: its prediction is the class."
    )
    single = multiclass_scene(run_of(OneVsRestClassifier(), SIX[:5]))
    assert any("A class of one row cannot be learned well: C." in note for note in single.notes)


def test_a_bit_that_is_the_same_in_all_classes_is_said():
    seed = next(
        s for s in range(50) if abs(run_of(code(s)).trace.steps[0].signs.sum(axis=0)).max() == 3
    )
    captions = [frame.caption for frame in multiclass_scene(run_of(code(seed))).frames]
    assert any("all classes have the same bit" in caption for caption in captions)


def code(seed):
    return OutputCodeClassifier("naive_bayes", random_state=seed)


@pytest.mark.filterwarnings("error")
def test_what_a_classifier_warns_of_stands_in_the_ledger():
    run = run_of(OneVsRestClassifier(SVC(kernel="linear", C=np.inf)), SIX.assign(y=0.0))
    formulas = texts(multiclass_scene(run).frames[1])
    assert any("no boundary keeps every row out of the margin" in text for text in formulas)
