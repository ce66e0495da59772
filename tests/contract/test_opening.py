"""A page may open with other settings than its defaults; explicit links keep their meaning."""

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.form import Form
from dashboard.parameters import method_of
from dashboard.settings import Settings
from tests.visit import (
    go_back,
    panel,
    picture,
    reopened,
    session_of,
    sound,
    stage,
    technique,
    turn,
    visit,
)

WITH_OPENING = [slug for slug in CATALOGUE if technique(slug).opening]
CHANGES = {
    "anomaly_detection": {"anomaly_detection.n_neighbors": "5"},
    "apriori": {"apriori.max_length": "2"},
    "bayesian_network": {"bayesian_network.laplace": "2.0"},
    "dbscan": {"dbscan.min_samples": "6"},
    "discretisation": {"discretisation.n_bins": "5"},
    "gaussian_mixture": {"gaussian_mixture.n_components": "2"},
    "hierarchical": {"hierarchical.n_clusters": "3"},
    "kmeans": {"kmeans.n_clusters": "5"},
    "knn": {"knn.n_neighbors": "7"},
    "mapreduce": {"mapreduce.n_reducers": "2"},
    "mean_shift": {"mean_shift.kernel": "gaussian"},
    "naive_bayes": {"naive_bayes.laplace": "1.0"},
    "polynomial_regression": {"polynomial_regression.degree": "7"},
    "roc": {"roc.cost_fn": "3.0"},
    "rule_learning": {"rule_learning.max_conditions": "1"},
    "spectral": {"spectral.n_clusters": "3"},
    "svm": {"svm.C": "10.0"},
}


def opening(slug):
    """Return what a page opens with: a text of each name, or a list of several."""
    link = technique(slug).opening_link
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in link.items()}


@pytest.mark.parametrize("slug", WITH_OPENING)
def test_it_opens_with_them_and_its_address_stays_as_it_is(slug):
    page = sound(visit(slug))
    assert page.query_params == {}
    explicit = sound(visit(slug, **opening(slug)))
    assert picture(page) == picture(explicit)
    assert picture(visit(slug, step="0")) == picture(page)


@pytest.mark.parametrize("slug", WITH_OPENING)
def test_the_first_change_says_all_of_it(slug):
    change = CHANGES[slug]
    page = turn(visit(slug), *next(iter(change.items())))
    everything = opening(slug) | change
    address = dict(page.query_params)
    assert address | change == address
    assert everything | address == everything
    assert picture(visit(slug, **everything)) == picture(page)
    assert picture(reopened(page)) == picture(page)


def test_few_pages_open_on_the_same_irises():
    def code_of(slug):
        page = technique(slug)
        form = Form(Settings.from_query({}, page.opening_link))
        method = method_of(page, form)
        return page.kind(method).choose(page, method, form).code

    assert sum("load('iris')" in code_of(slug) for slug in CATALOGUE) <= 3


def test_a_link_without_them_has_the_defaults():
    page = visit("spectral", **{"spectral.n_clusters": "3"})
    assert panel(page)["spectral.affinity"]["value"] == "rbf"
    assert len(stage(page)["frames"][-1]["ledger"]) > 0
    assert session_of(page).settings.text("source") is None
    assert page.query_params == {"spectral.n_clusters": "3"}


def test_all_defaults_have_a_link_of_their_own():
    page = visit("spectral", **{"spectral.n_clusters": "3"})
    turn(page, "spectral.n_clusters", "2")
    assert page.query_params == {"opening": "defaults"}
    turn(page, "spectral.laplacian", "symmetric")
    turn(page, "spectral.laplacian", "random_walk")
    assert page.query_params == {"opening": "defaults"}
    assert picture(reopened(page)) == picture(page) != picture(visit("spectral"))


def test_what_it_opened_with_can_be_taken_back():
    page = turn(visit("spectral"), "spectral.affinity", "rbf")
    assert "spectral.affinity" not in page.query_params
    assert page.query_params["generator"] == "moons"
    assert panel(reopened(page))["spectral.affinity"]["value"] == "rbf"


def test_on_the_way_back_to_its_address_it_is_as_it_opened():
    page = visit("spectral")
    before = picture(page)
    turn(page, "spectral.n_clusters", "3")
    assert picture(go_back(page)) == before
    assert page.query_params == {}
