"""Small molecules as graphs: heavy atoms are nodes, bonds are edges; hydrogens are not drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dmlib.datasets.graph_grid import graph_grid

if TYPE_CHECKING:
    import networkx as nx

VALENCES: Mapping[str, int] = {"C": 4, "N": 3, "O": 2}
"""How many bonds an atom has, hydrogens included."""

BONDS: Mapping[str, int] = {"-": 1, "=": 2, "#": 3}
DIGITS = "123456789"

LINES: Mapping[str, str] = {
    "alkane": """
        ethane CC
        propane CCC
        butane CCCC
        isobutane CC(C)C
        pentane CCCCC
        neopentane CC(C)(C)C
        hexane CCCCCC
        cyclohexane C1CCCCC1
    """,
    "aromatic": """
        benzene C1=CC=CC=C1
        toluene CC1=CC=CC=C1
        o-xylene CC1=C(C)C=CC=C1
        m-xylene CC1=CC(C)=CC=C1
        p-xylene CC1=CC=C(C)C=C1
        mesitylene CC1=CC(C)=CC(C)=C1
        cumene CC(C)C1=CC=CC=C1
        naphthalene C1=CC2=CC=CC=C2C=C1
    """,
    "alcohol": """
        methanol CO
        ethanol CCO
        1-propanol CCCO
        2-propanol CC(O)C
        1-butanol CCCCO
        2-butanol CCC(O)C
        glycol OCCO
        glycerol OCC(O)CO
        cyclohexanol OC1CCCCC1
    """,
    "ether": """
        dimethyl_ether COC
        ethyl_methyl_ether CCOC
        diethyl_ether CCOCC
        dimethoxymethane COCOC
        dimethoxyethane COCCOC
        oxolane C1CCOC1
        oxane C1CCOCC1
        dioxane C1COCCO1
    """,
    "amine": """
        methylamine CN
        ethylamine CCN
        dimethylamine CNC
        trimethylamine CN(C)C
        diethylamine CCNCC
        propylamine CCCN
        putrescine NCCCCN
        piperidine C1CCNCC1
    """,
    "acid": """
        formic_acid OC=O
        acetic_acid CC(=O)O
        propionic_acid CCC(=O)O
        butyric_acid CCCC(=O)O
        isobutyric_acid CC(C)C(=O)O
        oxalic_acid OC(=O)C(=O)O
        malonic_acid OC(=O)CC(=O)O
        succinic_acid OC(=O)CCC(=O)O
        acrylic_acid C=CC(=O)O
    """,
}
"""The molecules of each class, one on a line: its name, and its structure in SMILES."""


def molecules(classes: str = "") -> nx.Graph:
    """Return the molecules of some classes, or of all, as one graph that holds them.

    Parameters
    ----------
    classes : str
        Keys of ``LINES``, joined by commas; empty for all.

    Returns
    -------
    networkx.Graph
        Of each node the attribute ``graph`` says to which molecule it belongs, ``kind`` the class
        of that, ``label`` the element; of each edge ``order`` whether the bond is single (1),
        double or triple.

    Examples
    --------
    >>> graph = molecules("alcohol,acid")
    >>> sorted({kind for _, kind in graph.nodes(data="kind")})
    ['acid', 'alcohol']
    """
    lines = [
        (kind, *line.split())
        for kind in filter(None, classes.split(",") if classes else LINES)
        for line in filter(None, map(str.strip, LINES[kind].splitlines()))
    ]
    spoken = {name: name.replace("_", " ") for _, name, _ in lines}
    return graph_grid(
        {spoken[name]: parse_smiles(text) for _, name, text in lines},
        {spoken[name]: kind for kind, name, _ in lines},
    )


def parse_smiles(text: str) -> nx.Graph:
    """Return the molecule that a line describes.

    Parameters
    ----------
    text : str
        Its structure in SMILES, of which are read: the atoms C, N and O, the bonds ``-`` (which may
        be left out), ``=`` and ``#``, branches in parentheses, and digits that close rings.

    Returns
    -------
    networkx.Graph
        The atoms are called C1, C2, O3, ... and have the attribute ``label``, bonds have ``order``.

    Raises
    ------
    ValueError
        If a character is none of these, there is no atom, a ring or a branch is open at the end, or
        an atom has more bonds than its valence.

    References
    ----------
    D. Weininger (1988), SMILES, a chemical language and information system. 1. Introduction to
    methodology and encoding rules. Journal of Chemical Information and Computer Sciences 28.

    Examples
    --------
    >>> acid = parse_smiles("CC(=O)O")
    >>> list(acid.edges(data="order"))
    [('C1', 'C2', 1), ('C2', 'O3', 2), ('C2', 'O4', 1)]
    """
    import networkx as nx

    molecule = nx.Graph()
    last, order = "", 1
    branches: list[str] = []
    rings: dict[str, tuple[str, int]] = {}
    for sign in text:
        if sign in VALENCES:
            atom = f"{sign}{len(molecule) + 1}"
            molecule.add_node(atom, label=sign)
            if last:
                molecule.add_edge(last, atom, order=order)
            last, order = atom, 1
        elif last and sign in BONDS:
            order = BONDS[sign]
        elif last and sign == "(":
            branches.append(last)
        elif branches and sign == ")":
            last = branches.pop()
        elif last and sign in DIGITS:
            _open_or_close(rings, sign, last, order, molecule)
            order = 1
        else:
            raise ValueError(f"{text!r} is no molecule: {sign!r} cannot be read there. Correct it.")
    if branches or rings or not last:
        raise ValueError(
            f"{text!r} is no molecule: no atom, or an open ring or branch. Correct it."
        )
    _check_valences(text, molecule)
    return molecule


def _open_or_close(
    rings: dict[str, tuple[str, int]], digit: str, atom: str, order: int, molecule: nx.Graph
) -> None:
    """Remember the atom at which a digit opens a ring, or join it to the one that closes it."""
    if digit not in rings:
        rings[digit] = atom, order
        return
    start, first_order = rings.pop(digit)
    if start == atom or molecule.has_edge(start, atom):
        raise ValueError(f"A ring has three atoms or more: close {digit} farther from {start}.")
    molecule.add_edge(start, atom, order=max(order, first_order))


def _check_valences(text: str, molecule: nx.Graph) -> None:
    for atom, element in molecule.nodes(data="label"):
        if molecule.degree(atom, weight="order") > VALENCES[element]:
            raise ValueError(
                f"{text!r} is no molecule: {atom} has more than {VALENCES[element]} bonds."
                " Remove one."
            )


def hydrogens(molecule: nx.Graph) -> int:
    """Return how many hydrogens fill up the valences of a molecule's atoms.

    Examples
    --------
    >>> hydrogens(parse_smiles("CC(=O)O"))
    4
    """
    bonds = dict(molecule.degree(weight="order"))
    atoms = molecule.nodes(data="label")
    return sum(VALENCES[element] - int(bonds[atom]) for atom, element in atoms)
