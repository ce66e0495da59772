"""How k-means gets to its answer: the sum of squared errors after each step."""

from dmlib.clustering import KMeans
from dmlib.datasets import load
from dmlib.trace import run

X = load("iris").frame.select_dtypes("number").to_numpy()
for step in run(KMeans(n_clusters=3, random_state=0), X).steps:
    if step.phase != "seed":  # no row has a cluster yet
        print(f"{step.phase:10} {step.iteration:3} {step.inertia:8.3f}")
