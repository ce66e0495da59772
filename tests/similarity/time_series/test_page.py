"""The page of dynamic time warping: presets, the lesson, drawing, and its picture."""

from functools import partial

import numpy as np
import pytest

from dmlib.datasets import decode_curves
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import Raster, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare_series, prepare_series_pair
from dmlib.similarity import DynamicTimeWarping, dtw, dtw_distance, lb_keogh, nearest_series
from dmlib.similarity.time_series.figures.clustering import clustering_data
from dmlib.similarity.time_series.figures.cost_by_radius import cost_by_radius_data
from dmlib.similarity.time_series.figures.nearest_neighbour import RADII, nearest_neighbour_data
from dmlib.similarity.time_series.figures.small_set import small_set
from dmlib.similarity.time_series.scene import time_series_scene
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.pictures.examples import at
from tests.runs import stopped
from tests.similarity.time_series.test_algorithm import X, Y
from tests.visit import open_preset, sentences_of, sound, stage, technique, visit, warnings

SLUG = "time_series"
PRESETS = {preset.title: preset for preset in technique(SLUG).presets}

run_of = partial(open_preset, SLUG)


def straight(run):
    x, y = run.problem.values
    return np.abs(x - y).sum()


# --- presets and lesson ---------------------------------------------------------------------------


def test_uneven_time():
    run, _, look_for = run_of("Uneven time")
    assert [len(values) for values in run.problem.values] == [60, 45]
    assert f"{len(run.fitted.path_)} pairs cost {run.fitted.cost_:.4g}" in look_for
    peaks = [int(values[:30].argmax()) for values in run.problem.values]
    assert tuple(peaks) in {tuple(pair) for pair in run.fitted.path_.tolist()}


def test_six_values():
    run, _, look_for = run_of("Six values by hand")
    assert [values.tolist() for values in run.problem.values] == [X, Y]
    assert (len(run.fitted.path_), run.fitted.cost_, straight(run)) == (7, 1, 5)
    assert "Seven pairs cost 1; value by value it is 5" in look_for


def test_a_late_wave():
    run, _, look_for = run_of("A wave that comes late")
    assert f"differ by {straight(run):.4g}, aligned by {run.fitted.cost_:.4g}" in look_for
    assert np.abs(np.subtract(*run.fitted.path_.T)).max() == 5
    narrow, _, look_for = run_of("A band that is too narrow")
    assert f"the cost is {narrow.fitted.cost_:.4g}" in look_for
    # 0.15 of a period, of which there are two
    assert narrow.problem.times[0][-1] / 2 * 0.15 == pytest.approx(4.425)
    wider = run_of("A band that is too narrow", radius=5).run
    assert f"falls to {wider.fitted.cost_:.4g}" in look_for
    itakura, _, look_for = run_of("A parallelogram")
    assert f"the cost is {itakura.fitted.cost_:.4g}" in look_for
    assert (run.fitted.path_[:, 0] == 0).sum() > (itakura.fitted.path_[:, 0] == 0).sum()


def test_slopes():
    run, _, look_for = run_of("Slopes instead of levels")
    assert f"at the cost {run.fitted.cost_:.4g}" in look_for
    plain = run_of("Slopes instead of levels", transform="none").run
    assert f"unaligned at {plain.fitted.cost_:.4g}" in look_for
    assert (plain.fitted.path_[:, 0] == plain.fitted.path_[:, 1]).all()
    assert [4, 5] in run.fitted.path_.tolist()  # the peaks


def test_random_walks():
    run, _, look_for = run_of("Two random walks")
    assert f"from {straight(run):.4g} to {run.fitted.cost_:.4g}" in look_for
    assert np.bincount(run.fitted.path_[:, 1]).max() == 47
    assert "first half is compared with its second half" in " ".join(run.problem.notes)


def test_step_pattern():
    run, _, look_for = run_of("Every pair of values counts alike")
    uneven = run_of("Uneven time").run
    pairs = f"{len(run.fitted.path_)} pairs instead of {len(uneven.fitted.path_)}"
    assert f"{pairs}, at the cost {run.fitted.cost_:.4g}" in look_for


def test_the_table_of_the_lesson():
    text = section(text_of(SLUG), "By hand")
    lines = [line for line in text.splitlines() if line.startswith("| **")]
    rows = [[int(cell) for cell in line.split("|")[2:-1]] for line in lines]
    result = dtw(X, Y)
    assert rows == result.matrix.tolist()
    assert [int(line.split("**")[1]) for line in lines] == X
    path = ", ".join(f"({i + 1}, {j + 1})" for i, j in result.path)
    assert f"the path is {path}." in text


def test_other_numbers_of_the_lesson():
    text = text_of(SLUG)
    assert (lb_keogh(X, Y, 1), lb_keogh(X, Y, 0)) == (0, 5)
    i, j = np.ogrid[:1000, :1000]
    assert f"{(abs(i - j) <= 10).sum():,} of them" in text
    assert dtw([0, 2], [0, 0, 2, 2]).cost == 0
    data = nearest_neighbour_data(DynamicTimeWarping())
    errors = dict(zip(RADII, data.errors.tolist(), strict=True))
    assert (errors[0], errors[8], errors[39]) == (8, 0, 1)
    sentence = "value by value 8 are misclassified, with a band of radius 8 none"
    assert f"{sentence}, without\na window 1" in text


