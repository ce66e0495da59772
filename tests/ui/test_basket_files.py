"""A file of baskets: reading is reported, can be changed, and is in the exported code."""

from tests.visit import plain, sentences_of, sound, upload

AMBIGUOUS = "1,2\n1,5\n2,7\n2,5\n"


def sentences(page):
    return plain(" ".join(text.value for text in page.markdown))


def test_a_file_is_told_and_decided_otherwise():
    page = sound(upload("apriori", "shop.csv", AMBIGUOUS))
    assert (
        "The file was read as 2 baskets of 3 different items: one item on each of 4 lines"
        in sentences(page)
    )
    (form,) = [box for box in page.selectbox if box.label == "The file holds"]
    page = sound(form.select("one basket on each line").run())
    assert (
        "The file was read as 4 baskets of 4 different items: one basket on each line."
        in sentences(page)
    )
    assert sentences_of(page) == []


def test_what_cannot_be_read_so_is_a_sentence():
    page = sound(upload("fp_growth", "shop.csv", "tea,milk\nbread,tea\n"))
    (form,) = [box for box in page.selectbox if box.label == "The file holds"]
    page = sound(form.select("one column for each item").run())
    assert any(
        "cannot be read as one column for each item" in sentence for sentence in sentences_of(page)
    )
