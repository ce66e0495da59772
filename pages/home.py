import dashboard
from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.scene import kmeans_scene

LIVING = dashboard.Living(
    slug="kmeans",
    algorithm=KMeans,
    scene=kmeans_scene,
    generator="blobs",
    sentence=("Five centres start anywhere, and half-step by half-step they find the five groups."),
    data={"centers": 5, "spread": 0.5},
    params={"n_clusters": 5, "init": "random"},
    seed=30,
    begin=18,
)

if __name__ == "__main__":
    from ui.home import home

    home(LIVING)
