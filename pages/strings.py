import dashboard
from dmlib.similarity import StringAlignment, StringKernel
from dmlib.similarity.strings.figures.all_pairs import all_pairs
from dmlib.similarity.strings.figures.classification import classification
from dmlib.similarity.strings.figures.clusters import clusters
from dmlib.similarity.strings.questions import Rule, questions
from dmlib.similarity.strings.reference import strings_reference
from dmlib.similarity.strings.scene import strings_scene

TECHNIQUE = dashboard.Technique(
    slug="strings",
    methods={"Alignment": StringAlignment, "String kernel": StringKernel},
    labels={
        "Algorithm": {
            "measure": "Distance or score",
            "match": "Match score",
            "mismatch": "Mismatch score",
            "gap": "Gap score",
            "kernel": "Kernel",
            "k": "Substring length k",
            "mismatches": "Mismatches",
            "gaps": "Gaps",
            "normalize": "Normalise the kernel",
            "first": "First string",
            "second": "Second string",
        }
    },
    data=dashboard.Words(start={"source": "draw", "data": "number_words"}),
    scene=strings_scene,
    check=dashboard.Check(strings_reference, ("value_", "matrix_")),
    results={"Value of the pair": "value_"},
    figures=(
        dashboard.Plot(
            "All pairs", all_pairs, "The edit distances of all strings as a dendrogram."
        ),
        dashboard.Plot(
            "Classification", classification, "The errors of two classifiers on the kernel matrix."
        ),
        dashboard.Plot(
            "Clusters", clusters, "A dendrogram and kernel k-means, both of the kernel matrix."
        ),
    ),
    practice=dashboard.Practice(questions, Rule),
)

if __name__ == "__main__":
    from ui.page import show

    show(TECHNIQUE)
