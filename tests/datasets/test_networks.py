"""Texts of Bayesian networks."""

import pytest

from dmlib.datasets import load, names
from dmlib.datasets.networks import parse_network
from dmlib.problem import prepare_network


@pytest.mark.parametrize("name", names("network"))
def test_tables_sum_to_one_and_parents_come_first(name):
    seen = set()
    for node in load(name).nodes:
        assert set(node.parents) <= seen
        assert node.table.sum(axis=-1) == pytest.approx(1)
        assert node.table.shape[-1] == len(node.values)
        seen.add(node.name)
    assert load(name).target in seen


def test_lines_may_come_in_any_order_of_the_states():
    text = "a: x 0.5, y 0.5\nb | a = y: u 0.1, v 0.9\nb | a = x: u 0.3, v 0.7"
    assert parse_network(text)[1].table.tolist() == [[0.3, 0.7], [0.1, 0.9]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rain yes 0.2", "is no distribution"),
        ("rain: yes 0.2, no 0.9", "sum to 1"),
        ("rain: yes -1, no 2", "sum to 1"),
        ("grass | rain = yes: wet 1", "depends on rain"),
        ("a: x 0.5, y 0.5\nb | a = x: u 1, v 0", "a line for each state"),
        (
            "a: x 0.5, y 0.5\nb | a = x: u 1, v 0\nb | a = z: u 1, v 0",
            "the same parents and values",
        ),
        (
            "a: x 0.5, y 0.5\nb | a = x: u 1, v 0\nb | a = y: u 1, w 0",
            "the same parents and values",
        ),
    ],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(ValueError, match=message):
        parse_network(text)


@pytest.mark.parametrize(
    ("target", "evidence", "message"),
    [
        ("snow", {}, "no node 'snow'"),
        ("rain", {"snow": "yes"}, "no node 'snow'"),
        ("rain", {"cloudy": "maybe"}, "cloudy cannot be 'maybe'"),
    ],
)
def test_questions_that_are_none(target, evidence, message):
    with pytest.raises(ValueError, match=message):
        prepare_network(load("sprinkler").nodes, target, evidence)


def test_what_is_known_of_the_target_is_left_out():
    problem = prepare_network(load("sprinkler").nodes, "rain", {"rain": "yes", "cloudy": "no"})
    assert problem.evidence == {"cloudy": "no"}
    assert problem.notes == ("rain is asked about: what is observed of it is left out.",)
    with pytest.raises(ValueError, match="A network needs a node"):
        prepare_network(())
