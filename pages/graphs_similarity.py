import ui
from dmlib.similarity import GraphKernel, ShortestPaths
from dmlib.similarity.graphs_similarity.reference import graphs_similarity_code, graphs_similarity_reference
from dmlib.similarity.graphs_similarity.scene import graphs_similarity_scene

TWO_GRAPHS = "GQooAXwooAGQWgAXwWgAXw3AAIw5gBlgUAA4QUABu4ggAu4rwA3A1wApQ5gB..ABOEACDICDDIBDEsBEBkEFGQGHH0GIDIHIDIIJEsJKBkKLGQ"

ui.show(
    ui.Technique(
        slug="graphs_similarity",
        methods={"Graph kernel": GraphKernel, "Shortest paths": ShortestPaths},
        labels={
            "Algorithm": {
                "kernel": "Kernel",
                "n_iter": "Rounds (n_iter)",
                "decay": "Decay of a walk",
                "size": "Nodes of a graphlet",
                "labels": "First labels",
                "normalize": "Normalise the kernel",
                "source": "Source node",
                "target": "Target node",
                "weighted": "Weights are lengths",
            },
        },
        data=ui.Graph(start={"source": "draw"}, first=TWO_GRAPHS),
        scene=graphs_similarity_scene,
        check=ui.Check(
            graphs_similarity_reference,
            ("value_", "matrix_", "terms_", "distances_", "wiener_index_"),
            graphs_similarity_code,
        ),
        results={"Value": "value_"},
    )
)
