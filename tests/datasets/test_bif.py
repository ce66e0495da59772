"""Networks in BIF: read as they are written; published marginals; files that are wrong."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dmlib.classification import ExactInference
from dmlib.datasets import TableError, load, names, read_network
from dmlib.datasets.networks import NetworkNode
from dmlib.datasets.reading.bif import parse_bif
from dmlib.outputs import network_bif
from dmlib.problem import prepare_network

# As the bnlearn repository writes it, with its names.
ASIA = """
network unknown {
}
variable asia {
  type discrete [ 2 ] { yes, no };
}
variable tub { type discrete [ 2 ] { yes, no }; }
variable smoke { type discrete [ 2 ] { yes, no }; }
variable lung { type discrete [ 2 ] { yes, no }; }
variable bronc { type discrete [ 2 ] { yes, no }; }
variable either { type discrete [ 2 ] { yes, no }; }
variable xray { type discrete [ 2 ] { yes, no }; }
variable dysp { type discrete [ 2 ] { yes, no }; }
probability ( asia ) {
  table 0.01, 0.99;
}
probability ( tub | asia ) {
  (yes) 0.05, 0.95;
  (no) 0.01, 0.99;
}
probability ( smoke ) { table 0.5, 0.5; }
probability ( lung | smoke ) {
  (yes) 0.1, 0.9;
  (no) 0.01, 0.99;
}
probability ( bronc | smoke ) {
  (yes) 0.6, 0.4;
  (no) 0.3, 0.7;
}
probability ( either | lung, tub ) {
  (yes, yes) 1.0, 0.0;
  (no, yes) 1.0, 0.0;
  (yes, no) 1.0, 0.0;
  (no, no) 0.0, 1.0;
}
probability ( xray | either ) {
  (yes) 0.98, 0.02;
  (no) 0.05, 0.95;
}
probability ( dysp | bronc, either ) {
  (yes, yes) 0.9, 0.1;
  (no, yes) 0.7, 0.3;
  (yes, no) 0.8, 0.2;
  (no, no) 0.1, 0.9;
}
"""
# Marginals of this network, in per cent, as programs for networks and their handbooks print them,
# e.g. Cowell, Dawid, Lauritzen and Spiegelhalter (1999), Probabilistic Networks.
MARGINALS = {
    "asia": 1.0,
    "tub": 1.04,
    "smoke": 50.0,
    "lung": 5.5,
    "bronc": 45.0,
    "either": 6.48,
    "xray": 11.03,
    "dysp": 43.6,
}
RAIN = "variable rain { type discrete [ 2 ] { yes, no }; }\n"
GRASS = "variable grass { type discrete [ 2 ] { wet, dry }; }\n"
SURE = "probability ( rain ) { table 0.2, 0.8; }\n"
WHOLE = "probability ( grass | rain ) { (yes) 0.9, 0.1; (no) 0.1, 0.9; }\n"


def assert_same(first, second):
    assert [node.name for node in first] == [node.name for node in second]
    for one, other in zip(first, second, strict=True):
        assert (one.values, one.parents) == (other.values, other.parents)
        np.testing.assert_array_equal(one.table, other.table)


def test_the_marginals_of_asia_are_the_published_ones():
    nodes = read_network(ASIA.encode(), "asia.bif").nodes
    for name, per_cent in MARGINALS.items():
        shares = ExactInference().fit(prepare_network(nodes, name)).probabilities_
        assert 100 * shares[0] == pytest.approx(per_cent, abs=0.005)


def test_the_file_of_asia_is_the_network_of_the_library():
    question = {"dysp": "yes", "xray": "yes"}
    ours = {"dyspnoea": "yes", "x_ray": "abnormal"}
    read = ExactInference().fit(prepare_network(parse_bif(ASIA), "lung", question))
    library = ExactInference().fit(prepare_network(load("asia").nodes, "lung_cancer", ours))
    np.testing.assert_allclose(read.probabilities_, library.probabilities_, rtol=1e-12)


@pytest.mark.parametrize("name", names("network"))
def test_networks_of_the_library_are_read_as_they_are_written(name):
    nodes = load(name).nodes
    assert_same(nodes, parse_bif(network_bif(nodes, name)))


NAMES = st.text("ab \"'{}()[]|,;/*→é-", min_size=1, max_size=6).filter(
    lambda text: text.strip('" ') and not text.startswith('"') and '"' not in text
)


@st.composite
def networks(draw):
    n = draw(st.integers(1, 5))
    labels = draw(st.lists(NAMES, min_size=n, max_size=n, unique_by=lambda t: " ".join(t.split())))
    nodes = []
    for i, label in enumerate(labels):
        name = " ".join(label.split())
        values = tuple(f"{name} {k}" for k in range(draw(st.integers(2, 3))))
        above = [node for node in nodes if draw(st.booleans())]
        shape = (*(len(node.values) for node in above), len(values))
        rng = np.random.default_rng(draw(st.integers(0, 1000)) + i)
        table = rng.dirichlet(np.ones(len(values)), shape[:-1])
        nodes.append(NetworkNode(name, values, tuple(node.name for node in above), table))
    return nodes


@settings(max_examples=60, deadline=None)
@given(networks())
def test_any_network_is_read_as_it_is_written(nodes):
    read = parse_bif(network_bif(nodes))
    assert [(n.name, n.values, n.parents) for n in read] == [
        (n.name, n.values, n.parents) for n in nodes
    ]
    for one, other in zip(nodes, read, strict=True):
        np.testing.assert_allclose(one.table, other.table, rtol=0, atol=1e-8)


@settings(max_examples=20, deadline=None)
@given(networks())
def test_inference_in_what_was_read_is_that_of_the_joint_distribution(nodes):
    read = parse_bif(network_bif(nodes))
    target, *others = read
    weights = np.zeros(len(target.values))
    for state in product(*(range(len(node.values)) for node in read)):
        at = dict(zip((node.name for node in read), state, strict=True))
        cells = [n.table[(*(at[p] for p in n.parents), at[n.name])] for n in read]
        if not others or at[others[-1].name] == 0:
            weights[at[target.name]] += np.prod(cells)
    evidence = {others[-1].name: others[-1].values[0]} if others else {}
    shares = ExactInference().fit(prepare_network(read, target.name, evidence)).probabilities_
    np.testing.assert_allclose(shares, weights / weights.sum(), rtol=1e-9)


def test_a_table_with_parents_has_the_values_of_the_variable_last():
    text = RAIN + GRASS + SURE + "probability ( grass | rain ) { table 0.9, 0.1, 0.1, 0.9; }"
    assert parse_bif(text)[1].table.tolist() == [[0.9, 0.1], [0.1, 0.9]]
    three = "variable day { type discrete [ 3 ] { a, b, c }; }"
    text = RAIN + three + SURE
    text += "probability ( day | rain ) { table 0.1, 0.2, 0.3, 0.3, 0.6, 0.5; }"
    assert parse_bif(text)[1].table.tolist() == [[0.1, 0.3, 0.6], [0.2, 0.3, 0.5]]


def test_defaults_comments_properties_and_rounded_rows():
    text = (
        "// a comment; with { signs }\n/* and * another */ network lawn { property x = 1; }\n"
        + GRASS
        + RAIN
        + SURE
        + "probability(grass|rain){ property y; (no) 0.333 0.666; default 0.5, 0.5; }"
    )
    rain, grass = parse_bif(text)
    assert (rain.name, grass.parents) == ("rain", ("rain",))
    np.testing.assert_allclose(grass.table, [[0.5, 0.5], [1 / 3, 2 / 3]], atol=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no variable"),
        ("hello", "begins no block"),
        (RAIN, "rain has no probabilities"),
        (RAIN + RAIN, "declared twice"),
        (RAIN + SURE + SURE, "has probabilities twice"),
        (RAIN + "probability ( rain ) { table 0.2, 0.9; }", r"rain sums to 1\.1, not to 1"),
        (RAIN + "probability ( rain ) { table 2, -1; }", "write one from 0 to 1"),
        (RAIN + "probability ( rain ) { table nan, 1; }", "write one from 0 to 1"),
        (RAIN + "probability ( rain ) { table a, 1; }", "is no probability of rain"),
        (RAIN + "probability ( rain ) { table 1; }", "has 1 numbers; it needs 2"),
        (RAIN + "probability ( rain ) { }", "The table of rain is missing"),
        (RAIN + "probability ( rain ) { table 0.2, 0.8", "ends within a block"),
        (RAIN + "probability ( snow ) { table 1, 0; }", "snow, which is no variable"),
        (RAIN + "probability ( rain | snow ) { (a) 1, 0; }", "depends on snow"),
        (RAIN + "probability ( rain | rain ) { (yes) 1, 0; (no) 1, 0; }", "its own parent"),
        (RAIN + GRASS + SURE + WHOLE.replace("(no) 0.1, 0.9;", ""), "for rain = no is missing"),
        (RAIN + GRASS + SURE + WHOLE.replace("(no)", "(maybe)"), "rain is maybe"),
        (RAIN + GRASS + SURE + WHOLE.replace("(no)", "(no, no)"), "has 2 values, but there are 1"),
        (RAIN + GRASS + SURE + WHOLE.replace("| rain", "| rain, rain"), "is named twice"),
        (
            RAIN + GRASS + WHOLE + "probability ( rain | grass ) { (wet) 1, 0; (dry) 0, 1; }",
            "no cycle, but .* is one",
        ),
        ("variable x { type discrete [ 1 ] { a }; }", "needs 2 to 100 values"),
        ("variable x { type discrete [ 2 ] { a, a }; }", "needs 2 to 100 values"),
        ("variable x { type continuous; }", "only discrete variables"),
        ("variable x { }", "needs 2 to 100 values"),
        ("variable { }", "is no name"),
        ("".join(RAIN.replace("rain", f"r{i}") for i in range(21)), "more than 1,048,576 states"),
    ],
)
def test_each_fault_is_a_sentence(text, message):
    with pytest.raises(TableError, match=message) as refused:
        read_network(text.encode(), "own.bif")
    assert str(refused.value).endswith((".", "}."))
    assert "\n" not in str(refused.value)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_to_a_file_is_refused_with_a_sentence_or_read(data):
    signs = data.draw(
        st.lists(
            st.sampled_from([*'{}()[]|,;"/', "/*", "rain", "yes", "1e999", "\x00"]), max_size=3
        )
    )
    text = RAIN + GRASS + SURE + WHOLE
    for sign in signs:
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 9))
        text = text[:place] + sign + text[place + cut :]
    try:
        nodes = parse_bif(text)
    except TableError:
        return
    for node in nodes:
        np.testing.assert_allclose(node.table.sum(axis=-1), 1)


@pytest.mark.parametrize("sign", ["/*", "(", '"', "variable ", "{", "network a {", "//", "\n"])
def test_large_files_take_no_longer_than_their_length(sign):
    text = sign * (2**20 // len(sign))
    with pytest.raises(TableError):
        read_network(text.encode(), "large.bif")
    with pytest.raises(TableError, match="larger than 2 MB"):
        read_network(text.encode() * 3, "large.bif")


@given(st.binary(max_size=60))
@example(b"\xff\xfe")
def test_any_bytes_are_refused_with_a_sentence(content):
    with pytest.raises(TableError):
        read_network(content, "own.bif")
