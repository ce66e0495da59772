import dashboard
from dmlib.similarity import BagSimilarity, Distances, MixedDistances
from dmlib.similarity.measures.figures.balls import unit_balls
from dmlib.similarity.measures.figures.groups import between_groups
from dmlib.similarity.measures.questions import Rule, questions
from dmlib.similarity.measures.reference import similarity_reference
from dmlib.similarity.measures.scene import similarity_scene

PENGUINS = "bill_length_mm body_mass_g island sex"

TECHNIQUE = dashboard.Technique(
    slug="similarity",
    methods={
        "Distances": Distances,
        "Mixed columns": MixedDistances,
        "Sets and texts": BagSimilarity,
    },
    labels={
        "Measure": {
            "metric": "Measure",
            "coefficient": "Coefficient",
            "p": "Power p",
            "first": "A (number)",
            "second": "B (number)",
            "distance": "Distance of mixed rows",
            "of_names": "Distance of names",
            "of_numbers": "Distance of numbers",
            "skip_absent": "Ignore joint absences",
            "n_neighbors": "Nearest rows k",
        }
    },
    data=dashboard.Table(
        start={"source": "library", "data": "iris"}, known=True, weighs_columns=True, max_rows=300
    ),
    data_by_method={
        "Mixed columns": dashboard.Table(
            start={"source": "library", "data": "penguins", "columns": PENGUINS},
            known=True,
            max_rows=400,
        ),
        "Sets and texts": dashboard.Bags(start={"source": "library", "data": "beer_and_nappies"}),
    },
    scene=similarity_scene,
    check=dashboard.Check(similarity_reference, ("distance_", "to_rows_")),
    results={"A to B": "distance_", "Triangle violations": "violations_"},
    figures=(
        dashboard.Plot("Unit balls", unit_balls, "The unit balls of Minkowski distances."),
        dashboard.Plot(
            "Between groups", between_groups, "Distances between groups, by three linkages."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(dashboard.PlacePoints(("a", "b")),),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
