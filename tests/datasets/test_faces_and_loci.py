"""Faces are smooth, of one person alike; a disease of two loci that neither shows alone."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, chisquare

from dmlib.datasets import load
from dmlib.datasets.faces import HEIGHT, PERSONS, PICTURES, WIDTH, faces
from dmlib.datasets.loci import N_LOCI, PAIR, loci, penetrance
from dmlib.decomposition.pixels import pixel_grid

FACES, LOCI = load("faces").frame, load("loci").frame
PAIR_NAMES = [f"locus_{number}" for number in PAIR]


def test_faces_are_pictures_of_grey_values():
    table = load("faces")
    assert pixel_grid(table.numeric) == (HEIGHT, WIDTH)
    X = FACES[list(table.numeric)].to_numpy()
    assert X.min() >= 0
    assert X.max() <= 1
    assert (X.std(axis=0) > 0).all()
    assert len(np.unique(X)) > 500  # smooth borders: not black and white
    assert FACES["person"].value_counts().to_dict() == dict.fromkeys(PERSONS, PICTURES)


def test_a_seed_draws_the_same_faces_and_another_one_others():
    pd.testing.assert_frame_equal(faces(3), faces(3))
    assert not faces(3).equals(faces(4))


@pytest.mark.parametrize("seed", range(4))
def test_pictures_of_a_person_differ_less_than_persons(seed):
    frame = faces(seed)
    X = frame.drop(columns="person").to_numpy().reshape(len(PERSONS), PICTURES, -1)
    within = X.var(axis=1).sum(axis=1)
    assert (within > 0).all()
    assert within.mean() < X.mean(axis=1).var(axis=0).sum()


def test_genotypes_are_in_equilibrium_and_classes_balanced():
    assert LOCI["status"].value_counts().to_dict() == {"control": 200, "case": 200}
    # In the order of the rows the classes are mixed.
    assert 150 < (LOCI["status"].iloc[:200] == "case").sum() * 2 < 250
    for name in (f"locus_{j + 1}" for j in range(N_LOCI)):
        if name in PAIR_NAMES:
            continue
        counts = LOCI[name].value_counts().reindex([0, 1, 2], fill_value=0).to_numpy()
        q = (counts @ [0, 1, 2]) / (2 * counts.sum())
        expected = counts.sum() * np.array([(1 - q) ** 2, 2 * q * (1 - q), q**2])
        assert chisquare(counts, expected, ddof=1).pvalue > 0.001


def test_neither_locus_has_an_effect_alone_and_both_decide():
    hardy_weinberg = [0.25, 0.5, 0.25]
    for axis in (0, 1):
        np.testing.assert_allclose(np.average(penetrance(), axis, hardy_weinberg), 0.05)
    for name in PAIR_NAMES:
        assert chi2_contingency(pd.crosstab(LOCI[name], LOCI["status"])).pvalue > 0.1
    is_one = (LOCI[PAIR_NAMES] == 1).sum(axis=1) == 1
    assert is_one[LOCI["status"] == "case"].all()
    assert 0.35 < is_one[LOCI["status"] == "control"].mean() < 0.6


def test_a_seed_draws_the_same_loci():
    pd.testing.assert_frame_equal(loci(2), loci(2))
