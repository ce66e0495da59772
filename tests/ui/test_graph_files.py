"""A file of a graph: reading is reported, can be changed, and is in the exported code."""

from tests.visit import plain, sentences_of, sound, upload

MATRIX = ",A,B,C,D\nA,0,1,0,2\nB,1,0,1,0\nC,0,1,0,0\nD,2,0,0,0\n"


def sentences(page):
    return plain(" ".join(text.value for text in page.markdown))


def test_an_adjacency_matrix_is_told_and_decided_otherwise():
    page = sound(upload("graph_clustering", "adjacency.csv", MATRIX))
    assert "The table was read as an adjacency matrix of 4 nodes" in sentences(page)
    (form,) = [box for box in page.selectbox if box.label == "The file holds"]
    page = sound(form.select("an edge on each line").run())
    assert "adjacency matrix of" not in sentences(page)


def test_remarks_of_xml_without_a_graph_are_a_sentence():
    page = sound(upload("graph_clustering", "g.graphml", "<!---->" * 60))
    assert any("holds no <graphml>" in sentence for sentence in sentences_of(page))
