"""Random graphs for the tests of graph similarity, and the folder of golden values."""

from pathlib import Path

import networkx as nx
from hypothesis import strategies as st

GOLDEN = Path(__file__).parents[2] / "golden"


@st.composite
def graphs(draw, weights=False, max_nodes=8, directed=None):
    """Draw a small graph, perhaps with weights or directions."""
    n = draw(st.integers(1, max_nodes))
    is_directed = draw(st.booleans()) if directed is None else directed
    G = nx.DiGraph() if is_directed else nx.Graph()
    G.add_nodes_from(range(n))
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    for u, v in draw(st.lists(ends, max_size=2 * n)) if n > 1 else []:
        G.add_edge(u, v)
    for u, v in G.edges if weights else []:
        G.edges[u, v]["weight"] = draw(st.integers(1, 9))
    return G
