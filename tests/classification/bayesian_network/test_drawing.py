"""A network is drawn and typed: both are the same setting."""

import json

import pytest

from dashboard.data.network import Network
from dashboard.form import Form
from tests.gestures import settings_of
from tests.visit import ignored, open_preset, picture, reopened, sound, stage, technique, visit

QUERY = {"bayesian_network.method": "Query a network", "source": "draw"}
COLUMNS = ["class", "age", "sex", "survived"]


def offered(edges, **link):
    """Return what the stage may draw where these edges are typed."""
    settings = settings_of(**{"source": "draw", "network.edges": edges}, **link)
    network = Network()
    chosen = network.choose(technique("bayesian_network"), "Query a network", Form(settings))
    return network.offers(chosen, settings).get("edit")


def link_after_drawing(edges, nodes=(), target="survived", **link):
    """Return what the link says after edges between columns of the Titanic were drawn."""
    message = {
        "base": "network.edges",
        "rev": 1,
        "names": COLUMNS,
        "points": [[0, 0, int(name in nodes)] for name in COLUMNS],
        "edges": [[COLUMNS.index(name) for name in edge] for edge in edges],
        "target": target,
    }
    settings = settings_of(**QUERY, **{"network.edges": "sex -> survived"}, **link)
    return Network().change(settings, message).query()


def test_what_is_typed_is_drawn():
    edit = offered("class -> sex -> survived; age")
    names = list(edit["names"])
    assert names == COLUMNS
    assert [[names[i] for i in edge] for edge in edit["edges"]] == [
        ["class", "sex"],
        ["sex", "survived"],
    ]
    assert [bool(c) for _, _, c in edit["points"]] == [True] * 4
    assert [bool(c) for _, _, c in offered("sex -> survived")["points"]] == [0, 0, 1, 1]
    assert len({tuple(place) for *place, _ in edit["points"]}) == 4
    json.dumps(edit)


def test_what_is_drawn_is_typed():
    link = link_after_drawing([("class", "survived"), ("class", "sex")], nodes=["age", "sex"])
    assert link["network.edges"] == ["class -> survived; class -> sex; age"]
    assert link["learned_network.target"] == ["survived"]
    edit = offered(link["network.edges"][0])
    assert [[COLUMNS[i] for i in edge] for edge in edit["edges"]] == [
        ["class", "survived"],
        ["class", "sex"],
    ]


def test_the_question_stays_as_long_as_it_has_its_node():
    link = link_after_drawing(
        [("survived", "sex")], target="sex", **{"learned_network.target": "sex"}
    )
    assert link["learned_network.target"] == ["sex"]
    link = link_after_drawing([("class", "age")], target="sex", **{"learned_network.target": "sex"})
    assert "learned_network.target" not in link
    for target in ("sex", ""):
        link = link_after_drawing([], target=target, **{"learned_network.target": "sex"})
        assert (link["network.edges"], link["learned_network.target"]) == (["sex"], ["sex"])


@pytest.mark.parametrize("edges", ["class -> nothing", "sex -> sex", "->;->"])
def test_what_cannot_be_read_is_not_drawn_over(edges):
    assert offered(edges) is None


def test_a_cycle_that_is_typed_is_drawn_so_that_it_can_be_mended():
    page = sound(visit("bayesian_network", **QUERY, **{"network.edges": "class -> sex -> class"}))
    scene = stage(page)
    assert scene["frames"][0]["caption"].startswith("A network has no cycle, but ")
    assert scene["edit"]["edges"] == [[2, 0], [0, 2]]
    assert [panel["name"] for panel in scene["panels"]] == [scene["edit"]["panel"]]


def test_without_edges_the_columns_are_there_to_be_joined():
    page = sound(visit("bayesian_network", **QUERY, **{"network.edges": ""}))
    scene = stage(page)
    assert scene["frames"][0]["caption"].startswith("Draw an edge: drag from one column")
    assert scene["edit"]["edges"] == []
    assert ignored(page) == set()


def test_a_drawn_network_is_in_the_link():
    link = {
        name: texts[0]
        for name, texts in link_after_drawing([("class", "sex")], target="sex").items()
    }
    page = sound(visit("bayesian_network", **link))
    assert picture(reopened(page)) == picture(page)


def test_nodes_stay_where_they_are_while_edges_come():
    places = [[place for *place, _ in offered(edges)["points"]] for edges in ("sex", "sex -> age")]
    assert places[0] == places[1]


def test_what_cannot_be_a_node_is_not_offered():
    assert offered("", **{"network.table": "breast_cancer"}) is None
    assert offered("hair -> type", **{"network.table": "zoo"})["max"] > 50


def test_a_table_of_ones_own_is_drawn_as_soon_as_it_is_a_network():
    page = visit("bayesian_network", **{**QUERY, "source": "upload", "network.edges": "rain"})
    table = b"day,rain,grass\n" + b"".join(b"%d,%c,%c\n" % (i, 110 + i % 2, 119) for i in range(80))
    page.file_uploader[0].upload("days.csv", table + b"80,n,d\n", "text/csv")
    edit = stage(sound(page.run()))["edit"]
    assert list(edit["names"]) == ["day", "rain", "grass"]
    message = {"base": edit["base"], "rev": 1, "names": edit["names"], "points": edit["points"]}
    settings = settings_of(source="upload", **{"network.edges": "rain"})
    message |= {"edges": [[1, 2]], "target": edit["target"]}
    assert Network().change(settings, message).query() == {
        "source": ["upload"],
        "network.edges": ["rain -> grass"],
        "network_file.target": ["rain"],
    }


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"names": 3, "points": "x", "edges": {}},
        {"names": ["a"], "points": [[0, 0, 1]] * 9, "edges": [[0, 7], [-1, 0], ["a", None]]},
        {"names": ["<b>", "x" * 5000], "points": [], "edges": [[0, 1]], "target": ["a"]},
        {"names": ["a", "b"], "points": [], "edges": [[0, 1], [1, 0]], "target": {}},
    ],
)
def test_what_a_browser_sends_is_not_trusted(message):
    message = {"base": "network.edges", "rev": 1, **message}
    link = Network().change(settings_of(**QUERY), message).query()
    assert len(link["network.edges"][0]) <= 2000
    page = sound(visit("bayesian_network", **{name: texts[0] for name, texts in link.items()}))
    assert stage(page)["frames"]


def test_only_networks_whose_edges_are_the_readers_are_drawn():
    network = Network()
    library = settings_of(source="library", data="sprinkler")
    assert network.change(library, {"base": "network.edges"}) is None
    assert network.change(settings_of(source="draw"), {"base": "points"}) is None
    _, scene, _ = open_preset("bayesian_network", "Two neighbours call")
    assert scene["edit"] is None
    _, scene, _ = open_preset("bayesian_network", "Counted on the Titanic")
    assert scene["edit"]["label"] == "Draw"
