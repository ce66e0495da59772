"""The cost of a large file is bounded in advance: by a sample, or a sentence with the number."""

from functools import cache
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import ui.upload
from dashboard.catalogue import CATALOGUE
from dmlib.datasets import read_table
from tests.visit import sentences_of, sound, stage, takes_tables, technique, visit

ALWAYS = ("kmeans", "decision_tree")  # a page without classes, one with them
IN_SWEEPS = [slug for slug in filter(takes_tables, CATALOGUE) if slug not in ALWAYS]


def page_with(slug, frame):
    page = visit(slug, source="upload")
    page.file_uploader[0].upload("large.csv", frame.to_csv(index=False).encode(), "text/csv")
    return sound(page.run())


def noise(n_rows, n_columns):
    X = np.random.default_rng(0).normal(size=(n_rows, n_columns)).round(2)
    return pd.DataFrame(X).add_prefix("c").assign(g=np.where(X[:, 0] > 0, "x", "y"))


@pytest.mark.parametrize("slug", ALWAYS)
def test_many_rows_are_sampled(slug):
    notes = stage(page_with(slug, noise(100_000, 3)))["notes"]
    assert any(
        f"sample of {technique(slug).data.max_rows:,} of 100,000 rows is used" in note
        for note in notes
    )


@pytest.fixture(scope="module")
def read_once():
    """Read a file once for all pages: what it costs is not told by how often it is read."""
    read = cache(read_table)
    with mock.patch.object(
        ui.upload, "read_file", lambda _reader, file, *_: read(file.getvalue(), file.name)
    ):
        yield


@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize(
    "slug", [*ALWAYS, *(pytest.param(slug, marks=pytest.mark.sweep) for slug in IN_SWEEPS)]
)
def test_of_many_columns_some_are_used(slug):
    page = page_with(slug, noise(60, 1999))
    notes = stage(page)["notes"]
    # Without the target, and without nominal columns where they cannot be used.
    usable = ("1,998", "1,999", "2,000")
    assert sentences_of(page) or any(
        f"of {n} usable columns" in note for n in usable for note in notes
    )


def test_too_many_classes_are_refused_with_their_number():
    frame = noise(3000, 2).drop(columns="g").assign(g=[f"class {i % 700}" for i in range(3000)])
    assert "different values; a class to learn may have at most" in " ".join(
        sentences_of(page_with("decision_tree", frame))
    )
