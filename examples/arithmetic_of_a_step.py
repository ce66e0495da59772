"""A picture is a function of a step: each step of a k-means, with its arithmetic."""

import pandas as pd

from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.scene import kmeans_scene
from dmlib.pictures.ledger import Formula
from dmlib.pictures.run import Run
from dmlib.problem import prepare

frame = pd.DataFrame({"a": [1.0, 2.0, 8.0, 9.0], "b": [1.0, 3.0, 8.0, 6.0]})
problem = prepare(frame, ["a", "b"])
scene = kmeans_scene(Run.of(problem, KMeans(n_clusters=2, init=problem.X[:2])))
for number, step in enumerate(scene.frames):
    print(f"\n{number}. {step.phase}: {step.caption}")
    for block in step.ledger:
        if isinstance(block, Formula):
            print("  ", block.text)
        else:
            print(pd.DataFrame(block.rows, columns=block.head).to_string(index=False))
