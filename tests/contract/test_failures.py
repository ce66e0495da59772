"""Failing presets: each says why, its picture is there, and what works instead does work."""

import re
from collections import Counter
from functools import cache

import pytest
from PIL import Image
from sklearn.metrics import adjusted_rand_score

from dashboard.catalogue import CATALOGUE
from dashboard.failures import choose, failing_runs, numbers_of_causes
from dashboard.pin import MAX_CHARACTERS, Pin
from dashboard.presets import CAUSES, Preset, link_of, presets
from dashboard.settings import PIN
from dmlib.pictures.words import brief
from tests.visit import ROOT, open_settings, sound, stage, visit, warnings

SLUGS = tuple(CATALOGUE)
LARGEST, TOGETHER = 30_000, 3_000_000  # bytes
AGREEMENT = "Agreement with the classes (ARI)"
LARGER_IS_BETTER = {
    AGREEMENT,
    "AUC",
    "Balanced accuracy",
    "Compression",
    "Log-likelihood",
    "Mutual information (bits)",
    "Precision",
    "Recall",
    "Smallest eigenvalue",
    "Value of the pair",
}
EXPONENT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


def runs(slug):
    return [run for run in failing_runs() if run.slug == slug]


def test_every_page_has_a_failing_preset_which_says_why_and_what_works(slug):
    assert runs(slug)
    for preset in presets(slug):
        assert ("fails" in preset.tags) == (preset.failure is not None), preset.title
    for run in runs(slug):
        failure = run.failure
        assert failure.cause in CAUSES, run.preset.title
        assert re.fullmatch(r"[^\n]{10,110}\.", failure.reason), failure.reason
        assert re.fullmatch(r"[^\n]{3,45}[^.\n]", failure.remedy), failure.remedy
        assert failure.page in CATALOGUE


def test_what_works_has_the_data_of_what_fails_and_not_its_step():
    (run,) = (run for run in runs("kmeans") if run.failure.page == "kmedoids")
    data = {name: value for name, value in run.preset.settings.items() if name != "n_init"}
    assert run.failure.settings == {**data, "n_clusters": 3}
    assert all("step" not in run.failure.settings for run in failing_runs())


def test_every_cause_occurs_and_the_filters_leave_what_they_say():
    counts = numbers_of_causes(None)
    assert set(counts) == set(CAUSES)
    assert sum(counts.values()) == len(choose(None, None)) == len(failing_runs())
    scaled = choose("scale", "Clustering")
    assert {run.slug for run in scaled} >= {"kmeans", "gaussian_mixture"}
    assert {run.failure.cause for run in scaled} == {"scale"}
    assert {run.entry.family for run in scaled} == {"Clustering"}
    assert len(scaled) == numbers_of_causes("Clustering")["scale"] < counts["scale"]


def test_every_run_has_its_small_pictures_and_there_are_no_others():
    expected = {run.picture(dark=dark) for run in failing_runs() for dark in (False, True)}
    files = set((ROOT / "assets/pages").glob("*/failures/*"))
    assert files == expected
    assert sum(file.stat().st_size for file in files) < TOGETHER
    sizes = Counter()
    for file in files:
        assert file.stat().st_size < LARGEST, file
        with Image.open(file) as image:
            sizes[image.size] += 1
    assert set(sizes) == {(400, 250)}


@pytest.mark.sweep
def test_what_works_instead_runs_and_its_number_is_the_better_one(slug):
    for run in runs(slug):
        failure = run.failure
        before = numbers(slug, run.link)
        after = numbers(failure.page, link_of(failure.page, Preset("", "", failure.settings)))
        if failure.contrast:
            label, texts = failure.contrast.split(": ")
            assert texts == f"{before[label]} → {after[label]}", run.preset.title
            worse, better = number(before[label]), number(after[label])
            if label in LARGER_IS_BETTER:
                worse, better = better, worse
            assert better < worse, run.preset.title


@pytest.mark.sweep
def test_the_two_runs_stand_beside_each_other(slug):
    for run in runs(slug):
        (text,) = run.contrast_link[PIN]
        assert len(text) <= MAX_CHARACTERS
        assert Pin.parse(text).technique.slug == slug
        page = sound(visit(run.failure.page, **run.contrast_link))
        assert warnings(page) == [], run.preset.title
        assert stage(page)["pair"], run.preset.title


def numbers(slug, link):
    """Run to the end; return the headline numbers, and the agreement of clusters with classes."""
    run, scene = open_settings(slug, **link)
    assert run is not None, link  # it is not refused
    assert run.trace.complete, link
    texts = {each["label"]: each["text"] for each in scene["results"][-1]}
    labels, classes = getattr(run.fitted, "labels_", None), getattr(run.problem, "y", None)
    if labels is not None and classes is not None and len(labels) == len(classes):
        texts[AGREEMENT] = brief(adjusted_rand_score(classes, labels))
    return texts


@cache
def number(text):
    """Return the number that a headline writes."""
    plain = text.replace(" %", "").replace(",", "").replace("−", "-").replace("∞", "inf")
    digits, _, exponent = plain.partition(" × 10")
    return float(digits) * 10 ** float(exponent.translate(EXPONENT) or 0)
