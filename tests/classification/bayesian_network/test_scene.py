"""The pictures of Bayesian networks."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import BayesianNetworkClassifier, ExactInference
from dmlib.classification.bayesian_network.scene import bayesian_network_scene
from dmlib.datasets import load, names
from dmlib.pictures.data.network import layers
from dmlib.pictures.encode import decode, encode
from dmlib.pictures.marks import Points, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare, prepare_network


def weather_run(**params):
    frame = load("weather_nominal").frame
    features = [name for name in frame if name != "play"]
    problem = prepare(frame, features, target="play", labelled=True)
    return Run.of(problem, BayesianNetworkClassifier(**params))


def arrows_at(scene, number):
    """Return how many arrows between columns a frame has."""
    mark = [each for each in scene.marks if isinstance(each, Segments) and each.arrow][1]
    rows = getattr(mark.x0, "rows", [mark.x0] * len(scene.frames))
    return len(rows[number])


def test_edges_become_arrows_once_they_are_directed():
    scene = bayesian_network_scene(weather_run())
    phases = [frame.phase for frame in scene.frames]
    assert arrows_at(scene, phases.index("direct") - 1) == 0
    assert arrows_at(scene, phases.index("direct")) == arrows_at(scene, -1) == 3
    assert arrows_at(bayesian_network_scene(weather_run(structure="naive")), -1) == 0


def test_the_ledger_counts_every_state_of_the_parents():
    run = weather_run()
    scene = bayesian_network_scene(run)
    (frame,) = [f for f in scene.frames if f.caption.startswith("windy is counted")]
    table = frame.ledger[0]
    assert table.title == "P(windy | class, outlook)"
    assert len(table.rows) == 6
    X = run.problem.training.data
    y = run.problem.training.y
    n = (
        (X["windy"].astype(str) == "TRUE") & (X["outlook"].astype(str) == "sunny") & (y == 0)
    ).sum()
    row = next(row for row in table.rows if row[:2] == ["yes", "sunny"])
    assert row[2].startswith(f"({n} + 1)")


def test_an_unknown_value_is_hollow():
    frame = pd.DataFrame({"a": list("xxyy"), "b": ["u", None, "v", "u"], "c": list("pqqp")})
    problem = prepare(frame, ["a", "b"], target="c", labelled=True, holes="keep")
    run = Run.of(problem, BayesianNetworkClassifier(), query=problem.query(sample=1))
    scene = bayesian_network_scene(run)
    mark = next(m for m in scene.marks if isinstance(m, Points) and m.of == "column")
    assert np.asarray(mark.hollow.rows[-1]).tolist() == [0, 1]
    assert np.asarray(mark.hollow.rows[0]).tolist() == [0, 0]


@pytest.mark.parametrize("name", names("network"))
def test_nodes_of_a_network_lie_apart_and_below_their_parents(name):
    problem = prepare_network(load(name).nodes)
    places = layers(problem)
    for parent, child in problem.edges:
        assert places[parent, 1] > places[child, 1]
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert distances[~np.eye(len(places), dtype=bool)].min() > 0.4
    assert np.abs(places[:, 0]).max() < 2.1


@pytest.mark.parametrize("strategy", ["elimination", "enumeration"])
def test_eliminated_and_separated_nodes_are_pale(strategy):
    evidence = {"alarm": "yes"}
    problem = prepare_network(load("burglary").nodes, "john_calls", evidence)
    run = Run.of(problem, ExactInference(strategy))
    assert run.fitted.independent_ == ("burglary", "earthquake", "mary_calls")
    scene = bayesian_network_scene(run)
    packed = decode(encode(scene))
    assert packed["frames"][-1]["caption"].startswith("Divided by P(evidence)")
    nodes = next(m for m in scene.marks if isinstance(m, Points) and m.of == "node")
    opacity = np.asarray(nodes.opacity.rows[-1])
    pale = [problem.names[i] for i in np.flatnonzero(opacity < 1)]
    assert pale == ["burglary", "earthquake", "mary_calls"]
    lines = [block.text for block in scene.frames[1].ledger if hasattr(block, "text")]
    assert any("burglary, earthquake, mary_calls are independent of john_calls" in t for t in lines)


def test_impossible_evidence_is_said_to_be_so():
    impossible = {"sprinkler": "no", "rain": "no", "wet_grass": "yes"}
    problem = prepare_network(load("sprinkler").nodes, "cloudy", impossible)
    with pytest.raises(ValueError, match="has the probability 0"):
        Run.of(problem, ExactInference())
