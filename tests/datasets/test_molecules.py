"""Small molecules: formulas and molar masses of the tables of chemistry, valences, the reader."""

from collections import Counter

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import load
from dmlib.datasets.molecules import LINES, VALENCES, hydrogens, molecules, parse_smiles
from dmlib.similarity.graphs_similarity.graphs import graph_list

# Formulas as handbooks print them, e.g. the CRC Handbook of Chemistry and Physics, section 3.
FORMULAS = {
    "ethane": "C2H6",
    "propane": "C3H8",
    "butane": "C4H10",
    "isobutane": "C4H10",
    "pentane": "C5H12",
    "neopentane": "C5H12",
    "hexane": "C6H14",
    "cyclohexane": "C6H12",
    "benzene": "C6H6",
    "toluene": "C7H8",
    "o-xylene": "C8H10",
    "m-xylene": "C8H10",
    "p-xylene": "C8H10",
    "mesitylene": "C9H12",
    "cumene": "C9H12",
    "naphthalene": "C10H8",
    "methanol": "C1H4O1",
    "ethanol": "C2H6O1",
    "1-propanol": "C3H8O1",
    "2-propanol": "C3H8O1",
    "1-butanol": "C4H10O1",
    "2-butanol": "C4H10O1",
    "glycol": "C2H6O2",
    "glycerol": "C3H8O3",
    "cyclohexanol": "C6H12O1",
    "dimethyl ether": "C2H6O1",
    "ethyl methyl ether": "C3H8O1",
    "diethyl ether": "C4H10O1",
    "dimethoxymethane": "C3H8O2",
    "dimethoxyethane": "C4H10O2",
    "oxolane": "C4H8O1",
    "oxane": "C5H10O1",
    "dioxane": "C4H8O2",
    "methylamine": "C1H5N1",
    "ethylamine": "C2H7N1",
    "dimethylamine": "C2H7N1",
    "trimethylamine": "C3H9N1",
    "diethylamine": "C4H11N1",
    "propylamine": "C3H9N1",
    "putrescine": "C4H12N2",
    "piperidine": "C5H11N1",
    "formic acid": "C1H2O2",
    "acetic acid": "C2H4O2",
    "propionic acid": "C3H6O2",
    "butyric acid": "C4H8O2",
    "isobutyric acid": "C4H8O2",
    "oxalic acid": "C2H2O4",
    "malonic acid": "C3H4O4",
    "succinic acid": "C4H6O4",
    "acrylic acid": "C3H4O2",
}
MASSES = {  # g/mol, of the same tables
    "ethanol": 46.07,
    "acetic acid": 60.05,
    "formic acid": 46.03,
    "benzene": 78.11,
    "toluene": 92.14,
    "naphthalene": 128.17,
    "glycerol": 92.09,
    "diethyl ether": 74.12,
    "dioxane": 88.11,
    "trimethylamine": 59.11,
    "putrescine": 88.15,
    "piperidine": 85.15,
    "oxalic acid": 90.03,
    "succinic acid": 118.09,
    "hexane": 86.18,
}
WEIGHTS = {"C": 12.011, "H": 1.008, "N": 14.007, "O": 15.999}  # IUPAC


def by_name():
    graphs, names = graph_list(molecules())
    return dict(zip(names, graphs, strict=True))


def atoms_of(molecule):
    return Counter(dict(molecule.nodes(data="label")).values()) + Counter(H=hydrogens(molecule))


def test_every_formula_is_the_handbook_s():
    found = {
        name: "".join(f"{sign}{atoms[sign]}" for sign in "CHNO" if atoms[sign])
        for name, atoms in ((name, atoms_of(graph)) for name, graph in by_name().items())
    }
    assert found == FORMULAS


@pytest.mark.parametrize("name", MASSES)
def test_molar_masses_are_those_of_the_tables(name):
    atoms = atoms_of(by_name()[name])
    assert sum(WEIGHTS[sign] * n for sign, n in atoms.items()) == pytest.approx(
        MASSES[name], abs=0.006
    )


def test_no_atom_has_more_bonds_than_its_valence():
    for name, graph in by_name().items():
        assert nx.is_connected(graph), name
        for atom, element in graph.nodes(data="label"):
            assert graph.degree(atom) <= graph.degree(atom, weight="order") <= VALENCES[element]


def test_classes_are_what_chemistry_calls_so():
    for graph in by_name().values():
        (kind,) = {kind for _, kind in graph.nodes(data="kind")}
        elements = dict(graph.nodes(data="label"))
        oxygens = [atom for atom, element in elements.items() if element == "O"]
        carboxyl = [
            {order for *_, order in graph.edges(atom, data="order")}
            for atom in graph
            if sum(elements[other] == "O" for other in graph[atom]) == 2
        ]
        orders = Counter(order for *_, order in graph.edges(data="order"))
        found = {
            "acid": any(2 in own for own in carboxyl),
            "ether": bool(oxygens) and all(graph.degree(atom) == 2 for atom in oxygens),
            "alcohol": bool(oxygens)
            and orders[2] == 0
            and all(graph.degree(atom) == 1 for atom in oxygens),
            "amine": "N" in elements.values(),
            "aromatic": not oxygens and orders[2] >= 3,
            "alkane": set(elements.values()) == {"C"} and orders[2] == 0,
        }
        assert [name for name, is_so in found.items() if is_so] == [kind]


def test_the_library_says_how_many_there_are():
    for name, classes in (("molecules", list(LINES)), ("alcohols_and_acids", ["alcohol", "acid"])):
        graphs, names = graph_list(load(name).graph)
        kinds = [next(iter(graph.nodes(data="kind")))[1] for graph in graphs]
        assert list(dict.fromkeys(kinds)) == classes
        assert len(set(names)) == len(names)
        description = load(name).description
        counts = Counter(kinds)
        said = [str(len(names))] if name == "molecules" else [f"{n}" for n in counts.values()]
        assert all(number in description for number in said)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no atom"),
        ("=C", "'=' cannot be read there"),
        ("(C)", "cannot be read there"),
        ("CX", "'X' cannot be read there"),
        ("C)C", "cannot be read there"),
        ("C(C", "open ring or branch"),
        ("C1CC", "open ring or branch"),
        ("C11", "three atoms or more"),
        ("C1C1", "three atoms or more"),
        ("O=O=O", "O2 has more than 2 bonds"),
        ("CC(C)(C)(C)C", "C2 has more than 4 bonds"),
        ("N#N=C", "N2 has more than 3 bonds"),
    ],
)
def test_what_is_no_molecule(text, message):
    with pytest.raises(ValueError, match=message):
        parse_smiles(text)


@given(st.text("CNO()=#-123", max_size=30))
def test_any_text_is_a_molecule_or_refused(text):
    try:
        molecule = parse_smiles(text)
    except ValueError:
        return
    assert nx.is_connected(molecule)
    assert hydrogens(molecule) >= 0
    assert len(molecule) == sum(text.count(sign) for sign in "CNO")


@given(st.integers(1, 30))
def test_chains_and_rings_have_the_formulas_of_their_series(n):
    assert hydrogens(parse_smiles("C" * n)) == 2 * n + 2
    if n > 2:
        assert hydrogens(parse_smiles(f"C1{'C' * (n - 2)}C1")) == 2 * n
