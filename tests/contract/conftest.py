"""Data that several tests of the library's contract share."""

import pytest
from sklearn.datasets import make_blobs


@pytest.fixture
def blobs():
    """Return sixty rows in three clusters, with their classes."""
    return make_blobs(60, 2, centers=3, random_state=0)
