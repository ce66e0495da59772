"""Shops along a river: towns and a road as clusters of places, as the preset says."""

from sklearn.cluster import DBSCAN

from dmlib.datasets import load
from tests.visit import open_preset


def test_two_towns_and_a_road():
    run = open_preset("dbscan", "Shops along a river").run
    assert (run.fitted.n_clusters_, run.fitted.n_noise_) == (3, 14)
    places = load("shops").frame["place"]
    for place in ("west town", "east town", "road"):
        assert len(set(run.fitted.labels_[places == place])) == 1, place
    assert sum(run.fitted.labels_[places == "countryside"] == -1) == 14


def test_at_a_larger_radius_the_road_joins_the_town_in_the_east():
    frame = load("shops").frame
    labels = DBSCAN(eps=0.8).fit(frame[["east_km", "north_km"]]).labels_
    assert labels.max() == 1
    joined = frame["place"].isin(["east town", "road"])
    assert len(set(labels[joined])) == 1
    assert set(labels[joined]).isdisjoint(labels[frame["place"] == "west town"])
