import ui
from dmlib.preprocessing import Imputer
from dmlib.preprocessing.missing_values.figures.before_after import before_after
from dmlib.preprocessing.missing_values.figures.bias import bias
from dmlib.preprocessing.missing_values.figures.multiple import multiple
from dmlib.preprocessing.missing_values.figures.reasons import reasons
from dmlib.preprocessing.missing_values.reference import (
    missing_values_code,
    missing_values_reference,
    prepared_code,
    prepared_table,
)
from dmlib.preprocessing.missing_values.scene import missing_values_scene

ui.show(
    ui.Technique(
        slug="missing_values",
        methods={"Imputation": Imputer},
        labels={
            "Imputation": {
                "strategy": "Put into a hole",
                "n_neighbors": "Neighbours k",
                "weights": "Weights of neighbours",
                "noise": "Add a random residual",
            }
        },
        data=ui.Table(
            start={"source": "library", "data": "airquality"},
            plane=False,
            whole=True,
            max_rows=400,
            weighs_columns=True,
        ),
        scene=missing_values_scene,
        check=ui.Check(missing_values_reference, ("transform",), missing_values_code),
        results={"Missing": "n_holes_", "Complete rows": "n_complete_"},
        figures=(
            ui.Plot("Before and after", before_after, "One value for all makes a spike, and the spread too small."),
            ui.Plot("Why missing?", reasons, "Small p: the rows with a hole differ from the others."),
            ui.Plot("Multiple imputation", multiple, "Several filled tables say how unsure their means are."),
            ui.Plot("Holes on purpose", bias, "Against the truth, which is known only where holes are made."),
        ),
        prepared=ui.Prepared(prepared_table, prepared_code),
    )
)
