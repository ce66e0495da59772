import ui
from dmlib.params import Choice, Integer
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.bins import RULES
from dmlib.reference.data_overview import overview_code, overview_reference
from dmlib.scenes.data_overview import data_overview_scene

ui.show(
    ui.Technique(
        slug="data_overview",
        algorithms={"Column": ColumnSummary},
        groups={"Column": {"scale": "Taken as"}},
        column=ui.ColumnChoice("column", "Column on the stage", nominal=True),
        options={
            "bins": ui.Option(
                "Bins of histograms",
                Choice(RULES),
                "sturges",
                "Sturges: as many as the number of rows asks for. Natural: k of equal width. Or k of equal frequency.",
                names={
                    "sturges": "Sturges' rule",
                    "natural": "natural: equal width",
                    "equal_frequency": "equal frequency",
                },
            ),
            "k": ui.Option("k, bins unless by Sturges", Integer(1, 200, shown=(2, 40)), 10),
        },
        start={"source": "library", "data": "penguins"},
        plane=False,
        whole_table=True,
        scene=lambda run: data_overview_scene(run.problem, run.trace, selected=run.selected, **run.options),
        results={"Medians": "median_", "Variances": "variance_", "Ranges": "range_"},
        equivalent=lambda run: overview_code(),
        reference=lambda run: overview_reference(run.problem.data),
        compare=("counts_", "mean_", "median_", "variance_", "range_", "percentiles_", "covariance_"),
        sources=(
            "S. S. Stevens (1946), On the theory of scales of measurement",
            "J. W. Tukey (1977), Exploratory data analysis",
            "H. A. Sturges (1926), The choice of a class interval",
        ),
    )
)
