"""Whatever a link says, a page opens, with its defaults for what cannot be used and a notice."""

from itertools import count
from unittest import mock

import pytest
from allpairspy import AllPairs

import dashboard.runs
from dashboard.catalogue import CATALOGUE
from dashboard.data.container import TEST
from dashboard.data.labelled_graph import KNOWN_SHARE
from dashboard.tools import Ask, PlaceCenters
from dmlib.datasets import encode_points
from dmlib.params import Choice, Flag, Integer
from tests.visit import (
    go_back,
    ignored,
    linked,
    methods,
    picture,
    say,
    sentences_of,
    sound,
    stage,
    takes_tables,
    technique,
    turn,
    usual,
    visit,
    warnings,
)

SLUGS = tuple(CATALOGUE)
TICK = 0.02  # seconds: a run of 150 looks spends its budget
# Every hostile text is tried here: a page without classes, one with them.
EVERY_TEXT = ("kmeans", "decision_tree")
HOSTILE = (
    "",
    "nan",
    "inf",
    "1e308",
    "-1e308",
    "-1",
    "[]",
    "null",
    "1;2",
    "x" * 10_000,
    "<script>",
    "\x00",
    "٣",
)
PLACES = (
    "nan,nan",
    "1,nan",
    "1,2,3",
    "#x",
    "inf,1",
    "#-1",
    "#99999",
    ";;",
    "1e308,1e308",
    "1e40,0",
    "x" * 9999,
)
THREE_POINTS = {"source": "draw", "points": encode_points([[1, 2, 0], [2, 1, 0], [8, 9, 1]])}


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


def controls(slug, method):
    """Return the specification of every control of a method, by name."""
    page = technique(slug)
    settings = {
        name: s.spec for name, s in page.settings.items() if not s.methods or method in s.methods
    }
    return page.specs(method) | settings


def ends(slug):
    """Yield links of each method with all controls low, and with all of them high."""
    for method, base in methods(slug).items():
        values = {name: spec.extremes() for name, spec in controls(slug, method).items()}
        for end in (0, 1):
            yield base | linked(
                slug, {name: texts[:2][end % len(texts[:2])] for name, texts in values.items()}
            )


def pairs(slug):
    """Yield links with the ends in pairs, and once with what else is extreme.

    Of many names the first two are the ends; test_fit_and_steps.py draws all of them together.
    """
    for method, base in methods(slug).items():
        values = {name: spec.extremes() for name, spec in controls(slug, method).items()}
        ends = [texts[:2] for texts in values.values()]
        alternatives = [texts[2:] or texts for texts in values.values()]
        rows = list(AllPairs(ends)) if len(ends) > 1 else []
        rows += [
            [texts[i % len(texts)] for texts in alternatives]
            for i in range(max(map(len, alternatives), default=0))
        ]
        for row in dict.fromkeys(map(tuple, rows)):
            yield base | linked(slug, dict(zip(values, row, strict=True)))


@pytest.fixture
def impatient(slug):
    """Let at least ``TICK`` seconds pass between two looks at the clock, so that runs stop sooner.

    The jobs of one page run elsewhere, with clocks of their own.
    """
    real = dashboard.runs.CLOCK
    if slug == "mapreduce":
        yield
        return

    def ticking():
        clock, looks = real(), count()
        return lambda: max(clock(), TICK * next(looks))

    with mock.patch.object(dashboard.runs, "CLOCK", ticking):
        yield


@pytest.mark.usefixtures("impatient")
def test_extremes_of_the_controls_are_accepted(slug):
    for link in ends(slug):
        page = sound(visit(slug, **link))
        assert ignored(page) == set(), link


@pytest.mark.sweep
@pytest.mark.usefixtures("impatient")
def test_extremes_of_the_controls_are_accepted_two_by_two(slug):
    for link in pairs(slug):
        page = sound(visit(slug, **link))
        assert ignored(page) == set(), link


@pytest.mark.usefixtures("impatient")
def test_extremes_meet_three_points(slug):
    for method, base in methods(slug).items():
        kind = technique(slug).kind(method)
        for end in (0, 1):
            ends = {name: spec.extremes() for name, spec in controls(slug, method).items()}
            link = linked(slug, {name: texts[end % len(texts)] for name, texts in ends.items()})
            # Not texts.
            points = (
                THREE_POINTS if "draw" in getattr(kind, "sources", THREE_POINTS.values()) else {}
            )
            page = sound(visit(slug, **base, **points, **link))
            assert ignored(page) == set(), link
            assert sentences_of(page) or len(stage(page)["frames"]) > 1, link


