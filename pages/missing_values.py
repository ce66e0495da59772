import dashboard
from dmlib.preprocessing import Imputer
from dmlib.preprocessing.missing_values.figures.before_after import before_after
from dmlib.preprocessing.missing_values.figures.bias import bias
from dmlib.preprocessing.missing_values.figures.multiple import multiple
from dmlib.preprocessing.missing_values.figures.reasons import reasons
from dmlib.preprocessing.missing_values.questions import Rule, questions
from dmlib.preprocessing.missing_values.reference import (
    missing_values_reference,
    prepared_code,
    prepared_table,
)
from dmlib.preprocessing.missing_values.scene import missing_values_scene

TECHNIQUE = dashboard.Technique(
    slug="missing_values",
    methods={"Imputation": Imputer},
    labels={
        "Imputation": {
            "strategy": "Imputation method",
            "n_neighbors": "Neighbours k",
            "weights": "Weights of neighbours",
            "noise": "Add a random residual",
        }
    },
    data=dashboard.Table(
        start={"source": "library", "data": "airquality"},
        plane=False,
        whole=True,
        max_rows=400,
        weighs_columns=True,
    ),
    scene=missing_values_scene,
    check=dashboard.Check(missing_values_reference, ("transform",)),
    results={"Missing": "n_holes_", "Complete rows": "n_complete_"},
    figures=(
        dashboard.Plot(
            "Before and after",
            before_after,
            "Imputing a single value makes a spike and underestimates the variance.",
        ),
        dashboard.Plot(
            "Why missing?",
            reasons,
            "Small p: the rows with a missing value differ from the others.",
        ),
        dashboard.Plot(
            "Multiple imputation",
            multiple,
            "Several imputed tables show the uncertainty of the means.",
        ),
        dashboard.Plot(
            "Holes on purpose",
            bias,
            "Errors against the true values, where known values are deleted.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    prepared=dashboard.Prepared(prepared_table, prepared_code),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
