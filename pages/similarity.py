import ui
from dmlib.similarity import Distances
from dmlib.similarity.measures.figures.balls import between_groups, unit_balls
from dmlib.similarity.measures.reference import similarity_code, similarity_reference
from dmlib.similarity.measures.scene import similarity_scene

ui.show(
    ui.Technique(
        slug="similarity",
        methods={"Distances": Distances},
        labels={"Measure": {"metric": "Measure", "p": "Power p", "n_neighbors": "Nearest rows k"}},
        data=ui.Table(start={"source": "library", "data": "iris"}, known=True, weighs_columns=True, max_rows=300),
        scene=similarity_scene,
        check=ui.Check(similarity_reference, ("distance_", "to_rows_"), similarity_code),
        results={"A to B": "distance_", "Detours that are shorter": "violations_"},
        figures=(
            ui.Plot("Unit balls", unit_balls, "What is near by each power of Minkowski."),
            ui.Plot("Between groups", between_groups, "From class to class, by three links."),
        ),
        tools=(ui.PlacePoints(("a", "b")),),
    )
)
