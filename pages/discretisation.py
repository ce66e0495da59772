import dashboard
from dmlib.preprocessing import Binarizer, Discretizer
from dmlib.preprocessing.discretisation.figures.gains import (
    N_SPLITS,
    gain_data,
    information_by_column,
    plot_gains,
)
from dmlib.preprocessing.discretisation.questions import Rule, questions
from dmlib.preprocessing.discretisation.reference import (
    discretisation_reference,
    prepared_code,
    prepared_table,
)
from dmlib.preprocessing.discretisation.scene import discretisation_scene

TECHNIQUE = dashboard.Technique(
    slug="discretisation",
    methods={"Intervals": Discretizer, "Bits": Binarizer},
    labels={
        "Cuts": {
            "strategy": "Cuts",
            "coding": "Code",
            "n_bins": "Intervals",
            "min_size": "Min. majority rows (1R)",
            "alpha": "Significance level α",
            "criterion": "Description length",
            "better_encoding": "Better encoding of cuts",
        }
    },
    data=dashboard.Table(
        start={"source": "library", "data": "iris"},
        plane=False,
        whole=True,
        known=True,
        max_rows=1000,
    ),
    data_by_method={"Bits": dashboard.Table(plane=False, whole=True, known=True, max_rows=1000)},
    opening="three-species-of-penguins",
    scene=discretisation_scene,
    check=dashboard.Check(discretisation_reference, ("first_cut_",)),
    results={"Intervals, all columns": "n_intervals_", "Mutual information (bits)": "information_"},
    figures=(
        dashboard.Sweep(
            "What is gained",
            gain_data,
            plot_gains,
            N_SPLITS,
            "Cross-validated errors of classifiers on intervals.",
        ),
        dashboard.Plot(
            "Bits by column",
            information_by_column,
            "Mutual information of the intervals of each column and the class.",
        ),
    ),
    tools=(dashboard.ShowColumn("column", "Column", "The most informative", ""),),
    practice=dashboard.Practice(questions, Rule),
    prepared=dashboard.Prepared(prepared_table, prepared_code),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