# --- figures --------------------------------------------------------------------------------------


def test_the_curve_of_radii_is_that_of_the_function():
    data = cost_by_radius_data(DynamicTimeWarping(), X, Y)
    assert data.costs.tolist() == [dtw(X, Y, radius).cost for radius in data.radii.tolist()]


def test_tables_that_are_filled_are_those_of_the_search():
    series, _ = small_set()
    data = nearest_neighbour_data(DynamicTimeWarping())
    for radius in (1, 8):
        needed = [
            nearest_series(series[i], [*series[:i], *series[i + 1 :]], radius).n_warped
            for i in range(len(series))
        ]
        assert data.warped[RADII.index(radius)] == pytest.approx(np.mean(needed) / 17)


def test_clusters_by_warping_are_the_shapes():
    warped, straight_on = clustering_data(DynamicTimeWarping()).agreement
    assert warped > 0.8 > straight_on


# --- drawing and files ----------------------------------------------------------------------------


def test_drawn_values_come_in_the_order_of_their_places():
    points = [[5.2, 3.0, 0], [0.4, 1.0, 0], [2.0, 2.0, 1], [1.0, 7.0, 1], [9.0, 11.0, 0]]
    link = move({"base": "curves", "points": points}, technique(SLUG))
    assert [curve.tolist() for curve in decode_curves(*link["curves"])] == [
        [1.0, 3.0, 10.0],
        [7.0, 2.0],
    ]


@pytest.mark.parametrize(
    "points",
    [[], [[1.0, 2.0, 0]], "nonsense", [[1.0, float("nan"), 0]], [[0.0, 1.0, 1], [1.0, 1.0, 1]]],
)
def test_too_little_that_is_drawn_asks_for_more(points):
    link = move({"base": "curves", "points": points}, technique(SLUG))
    page = sound(visit(SLUG, source="draw", curves=link["curves"]))
    assert "Draw two series" in " ".join(sentences_of(page))
    assert stage(page)["edit"]["base"] == "curves"


def test_the_picture_of_drawn_series_stays_where_they_are_drawn():
    scene = stage(visit(SLUG, source="draw"))
    panel = next(panel for panel in scene["panels"] if panel["name"] == "data")
    assert [panel["y"]["low"], panel["y"]["high"]] == scene["edit"]["box"][2:]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,b\n1,2\n2,3\n4,3\n", "Two series: a (3 values) and b (3 values)"),
        (b"a,b\n1,2\n2,3\n4,3\n5,\n6,\n", "Two series: a (5 values) and b (3 values)"),
        (b"word\nx\ny\n", "no column of numbers"),
        (b"a\n1\n2\n3\n", "fewer than four values"),
    ],
)
def test_files(content, sentence):
    page = visit(SLUG, source="upload")
    page.file_uploader[0].upload("mine.csv", content, "text/csv")
    page = sound(page.run())
    sentences = [*sentences_of(page), *(caption.value for caption in page.caption)]
    assert sentence in " ".join(sentences).replace("\\", "")


def test_the_line_sets_the_radius():
    page = visit(SLUG, **{f"{SLUG}.window": "sakoe-chiba", f"{SLUG}.radius": "20"})
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["kind"]) == ("radius", "x")
    run = run_of("Uneven time").run
    for x, radius in ((handle["x"], 20), (1.0, 15), (500.0, 59)):  # below 15 there is no path
        link = move({"name": "radius", "x": x, "y": None}, technique(SLUG), run.problem)
        assert link[f"{SLUG}.radius"] == [str(radius)]


# --- the picture ----------------------------------------------------------------------------------


def scene_of(x, y, selected=None, **params):
    problem = prepare_series([x, y], ["one", "other"])
    return time_series_scene(Run.of(problem, DynamicTimeWarping(**params), selected=selected))


def formulas(frame):
    return [block.text for block in frame.ledger if isinstance(block, Formula)]


def test_the_ledger_has_the_candidates():
    scene = scene_of(X, Y)
    frame = next(frame for frame in scene.frames if frame.caption.startswith("Cell (4, 3)"))
    assert frame.caption == "Cell (4, 3): the cheapest of 3 moves is down, and the cost is 3."
    assert formulas(frame) == ["d(4, 3) = |x4 − y3| = |2 − 4| = 2", "D(4, 3) = min(7, 3, 8) = 3"]
    assert frame.ledger[1].emphasis == [1]
    caption = "Done. The cheapest path aligns 7 pairs at the cost 1; value by value it is 5."
    assert scene.frames[-1].caption == caption


