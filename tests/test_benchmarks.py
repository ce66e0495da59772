"""The benchmarks start, read options and print tables; speed itself is not tested."""

import json
from importlib import import_module
from itertools import islice, pairwise

import pytest

from benchmarks.__main__ import NAMES, main, measure
from benchmarks.tables import median, p95, short, table
from tests.browser.running import Server
from tests.loops import in_a_loop
from tests.visit import component, visit


@pytest.fixture(autouse=True)
def level_of_the_log(monkeypatch):
    """The benchmarks are quiet, and the other tests of this process are not."""
    monkeypatch.setattr("benchmarks.__main__.set_log_level", lambda _: None)


ROWS = [
    {"page": "kmeans", "median ms": 61.26, "n": 30},
    {"page": "other", "note": "no slider at the defaults"},
]


@pytest.mark.parametrize("name", [*NAMES, "serve", "browser", "client", "tables"])
def test_every_part_imports(name):
    module = import_module(f"benchmarks.{name}")
    assert name not in NAMES or callable(module.main)


def test_a_table_has_every_column_and_short_numbers():
    lines = table(ROWS).splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[1:-1]] == [
        "page",
        "median ms",
        "n",
        "note",
    ]
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["kmeans", "61.3", "30", ""]
    assert len({len(line) for line in lines}) == 1


def test_summaries_of_nothing_are_not_numbers():
    assert short(median([])) == short(p95([])) == short(None) == "-"
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert p95(list(range(101))) == 95


def test_results_are_printed_and_kept_beside_older_ones(tmp_path, capsys):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"load": "older"}), "utf-8")
    calls = []

    def canned(name, options):
        calls.append((name, options.seconds))
        return {name: ROWS}

    assert main(["interaction", "playback", "--json", str(path), "--seconds", "2"], canned) == 0
    assert calls == [("interaction", 2.0), ("playback", 2.0)]
    results = json.loads(path.read_text("utf-8"))
    assert results["load"] == "older"
    assert results["interaction"]["tables"]["interaction"] == ROWS
    assert results["interaction"]["machine"]["streamlit"]
    assert "| kmeans" in capsys.readouterr().out


def test_without_a_name_everything_is_measured(tmp_path):
    calls = []
    main(
        ["--json", str(tmp_path / "results.json")], lambda name, _options: calls.append(name) or {}
    )
    assert calls == list(NAMES)


def test_a_wrong_name_is_refused_with_the_right_ones(capsys):
    with pytest.raises(SystemExit):
        main(["speed"])
    assert "choose from interaction" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("result", "tables"), [([{"a": 1}], {"load": [{"a": 1}]}), ({"t": []}, {"t": []})]
)
def test_one_table_gets_the_name_of_the_measurement(monkeypatch, result, tables):
    monkeypatch.setattr("benchmarks.load.main", lambda seconds: result)
    options = type("Options", (), {"seconds": 1, "blocks": 1})
    assert measure("load", options) == tables


def test_the_load_test_reads_the_number_of_clusters_from_a_scene():
    from benchmarks.load import SLIDER, clusters

    assert clusters(component(visit("kmeans", **{SLIDER: "5"})).bytes) == 5


def test_a_visitor_moves_the_slider_beside_the_picture():
    from benchmarks.client import Client, ask, stage
    from benchmarks.load import PAGE, SLIDER, clusters
    from benchmarks.load import visit as arrive

    async def moved():
        with Server() as server:
            async with Client(server.address, PAGE) as client:
                await arrive(client)
                _, messages = await ask(client, **{SLIDER: 6.0})
                return [
                    clusters(scene) for message in messages if (scene := stage(message)) is not None
                ]

    assert in_a_loop(moved()) == [6]


def test_the_visitors_walk_up_and_down_the_slider():
    from benchmarks.load import HIGH, LOW, walk

    values = list(islice(walk(3), 40))
    assert values[:2] == [4, 5]
    assert set(values) == set(range(LOW, HIGH + 1))
    assert {abs(a - b) for a, b in pairwise(values)} == {1}
