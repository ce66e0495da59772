import dashboard
from dmlib.preprocessing import Aggregator, FormulaTransformer, Rescaler, Sampler
from dmlib.preprocessing.transformation.figures.effects import (
    effects,
    outlier_strips,
    training_rows,
)
from dmlib.preprocessing.transformation.formula_transformer import default_formula
from dmlib.preprocessing.transformation.questions import Rule, questions
from dmlib.preprocessing.transformation.reference import (
    prepared_code,
    prepared_table,
    transformation_reference,
)
from dmlib.preprocessing.transformation.scene import (
    COST,
    OPTIONS,
    SCALE,
    SCALES,
    USUAL,
    transformation_scene,
)
from dmlib.problem.formula import LONGEST_FORMULA

TECHNIQUE = dashboard.Technique(
    slug="transformation",
    methods={
        "Scaling": Rescaler,
        "New column": FormulaTransformer,
        "Sampling": Sampler,
        "Aggregation": Aggregator,
    },
    labels={
        "Transformation": {
            "scale": "Scale",
            "new_min": "New minimum",
            "new_max": "New maximum",
            "lower": "Lower limit m",
            "upper": "Upper limit M",
            "exponent": "Exponent p",
            "strategy": "Sample",
            "n_rows": "Rows",
            "by": "Groups",
            "size": "Group size",
            "statistic": "Representative",
        }
    },
    data=dashboard.Table(start={"source": "library", "data": "wine"}, whole=True, known=True),
    scene=transformation_scene,
    check=dashboard.Check(transformation_reference, ("prepared_",)),
    results={
        "Rows": "n_rows_",
        "Largest / smallest spread": "spread_ratio_",
        "Largest skewness": "skewness_",
    },
    results_by_method={
        "New column": {"Mean": "mean_", "Standard deviation": "std_", "Skewness": "skewness_"}
    },
    figures=(
        dashboard.Plot(
            "k-NN, PCA, k-means", effects, "The effect of scaling on distance-based methods."
        ),
        dashboard.Plot("An outlier", outlier_strips, "The effect of one outlier on every scaling."),
        dashboard.Plot(
            "Training rows only",
            training_rows,
            "A scaling is fitted like a model: without the test rows.",
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
    tools=(
        dashboard.WriteFormula(default_formula, LONGEST_FORMULA),
        dashboard.Drag("outlier", within=True),
        dashboard.OwnValues(
            "scales", "features", "Column with its own scale", "Scale of", SCALE, USUAL, SCALES
        ),
        dashboard.OwnValues(
            "costs", "classes", "Class with its own cost", "Cost of a row of", COST, 1.0
        ),
        dashboard.Setting(
            "outlier", "Outlier in column 1", *OPTIONS["outlier"], methods=("Scaling",)
        ),
    ),
    prepared=dashboard.Prepared(prepared_table, prepared_code),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
