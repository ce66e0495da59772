"""The picture of a column: its arithmetic is right, and marks stand where the numbers are."""

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import load
from dmlib.pictures.marks import Line, Points, Rects
from dmlib.pictures.run import Run
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.data_overview.scene import data_overview_scene
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables

TIMES = [2.0, 3, 3, 4, 5, 6, 7, 8, 25]
FRAME = pd.DataFrame({"x": TIMES, "y": range(1, 10), "c": list("aabbbaacc")})


def scene_of(frame, column=1, selected=None, scale="auto", **options):
    problem = prepare(frame, list(frame.columns), holes="keep")
    return data_overview_scene(
        Run.of(problem, ColumnSummary(column, scale=scale), selected=selected, options=options)
    )


def frame_of(scene, phase):
    return next(frame for frame in scene.frames if frame.phase == phase)


def number(scene, phase):
    return [frame.phase for frame in scene.frames].index(phase)


@pytest.fixture
def scene():
    return scene_of(FRAME)


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("median", [None]),
        ("percentiles", [2.8, 11.4]),
        ("outliers", [23, 4, -3, 13]),
        ("mean", [63, 7, None]),
        ("variance", [396, 49.5, 7.03562]),
        ("coefficient", [1.00509]),
    ],
)
def test_formulas_end_in_their_results(scene, phase, expected):
    lines = formulas(frame_of(scene, phase))
    assert len(lines) == len(expected)
    for line, value in zip(lines, expected, strict=True):
        if value is not None:
            assert result(line) == pytest.approx(value, rel=1e-5)


def test_a_quantile_on_a_place_needs_no_interpolation(scene):
    assert formulas(frame_of(scene, "median")) == ["50 %: place 1 + (9 − 1) · 0.5 = 5: 5"]
    assert (
        formulas(frame_of(scene, "percentiles"))[0]
        == "10 %: place 1 + (9 − 1) · 0.1 = 1.8: 2 + 0.8 · (3 − 2) = 2.8"
    )


def test_covariances_are_in_a_table(scene):
    (row,) = tables(frame_of(scene, "covariance"))["With the other columns"].rows
    assert row[:2] == ("y", 9)
    assert row[2:] == pytest.approx((117, 14.625, np.corrcoef(TIMES, range(1, 10))[0, 1]))


def test_outliers_are_named_and_larger(scene):
    table = tables(frame_of(scene, "outliers"))["Outliers"]
    assert table.rows == [(9, 25.0)]
    (points,) = marks(scene, Points, data=True)
    before, after = at(points.size, 0), at(points.size, number(scene, "outliers"))
    assert len(set(before)) == 1
    assert np.flatnonzero(after > before).tolist() == [8]


def test_rows_are_sorted_in_one_step():
    scene = scene_of(pd.DataFrame({"x": [5.0, 1.0, 3.0]}))
    (points,) = marks(scene, Points, data=True)
    assert at(points.y, 0).tolist() == [1, 2, 3]
    assert at(points.y, number(scene, "sort")).tolist() == [3, 1, 2]
    assert at(points.x, 0).tolist() == [5, 1, 3]


def test_the_median_stands_on_the_curve(scene):
    i = number(scene, "median")
    (line,) = [line for line in marks(scene, Line, color="accent") if at(line.x, i).size]
    assert at(line.x, i)[1:].tolist() == [5, 5]
    assert at(line.y, i).tolist() == [5, 5, 0]
    assert at(line.x, i - 1).size == 0


def test_the_row_of_a_statistic_answers_to_its_lines(scene):
    table = tables(scene.frames[-1])["All statistics"]
    last = len(scene.frames) - 1
    lines = {}
    for line in marks(scene, Line, of="statistic"):
        (number,) = at(line.numbers, last)
        lines.setdefault(number, []).append(at(line.x, last)[-1])
    number_of = {row[0]: number for row, number in zip(table.rows, table.numbers, strict=True)}
    places = {name: lines.get(number) for name, number in number_of.items()}
    quartiles = {"25 %": [3], "Median": [5], "75 %": [7]}
    assert {name: places[name] for name in quartiles} == quartiles
    assert places["Mean"] == [pytest.approx(np.mean(TIMES))]
    assert places["Outliers"] == [13]  # the lower fence is beyond the axis
    (band,) = marks(scene, Rects, of="statistic")
    assert at(band.numbers, last).tolist() == [number_of["Standard deviation"]]
    without_marks = {name for name, number in number_of.items() if number is None}
    assert without_marks == {"Mode", "Range", "Variance", "s / x̄"} & set(number_of)


def test_missing_values_stand_aside_and_hollow():
    scene = scene_of(pd.DataFrame({"x": [5.0, np.nan, 3.0]}), selected=1)
    (points,) = marks(scene, Points, data=True)
    assert at(points.hollow, 0).tolist() == [0, 1, 0]
    assert at(points.x, 0)[1] < 3
    assert all(formulas(frame)[0] == "Row 2 has no value in this column" for frame in scene.frames)
    assert scene.legend[-1].text == "missing"


def test_bars_are_the_histogram(scene):
    (bars,) = marks(scene, Rects, "bins")
    assert at(bars.y1, 0).tolist() == [6, 2, 0, 0, 1]
    equal = scene_of(FRAME, bins="equal_frequency", k=3)
    (bars,) = marks(equal, Rects, "bins")
    areas = (at(bars.x1, 0) - at(bars.x0, 0)) * at(bars.y1, 0)
    np.testing.assert_allclose(areas, [3, 3, 3])


def test_boxes_are_those_of_both_conventions(scene):
    last = len(scene.frames) - 1
    beyond = [at(points.x, last).tolist() for points in marks(scene, Points, "boxes")]
    assert beyond == [[2.0, 25.0], [25.0]]


def test_names_are_counted_and_stacked():
    scene = scene_of(FRAME, column=3)
    assert [frame.phase for frame in scene.frames] == ["look", "count", "done"]
    table = tables(scene.frames[1])["Frequencies"]
    assert table.rows == [("a", 4, "44.4 %"), ("b", 3, "33.3 %"), ("c", 2, "22.2 %")]
    assert table.emphasis == [0]
    (points,) = marks(scene, Points, data=True)
    assert at(points.y, 1).tolist() == [1, 2, 1, 2, 3, 3, 4, 1, 2]
    assert scene.frames[1].caption == "The most frequent value is a, 4 times: the mode."


def test_an_order_counts_places():
    scene = scene_of(FRAME, column=3, scale="ordinal")
    assert formulas(frame_of(scene, "median")) == ["50 %: place ⌈0.5 · 9⌉ = 5: b"]
    assert formulas(frame_of(scene, "quartiles"))[0] == "25 %: place ⌈0.25 · 9⌉ = 3: a"


def test_the_selected_row_has_its_place_deviation_and_score():
    scene = scene_of(FRAME, selected=1)
    assert formulas(frame_of(scene, "look"))[0] == "Row 2: 3"
    lines = formulas(frame_of(scene, "variance"))
    assert lines[1] == "Row 2 is at places 2 to 3 of 9"
    assert result(lines[2]) == -4
    assert result(lines[3]) == pytest.approx(-4 / np.std(TIMES, ddof=1), rel=1e-5)


def test_many_classes_are_not_coloured():
    frame = load("airquality").frame
    problem = prepare(frame, ["wind", "ozone"], target="ozone", holes="keep")
    scene = data_overview_scene(Run.of(problem, ColumnSummary()))
    (points,) = marks(scene, Points, data=True)
    assert points.classes == ()
    assert not [key for key in scene.legend if key.text != "missing"]
