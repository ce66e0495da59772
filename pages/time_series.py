import dashboard
from dmlib.similarity import DynamicTimeWarping
from dmlib.similarity.time_series.figures.clustering import clustering
from dmlib.similarity.time_series.figures.cost_by_radius import cost_by_radius
from dmlib.similarity.time_series.figures.lower_bound import lower_bound
from dmlib.similarity.time_series.figures.nearest_neighbour import (
    RADII,
    nearest_neighbour,
    plot_nearest_neighbour,
)
from dmlib.similarity.time_series.figures.other_distances import other_distances
from dmlib.similarity.time_series.questions import Rule, questions
from dmlib.similarity.time_series.reference import time_series_reference
from dmlib.similarity.time_series.scene import time_series_scene

TECHNIQUE = dashboard.Technique(
    slug="time_series",
    methods={"Dynamic time warping": DynamicTimeWarping},
    labels={
        "Algorithm": {
            "window": "Window",
            "radius": "Band radius",
            "slope": "Maximum slope",
            "pattern": "Step pattern",
            "metric": "Local distance",
            "transform": "Series transformation",
        }
    },
    data=dashboard.SeriesPair(start={"source": "generator", "generator": "warped_pair"}),
    scene=time_series_scene,
    check=dashboard.Check(time_series_reference, ("cost_", "normalized_cost_", "matrix_")),
    results={"Cost of the path": "cost_", "Normalised cost": "normalized_cost_"},
    figures=(
        dashboard.Plot("Window", cost_by_radius, "The cost by the radius of a Sakoe-Chiba band."),
        dashboard.Plot(
            "Other distances", other_distances, "Euclid, LCSS and ERP on the same two series."
        ),
        dashboard.Plot(
            "Lower bound",
            lower_bound,
            "LB_Keogh: a lower bound of the cost of any path in the band.",
        ),
        dashboard.Sweep(
            "Nearest neighbour",
            nearest_neighbour,
            plot_nearest_neighbour,
            len(RADII),
            "Classification of a small set by warping distances.",
        ),
        dashboard.Plot("Clustering", clustering, "Dendrograms of the same small set."),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.Drag("radius", within=True),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
