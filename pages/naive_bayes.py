import ui
from dmlib.classification import NaiveBayes
from dmlib.reference.naive_bayes import naive_bayes_code, naive_bayes_reference
from dmlib.scenes.naive_bayes import naive_bayes_scene

ui.show(
    ui.Technique(
        slug="naive_bayes",
        algorithms={"Naive Bayes": NaiveBayes},
        groups={
            "Algorithm": {
                "laplace": "Laplace: added to each count",
                "m_estimate": "m-estimate: rows added",
                "numeric": "Numbers",
            },
            "Details": {
                "n_bins": "Intervals of a cut column",
                "ddof": "Variances divide by n minus",
                "var_smoothing": "Share of variance added",
            },
        },
        labelled=True,
        query="always",
        start={"source": "library", "data": "iris", "test": "0.3"},
        scene=lambda run: naive_bayes_scene(run.problem, run.trace, run.fitted, run.surface, run.query),
        results={},
        equivalent=lambda run: naive_bayes_code(run.estimator()),
        reference=lambda run: naive_bayes_reference(run.estimator(), run.problem.training.data, run.problem.training.y),
        compare=("predict_proba",),
        plots=(ui.confusion_matrix(),),
        presets=(
            ui.Preset(
                "The weather, by hand",
                "A sunny, cool, humid and windy day: 0.0053 for play and 0.0206 against it, so 0.205 to 0.795. The "
                "last steps multiply the counts of the tables.",
                {"data": "weather_nominal", "weather_nominal.across": "temperature", "weather_nominal.up": "windy"}
                | {"test": 0, "query": "2,0"},
            ),
            ui.Preset(
                "One zero decides",
                "No overcast day was without play, so the product for no is zero, whatever the other columns say. Set "
                "Laplace to 1, or the m-estimate to 3.",
                {"data": "weather_nominal", "test": 0},
            ),
            ui.Preset(
                "Missing values are skipped",
                "Of row 4 only the island is known: its other factors are left out. The note says how many rows have "
                "holes; none is thrown away.",
                {"data": "penguins", "test": 0, "point": 4, "laplace": 1}
                | {"penguins.features": ["bill_length_mm", "bill_depth_mm", "island", "sex"]},
            ),
            ui.Preset(
                "Three sizes of one cell",
                "Radius, perimeter and area say the same thrice, so 74 % of the rows get a probability above 0.99. "
                "With the radius alone 15 % do, and just as many errors are made.",
                {"data": "breast_cancer"}
                | {"breast_cancer.features": ["mean_radius", "mean_perimeter", "mean_area"], "test": 0.3},
            ),
            ui.Preset(
                "Exclusive or",
                "In each column the two curves are alike, so it tells nothing: only together do they matter, and about "
                "half of the answers are wrong.",
                {"source": "generator", "generator": "xor"},
            ),
            ui.Preset(
                "Curves or intervals",
                "All amphibians have four legs: their curve is a spike, and every animal with four legs is called one. "
                "Set Numbers to interval: the error falls from 0.54 to 0.27.",
                {"data": "zoo", "zoo.features": ["legs"], "query": "4,0"},
            ),
            ui.Preset(
                "One class inside the other",
                "Both classes have nearly the same means; the spread tells them apart, and the border is an ellipse.",
                {"source": "generator", "generator": "circles"},
            ),
        ),
    )
)
