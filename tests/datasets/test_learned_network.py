"""Tables of a network that are counted: by brute force, published counts, edges that are wrong."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.classification import ExactInference
from dmlib.datasets import TableError, learn_network, load, read_network
from dmlib.datasets.learned_network import edges_text, node_columns, parse_edges
from dmlib.problem import prepare_network

CELLS = st.one_of(st.none(), st.sampled_from("xyz"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=25), st.sampled_from([0, 0.5, 2])
)
def test_tables_are_shares_of_rows(rows, laplace):
    rows = [*rows, ("x", "x", "x"), ("y", "y", "y")]
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    nodes = learn_network(frame, "a -> c; b -> c", laplace=laplace).nodes
    by_name = {node.name: node for node in nodes}
    assert by_name["c"].parents == ("a", "b")
    assert by_name["a"].parents == by_name["b"].parents == ()
    for node in nodes:
        values = [by_name[parent].values for parent in node.parents]
        for place in product(*(range(len(each)) for each in values)):
            state = [own[i] for own, i in zip(values, place, strict=True)]
            fitting = [
                row["abc".index(node.name)]
                for row in rows
                if [row["abc".index(p)] for p in node.parents] == state
            ]
            counts = np.array([fitting.count(value) + laplace for value in node.values], float)
            expected = counts / counts.sum() if counts.sum() else 1 / len(counts)
            np.testing.assert_allclose(node.table[place], expected)


def test_the_titanic_has_the_shares_of_its_passengers():
    # Dawson (1995): of 145 women and girls of the first class 141 survived, of 862 men of the
    # crew 192.
    data = learn_network(load("titanic").frame, "class -> survived; sex -> survived", laplace=0)
    for evidence, share in (
        ({"class": "1st", "sex": "female"}, 141 / 145),
        ({"class": "crew", "sex": "male"}, 192 / 862),
    ):
        problem = prepare_network(data.nodes, "survived", evidence)
        shares = dict(
            zip(
                problem.by_name["survived"].values,
                ExactInference().fit(problem).probabilities_,
                strict=True,
            )
        )
        assert shares["yes"] == pytest.approx(share)


def test_numbers_are_cut_into_intervals():
    frame = pd.DataFrame({"n": np.arange(9.0), "m": list("aaabbbccc")})
    n, m = learn_network(frame, "n -> m", laplace=0).nodes
    assert len(n.values) == 3
    np.testing.assert_allclose(m.table, np.eye(3))


def test_few_numbers_are_values():
    frame = pd.DataFrame({"n": [0, 1, 0, 1], "m": [np.inf, 0.0, 1.0, 0.0], "b": [True, False] * 2})
    n, m, b = learn_network(frame, "n -> m; b", laplace=0).nodes
    assert (n.values, m.values, b.values) == (("0", "1"), ("0", "1"), ("False", "True"))
    np.testing.assert_allclose(m.table, [[0, 1], [1, 0]])


@given(st.lists(st.floats() | st.none(), min_size=1, max_size=30), st.integers(2, 5))
def test_any_numbers_are_cut_or_refused(numbers, n_bins):
    frame = pd.DataFrame({"n": np.array(numbers, float)})
    try:
        (node,) = learn_network(frame, "n", laplace=0, n_bins=n_bins).nodes
    except TableError:
        return
    n_finite = np.isfinite(frame["n"]).sum()
    np.testing.assert_allclose(np.sum(node.table), 1)
    np.testing.assert_allclose(np.round(node.table * n_finite), node.table * n_finite, atol=1e-9)


def test_a_state_without_rows_is_told():
    frame = pd.DataFrame({"a": list("xxy"), "b": list("xyy"), "c": list("xyx")})
    data = learn_network(frame, "a -> c; b -> c", laplace=0)
    assert "1 states of parents have no rows" in data.notes[0].text
    assert {node.name: node for node in data.nodes}["c"].table[1, 0].tolist() == [0.5, 0.5]


def test_edges_in_chains_on_lines_and_again():
    assert parse_edges("A -> B -> C\nA→C; A -> B; D;;", list("ABCD")) == {
        "A": (),
        "B": ("A",),
        "C": ("B", "A"),
        "D": (),
    }


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("", "Type edges such as “A -> B; C -> B” between these columns: a, b, n, one"),
        ("a -> x", "no column 'x'"),
        ("a -> -> b", "no column ''"),
        ("a -> a", "its own parent"),
        ("a -> b; b -> a", "a → b → a is one|b → a → b is one"),
        ("a -> one", "one has a single value, or interval"),
        ("id -> a", "id has 120 values"),
        ("a -> b;" * 400, "more than 2,000 characters"),
    ],
)
def test_what_is_no_network(edges, message):
    n = 120
    frame = pd.DataFrame(
        {
            "a": list("xy") * 60,
            "b": list("xxyy") * 30,
            "n": np.arange(n, dtype=float),
            "one": ["z"] * n,
            "id": [f"row {i}" for i in range(n)],
        }
    )
    with pytest.raises(TableError, match=message):
        learn_network(frame, edges)


def test_too_many_states_are_refused():
    frame = pd.DataFrame({f"c{i}": list("xy") for i in range(21)})
    edges = "; ".join(f"c{i} -> c{i + 1}" for i in range(20))
    with pytest.raises(TableError, match="more than 1,048,576 states"):
        learn_network(frame, edges)


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame([["x", "y"], ["y", "x"]], columns=["a", "a"])
    with pytest.raises(TableError, match="the same name"):
        learn_network(frame, "a")


def test_a_file_with_a_table_needs_edges():
    table = b"rain,grass\ny,wet\ny,wet\nn,dry\nn,wet\n"
    with pytest.raises(TableError, match="between these columns: rain, grass"):
        read_network(table, "days.csv")
    rain, grass = read_network(table, "days.csv", edges="rain -> grass", laplace=0).nodes
    assert rain.table.tolist() == [0.5, 0.5]
    assert dict(zip(rain.values, grass.table[:, 1], strict=True)) == {"n": 0.5, "y": 1.0}


def test_a_table_whose_first_column_is_called_network_is_a_table():
    table = b"network,speed\nlan,high\nlan,high\nwifi,low\n"
    nodes = read_network(table, "nets.csv", edges="network -> speed").nodes
    assert [node.name for node in nodes] == ["network", "speed"]


NAMES = st.text(alphabet="ab -", min_size=1, max_size=4).filter(
    lambda name: name == name.strip() and "->" not in name
)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.data())
def test_edges_are_typed_as_they_are_read(names, data):
    nodes = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    parents = {}
    for node in nodes:
        others = [name for name in nodes if name != node]
        above = st.lists(st.sampled_from(others), unique=True) if others else st.just([])
        parents[node] = tuple(data.draw(above))
    assert parse_edges(edges_text(parents), names) == parents


@pytest.mark.parametrize("name", ["", " a", "a -> b", "a→b", "a;b", "a\nb"])
def test_a_column_whose_name_means_an_edge_is_no_node(name):
    assert node_columns(pd.DataFrame({name: list("xy"), "b": list("xy")})) == ("b",)


@given(st.lists(st.lists(CELLS, min_size=6, max_size=6), min_size=1, max_size=5))
def test_columns_are_nodes_if_they_can_be_learned(columns):
    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(columns)})
    for name in frame:
        if name in node_columns(frame):
            assert learn_network(frame, name).columns == node_columns(frame)
        else:
            with pytest.raises(TableError):
                learn_network(frame, name)
