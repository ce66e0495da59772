"""The page of failures: its filters, its cards and where their links lead; and the ways to it."""

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.failures import choose, failing_runs, one_of_each_page
from dashboard.search import matching_causes
from dashboard.settings import PIN
from dashboard.text import literal
from tests.visit import visit


def titles(page):
    """Return the titles of the cards that are shown."""
    labels = [link.proto.label for link in page.get("page_link")]
    return [label for label in labels if label.startswith("**")]


def of(runs):
    return [f"**{literal(run.preset.title)}**" for run in runs]


def test_one_run_of_each_page_is_there_and_all_at_a_switch():
    page = visit("failures")
    assert not page.exception
    assert [run.slug for run in one_of_each_page()] == list(CATALOGUE)
    assert titles(page) == of(one_of_each_page())
    page.toggle(key="all").set_value(True).run()
    assert titles(page) == of(failing_runs())


def test_filters_leave_the_runs_of_a_cause_and_a_family():
    page = visit("failures")
    page.button_group(key="cause").set_value("scale").run()
    assert titles(page) == of(choose("scale", None))
    page.button_group(key="family").set_value("Clustering").run()
    assert titles(page) == of(choose("scale", "Clustering"))


@pytest.mark.parametrize("cause", ["outliers", "nonsense", "<b>", ""])
def test_a_link_opens_a_cause_and_what_is_none_opens_the_page(cause):
    page = visit("failures", cause=cause)
    assert not page.exception
    assert titles(page) == of(
        choose("outliers", None) if cause == "outliers" else one_of_each_page()
    )


def test_a_card_links_to_the_run_and_to_what_works_beside_it():
    page = visit("failures", cause="density")
    runs = choose("density", None)
    links = [link.proto for link in page.get("page_link")]
    assert [link.page for link in links] == [
        name for run in runs for name in (run.slug, run.failure.page)
    ]
    for run, failing, instead in zip(runs, links[::2], links[1::2], strict=True):
        assert f"{run.slug}.look_for={run.preset.slug}" in failing.query_string
        assert f"{PIN}={run.slug}%3F" in instead.query_string
        assert literal(run.failure.remedy) in instead.label


def test_the_search_leads_to_the_failures_of_a_cause():
    assert matching_causes("outlier") == ["outliers"]
    assert matching_causes("imbalanced classes") == ["imbalance"]
    assert matching_causes("ou") == matching_causes("svm") == []
    page = visit()
    page.text_input(key="search").set_value("imbalance").run()
    (link,) = (link.proto for link in page.get("page_link") if "When it fails" in link.proto.label)
    assert (link.page, link.query_string) == ("failures", "cause=imbalance")


def test_home_says_how_many_there_are():
    page = visit()
    assert any(caption.value.startswith(f"{len(failing_runs())} runs") for caption in page.caption)
    assert len({run.slug for run in failing_runs()}) == len(CATALOGUE)