def test_cells_are_filled_one_after_the_other_and_links_follow_the_path():
    scene = scene_of(X, Y)
    image = next(mark for mark in scene.marks if isinstance(mark, Raster))
    filled = [int((np.asarray(row) > 0).sum()) for row in image.pixels.rows[:37]]
    assert filled[:3] == [filled[0], 2 * filled[0], 3 * filled[0]]
    assert filled[35] == 36 * filled[0]
    numbers = next(mark for mark in scene.marks if isinstance(mark, Texts))
    assert [np.isfinite(row).sum() for row in numbers.x.rows[:3]] == [1, 2, 3]
    links = next(mark for mark in scene.marks if isinstance(mark, Segments))
    assert [len(row) for row in links.x0.rows[35:]] == [0, 1, 2, 3, 4, 5, 6, 7, 7]


def test_a_pair_of_the_ledger_answers_to_its_link_and_to_its_cells():
    scene = scene_of(X, Y)
    table = scene.frames[-1].ledger[-1]
    links, image, path = (
        next(m for m in scene.marks if isinstance(m, kind)) for kind in (Segments, Raster, Rects)
    )
    assert {table.by, links.of, image.of, path.of} == {"cell"}
    for (i, j, *_), number in zip(table.rows, table.numbers, strict=True):
        k = list(at(links.numbers, -1)).index(number)
        assert (at(links.x0, -1)[k], at(links.x1, -1)[k]) == (i - 1, j - 1)
        assert divmod(list(at(image.numbers, -1)).index(number), image.width) == (i - 1, j - 1)
        k = list(at(path.numbers, -1)).index(number)
        assert (at(path.x0, -1)[k] + 0.5, at(path.y0, -1)[k] + 0.5) == (j - 1, len(X) - i)


def test_a_move_of_the_ledger_answers_to_its_arrow():
    scene = scene_of(X, Y)
    captions = [frame.caption for frame in scene.frames]
    number_of_frame = next(i for i, text in enumerate(captions) if text.startswith("Cell (4, 3)"))
    table = scene.frames[number_of_frame].ledger[1]
    arrows = next(mark for mark in scene.marks if isinstance(mark, Segments) and mark.arrow)
    channels = (arrows.x0, arrows.x1, arrows.y0, arrows.y1, arrows.numbers)
    *ends, cells = (at(channel, number_of_frame) for channel in channels)
    directions = {}
    for row, number in zip(table.rows, table.numbers, strict=True):
        x0, x1, y0, y1 = (channel[list(cells).index(number)] for channel in ends)
        directions[row[0]] = (x1 > x0, y1 < y0)
    expected = {"↘ diagonal": (True, True), "↓ down": (False, True), "→ right": (True, False)}
    assert directions == expected
    first_row = next(i for i, text in enumerate(captions) if text.startswith("Cell (1, 2)"))
    assert list(scene.frames[first_row].ledger[1].numbers) == [None, None, 1]


def test_a_selected_value_says_with_what_it_is_aligned():
    for selected, sentence in (
        (0, "one, value 1 = 1: aligned with 1, 2 of other"),
        (7, "other, value 2 = 1: aligned with 1 of one"),
    ):
        assert formulas(scene_of(X, Y, selected=selected).frames[-1])[0] == sentence
    assert formulas(scene_of(X, Y, selected=7).frames[0])[0].endswith("not aligned yet")


@pytest.mark.parametrize("pattern", ["symmetric1", "symmetric2", "asymmetric", "symmetricP1"])
@pytest.mark.parametrize(
    ("x", "y"), [([3] * 9, [3] * 9), ([1, 2, 3], [1, 2, 3]), ([0, 1e12, 5], [-1e12, 0, 4])]
)
def test_awkward_series_have_a_picture(pattern, x, y):
    scene = scene_of(x, y, pattern=pattern, transform="z-score")
    assert all(frame.caption and frame.ledger for frame in scene.frames)
    assert "nan" not in repr([frame.caption for frame in scene.frames])


def test_long_series_make_a_light_scene_and_a_stopped_run_shows_the_data():
    rng = np.random.default_rng(0)
    problem = prepare_series(rng.normal(size=(2, 900)).cumsum(axis=1), ["a", "b"])
    run = Run.of(problem, DynamicTimeWarping())
    assert len(encode(time_series_scene(run))) < 150_000
    assert time_series_scene(stopped(run, 3)).frames[0].caption.startswith("Two series")


def test_halves_of_one_series():
    values, times = [[1.0, None, 3.0, 4.0, 5.0]], [[10, 11, 12, 13, 14]]
    problem = prepare_series_pair(values, ["flow"], times=times)
    assert [half.tolist() for half in problem.values] == [[1.0, 2.0], [3.0, 4.0, 5.0]]
    assert [times.tolist() for times in problem.times] == [[10, 11], [10, 11, 12]]


def test_the_link_of_drawn_series_is_read():
    curves = decode_curves(PRESETS["Six values by hand"].settings["curves"])
    assert [curve.tolist() for curve in curves] == [X, Y]
    assert dtw_distance(X, Y) == 1


def test_a_broken_link_is_answered_in_whole_sentences():
    (warning,) = warnings(sound(visit(SLUG, source="draw", curves="zz!!")))
    assert warning == (
        "The link's curves=zz!! is ignored. The series in the link cannot be read."
        " Draw again, or ask for the whole link. The default is used."
    )