def hostile_keys(slug):
    """Return every name of a link that this page reads at its defaults, with its specification."""
    page = technique(slug)
    method = next(iter(page.methods))
    named = {f"{slug}.{name}": spec for name, spec in controls(slug, method).items()}
    named = {
        name: spec
        for name, spec in named.items()
        if name.split(".")[1] not in ("choices", "column", "positive")
    }
    if len(page.methods) > 1:
        named[f"{slug}.method"] = Choice(tuple(page.methods))
    source = page.data.start.get("source")
    named_by = {"generator": {"generator": Choice(())}, "task": {"task": Choice(())}, "draw": {}}
    shared = {
        "source": Choice(()),
        "projector": Flag(),
        **named_by.get(source, {"data": Choice(())}),
    }
    shared |= {"scaling": Choice(())} if takes_tables(slug) else {}
    if page.data.labelled:
        shared |= {"test": TEST} if takes_tables(slug) else {"known": KNOWN_SHARE}
    shared |= {"query": Choice(())} if any(isinstance(tool, Ask) for tool in page.tools) else {}
    numbers = {
        "seed": Integer(0, 9999),
        "step": Integer(0, 100_000),
        "point": Integer(1, 10_000_000),
    }
    return named | shared | numbers


def refused(spec, text):
    try:
        spec.parse(text)
    except (ValueError, OverflowError):
        return True
    return False


def test_hostile_links_open_the_defaults_and_say_so(slug):
    specs = hostile_keys(slug)
    defaults = picture(visit(slug, opening="defaults")) if technique(slug).opening else usual(slug)
    for text in HOSTILE if slug in EVERY_TEXT else HOSTILE[1::6]:
        link = {key: text for key, spec in specs.items() if refused(spec, text)}
        assert len(link) > 3
        page = sound(visit(slug, **link))
        assert picture(page) == defaults, text[:40]
        assert ignored(page) == set(link), text[:40]
        for sentence in warnings(page):
            assert len(sentence) < 500


def test_a_notice_comes_once():
    page = visit(SLUGS[0], seed="nan")
    assert ignored(page) == {"seed"}
    page.run()
    assert ignored(page) == set()


def test_a_message_that_comes_with_the_link_before_is_no_way_back():
    page = visit("kmeans")
    for send in (
        lambda: page,
        lambda: say(page, rest={}),
        lambda: page.number_input(key="seed").set_value(5).run(),
    ):
        page.number_input(key="seed").set_value(3).run()
        del page.query_params["seed"]  # the browser has not heard of it yet
        seed = sound(send()).number_input(key="seed").value
        assert sound(page.run()).number_input(key="seed").value == seed >= 3
        assert page.query_params["seed"] == str(seed)


# A fragment of the page runs, or all of it.
@pytest.mark.parametrize("source", ["generator", "draw"])
def test_what_the_browser_has_not_heard_of_stays_in_the_link(source):
    page = say(visit("kmeans", source=source), frame={"value": 2})
    assert page.query_params["step"] == "2"
    for delayed, k in ({}, "4"), ({"step": "1"}, "5"):
        page.query_params.clear()
        for name, value in delayed.items():
            page.query_params[name] = value
        page = sound(turn(page, "kmeans.n_clusters", k))
        expected = {"source": source, "step": "2", "kmeans.n_clusters": k}
        assert {name: page.query_params.get(name) for name in expected} == expected


def test_the_way_back_and_forward():
    page = visit("kmeans")
    opening = page.number_input(key="seed").value
    page.number_input(key="seed").set_value(3).run()
    # A setting that its widget has not changed has a new one.
    assert sound(go_back(page)).number_input(key="seed~1").value == opening != 3
    assert sound(go_back(page, seed="3")).number_input(key="seed~2").value == 3


def test_repeated_and_unknown_names_in_a_link_do_no_harm():
    for slug in EVERY_TEXT:
        page = sound(
            visit(slug, seed=["1", "2"], data=["iris", "iris"], nobody="1", hide=["nobody", ""])
        )
        assert len(stage(page)["frames"]) > 1
        usual = {"opening": "defaults"} if technique(slug).opening else {}
        assert picture(sound(visit(slug, nobody="<b>"))) == picture(visit(slug, **usual))


def test_links_of_before_open_the_same_state():
    new = visit("svm", **{"svm.method": "ν-SVM", "svm.nu": "0.3"})
    assert picture(
        sound(visit("svm", **{"svm.method": "NuSVC: a share ν", "svm.nu": "0.3"}))
    ) == picture(new)


@pytest.mark.parametrize("text", ["!!!!!", "AAA", "_____", "A" * 5 * 301, "é" * 5, "<script>"])
def test_hostile_points_leave_the_first_drawing(text):
    page = sound(visit(SLUGS[0], source="draw", points=text))
    assert ignored(page) == {"points"}
    assert picture(page) == picture(visit(SLUGS[0], source="draw"))


@pytest.mark.parametrize("text", PLACES)
def test_hostile_places_are_refused_with_a_sentence(text):
    for slug in SLUGS:
        for tool in technique(slug).tools:
            if isinstance(tool, PlaceCenters):
                page = sound(visit(slug, places=text, **{f"{slug}.{tool.parameter}": tool.option}))
                assert sentences_of(page), text
