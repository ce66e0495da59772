"""A depth leaves sweeps out, reports them and its slowest files, and records what it ran."""

from types import SimpleNamespace

import pytest

from tests import sweeps
from tests.depths import ALL, QUICK, RECORD, Depth

LINKS = "tests/contract/test_links.py"


class Cache(dict):
    def set(self, name, value):
        self[name] = value


class Screen(list):
    def section(self, title):
        self.append(f"== {title}")

    write_line = list.append


def config_of(depth, **attributes):
    hook = SimpleNamespace(pytest_deselected=lambda items: None)
    return SimpleNamespace(getoption=lambda name: depth, hook=hook, cache=Cache(), **attributes)


def item(nodeid, is_sweep=True):
    return SimpleNamespace(nodeid=nodeid, get_closest_marker=lambda name: is_sweep or None)


def report(nodeid, duration, is_sweep=False, **attributes):
    keywords = {"sweep": 1} if is_sweep else {}
    return SimpleNamespace(
        **{
            "nodeid": nodeid,
            "duration": duration,
            "keywords": keywords,
            "when": "call",
            "failed": False,
        }
        | attributes
    )


@pytest.fixture
def choice(monkeypatch):
    """Let only k-means and ROC differ from the last release, with a budget for one sweep."""
    monkeypatch.setattr(sweeps, "differing", lambda: frozenset({"kmeans", "roc"}))
    monkeypatch.setattr(sweeps, "choose", lambda candidates, record, seed: (["roc"], ["kmeans"]))


def summary(depth):
    screen = Screen()
    depth.pytest_terminal_summary(screen)
    return screen


@pytest.mark.usefixtures("choice")
def test_the_quick_depth_keeps_the_chosen_sweeps_and_all_that_is_none():
    config = config_of(QUICK)
    depth = Depth(config)
    names = [
        f"{LINKS}::test_pairs[{slug}]" for slug in ("kmeans", "roc", "pca", "none of a technique")
    ]
    items = [*map(item, names), item(f"{LINKS}::test_ends[kmeans]", is_sweep=False)]
    depth.pytest_collection_modifyitems(config, items)
    assert [each.nodeid for each in items] == [
        f"{LINKS}::test_pairs[roc]",
        f"{LINKS}::test_ends[kmeans]",
    ]
    screen = summary(depth)
    assert screen[0] == "== left out"
    assert screen[1].startswith("3 tests: the sweeps of kmeans, ")
    assert "pca" in screen[1]
    assert " roc" not in screen[1]
    assert "dev.py test --all" in screen[2]


def test_the_other_depth_leaves_nothing_out():
    config = config_of(ALL)
    depth = Depth(config)
    items = [item(f"{LINKS}::test_pairs[{slug}]") for slug in ("kmeans", "none of a technique")]
    depth.pytest_collection_modifyitems(config, items)
    assert len(items) == 2
    assert summary(depth)[:2] == ["== left out", "Nothing: the sweeps of all techniques were run."]


@pytest.mark.usefixtures("choice")
def test_one_process_decides_for_all_and_hears_how_many_were_left_out():
    node = SimpleNamespace(workerinput={})
    controller = Depth(config_of(QUICK))
    controller.pytest_configure_node(node)
    config = config_of(QUICK, workerinput=node.workerinput, workeroutput={})
    worker = Depth(config)
    assert (worker.chosen, worker.left_out) == (controller.chosen, controller.left_out)
    items = [item(f"{LINKS}::test_pairs[pca]")]
    worker.pytest_collection_modifyitems(config, items)
    assert items == []
    controller.pytest_testnodedown(SimpleNamespace(workeroutput=config.workeroutput))
    assert summary(controller)[1].startswith("1 tests: ")
    controller.pytest_testnodedown(SimpleNamespace())  # one that crashed says nothing
    assert controller.n_left_out == 1


def test_the_ten_slowest_files_are_named_with_their_times_and_tests():
    depth = Depth(config_of(ALL))
    for i in range(12):
        for when, seconds in (("setup", 1.0), ("call", float(i)), ("call", 0.5)):
            depth.pytest_runtest_logreport(
                report(f"tests/test_{i}.py::test_it", seconds, when=when)
            )
    screen = summary(depth)
    lines = screen[screen.index("== slowest files") + 1 :]
    assert len(lines) == 10
    assert lines[0].split() == ["12.5", "s", "tests/test_11.py", "(2", "tests)"]
    assert lines[-1].split()[2] == "tests/test_2.py"


@pytest.mark.usefixtures("choice")
def test_what_was_swept_is_remembered_with_its_seconds_unless_it_failed():
    config = config_of(QUICK)
    config.cache[RECORD] = {"pca": [1.0, 2.0], "roc": [1.0, 9.0]}
    depth = Depth(config)
    depth.pytest_runtest_logreport(report(f"{LINKS}::test_pairs[roc]", 1.5, is_sweep=True))
    depth.pytest_runtest_logreport(report(f"{LINKS}::test_others[roc]", 2.0, is_sweep=True))
    depth.pytest_runtest_logreport(
        report(f"{LINKS}::test_pairs[kmeans]", 2.0, is_sweep=True, failed=True)
    )
    depth.pytest_sessionfinish()
    record = config.cache[RECORD]
    assert record["pca"] == [1.0, 2.0]
    assert record["roc"][0] > 1.0
    assert record["roc"][1] == 3.5
    assert "kmeans" not in record


def test_without_a_cache_nothing_is_remembered():
    config = config_of(ALL)
    del config.cache
    Depth(config).pytest_sessionfinish()
