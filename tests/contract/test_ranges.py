"""The ranges that the data ask for lie within what is accepted, on easy and on awkward data."""

import re

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.estimators import new
from dashboard.positions import POSITIONS, positions
from dashboard.ranges import OnData
from dashboard.runs import Memory
from dmlib.params import Choice, Flag
from tests.contract.asking import ask_all
from tests.contract.test_scenes import cases_of, problem_of
from tests.visit import takes_tables, technique

SENTENCE = re.compile(r"[A-Z].*\.")


def options(algorithm):
    """Return settings in which each choice and flag has each of its values once."""
    specs = {
        name: spec for name, spec in algorithm.PARAMS.items() if isinstance(spec, Choice | Flag)
    }
    return [{}, *({name: value} for name, spec in specs.items() for value in spec.extremes())]


def check_ranges(slug, name, chosen_of):
    problem = problem_of(technique(slug), name)
    for algorithm in technique(slug).methods.values():
        for chosen in chosen_of(algorithm):
            on_data = OnData(new(algorithm, chosen, 0), problem, Memory())
            for parameter, spec in page_specs(algorithm).items():
                check(*on_data.spec(parameter, spec))


@pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
def test_a_range_lies_within_what_is_accepted_or_is_a_sentence(slug, subtests):
    ask_all(subtests, lambda *case: check_ranges(*case, lambda _: [{}]), cases_of(slug))


@pytest.mark.sweep
@pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
def test_so_it_does_with_every_option(slug, subtests):
    ask_all(subtests, lambda *case: check_ranges(*case, options), cases_of(slug))


def page_specs(algorithm):
    return {
        name: spec for name, spec in algorithm.PARAMS.items() if not isinstance(spec, Choice | Flag)
    }


def check(spec, why):
    assert not why or SENTENCE.fullmatch(why)
    if spec.shown:
        assert np.isfinite(spec.shown).all()
        assert list(spec.shown) == sorted(spec.shown)
        assert spec.low <= spec.shown[0] <= spec.shown[-1] <= spec.high
        assert positions(spec)


@pytest.mark.parametrize("slug", CATALOGUE)
def test_a_slider_has_about_two_hundred_positions_and_twenty_a_decade(slug):
    page = technique(slug)
    for algorithm in page.methods.values():
        for name, spec in algorithm.PARAMS.items():
            if isinstance(spec, Choice | Flag):
                continue
            places = [
                place
                for place in positions(spec)
                if isinstance(place, float) and 0 < place < np.inf
            ]
            assert len(places) <= 2 * POSITIONS, name
            if getattr(spec, "log", False):
                assert np.ptp(np.log10(places)) * 20 <= len(places), name


def test_without_data_or_ranges_a_specification_stays():
    algorithm = technique("dbscan").methods["DBSCAN"]
    assert OnData(algorithm(), None, Memory()).spec("eps", algorithm.PARAMS["eps"]) == (
        algorithm.PARAMS["eps"],
        "",
    )
