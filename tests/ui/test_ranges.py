"""Ranges fit the data: computed once, independent of numbers, no bound of a link's values."""

from dataclasses import replace
from unittest import mock

import pandas as pd
import pytest

from dashboard.ranges import OnData
from dashboard.runs import MAX_RANGES, Memory
from dmlib.classification import NaiveBayes
from dmlib.clustering import DBSCAN
from dmlib.problem import prepare
from tests.gestures import page_of
from tests.visit import panel, sound, technique, visit


def line(*places):
    return prepare(pd.DataFrame({"x": [float(place) for place in places]}), ["x"])


def eps(problem, memory=None, **link):
    page = page_of(technique("dbscan"), problem=problem, **link)
    page = replace(page, memory=memory or Memory())
    return page.on_data.spec("eps", DBSCAN.PARAMS["eps"])[0].shown


def test_a_range_comes_from_the_data():
    narrow, wide = eps(line(0, 1, 2, 3, 4, 5)), eps(line(0, 100, 200, 300, 400, 500))
    assert wide == tuple(100 * end for end in narrow)


def test_a_range_does_not_hang_on_numbers_but_on_names():
    problem = prepare(
        pd.DataFrame({"x": [0.0, 1, 2, 5, 7, 9], "y": [3.0, 1, 4, 1, 5, 9]}), ["x", "y"]
    )
    links = [{}, {"dbscan.eps": "7.0", "dbscan.min_samples": "2"}, {"dbscan.metric": "manhattan"}]
    plain, moved, otherwise = (eps(problem, **link) for link in links)
    assert plain == moved
    assert plain != otherwise


def test_a_range_is_found_once_for_the_same_data_and_few_are_kept():
    with mock.patch.object(DBSCAN, "RANGES", side_effect=lambda *_: {"eps": (1.0, 2.0)}) as find:
        memory = Memory()
        for _ in range(3):
            # Made anew each time: the content counts.
            assert eps(line(0, 1, 2), memory) == (1.0, 2.0)
        assert find.call_count == 1
        for end in range(3, 3 + 2 * MAX_RANGES):
            eps(line(0, 1, end), memory)
        assert find.call_count == 1 + 2 * MAX_RANGES
        assert len(memory.ranges) == MAX_RANGES


def test_data_that_are_refused_leave_the_range_as_it_is():
    with mock.patch.object(DBSCAN, "RANGES", side_effect=ValueError("There are too few rows.")):
        assert eps(line(0, 1)) == DBSCAN.PARAMS["eps"].shown


def test_a_reason_takes_the_place_of_a_range():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "c": list("aabb")})
    problem = prepare(frame, ["x"], target="c", labelled=True)
    numeric = OnData(NaiveBayes(), problem, Memory())
    spec, why = numeric.spec("laplace", NaiveBayes.PARAMS["laplace"])
    assert spec == NaiveBayes.PARAMS["laplace"]
    assert why.endswith("there are no counts to smooth.")


@pytest.mark.parametrize("value", ["1000.0", "0.001"])
def test_a_link_beyond_the_range_is_accepted_and_shown_as_one_more_position(value):
    page = sound(visit("dbscan", **{"dbscan.eps": value}))
    control = panel(page)["dbscan.eps"]
    assert control["value"] == value
    assert value in {place for place, _ in control["options"]}
    assert page.query_params["dbscan.eps"] == value


def test_what_means_nothing_for_the_columns_is_shown_with_the_reason():
    controls = panel(sound(visit("naive_bayes", opening="defaults")))
    assert (
        controls["naive_bayes.laplace"]["idle"]
        == "All columns are numeric: there are no counts to smooth."
    )
    controls = panel(sound(visit("naive_bayes", data="weather_nominal")))
    assert "idle" not in controls["naive_bayes.laplace"]
    assert controls["naive_bayes.numeric"]["idle"] == "All columns are nominal."


def test_the_bins_of_sturges_need_no_number():
    assert "data_overview.k" not in panel(sound(visit("data_overview")))
    assert "data_overview.k" in panel(
        sound(visit("data_overview", **{"data_overview.bins": "natural"}))
    )


def test_the_die_draws_another_seed():
    page = sound(visit("kmeans"))
    with mock.patch("secrets.randbelow", return_value=7):
        page.button(key="seed.die").click()
        sound(page.run())
    assert page.number_input(key="seed~1").value == 7
    assert page.query_params["seed"] == "7"
