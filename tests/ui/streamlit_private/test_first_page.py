"""The first page and the files that it names are as this version of Streamlit has them.

If a newer Streamlit fails this: look in static/ for the new names of the parts that every page
shows and of what is painted in the main colour; a name that is not found costs time or contrast, no
more.
"""

from ui.streamlit_private.first_page import CHOSEN, PARTS, STATIC, page, parts, readable


def index():
    return (STATIC / "index.html").read_text("utf-8")


def test_every_part_is_found_in_this_version_of_streamlit():
    names = parts(index())
    assert {name.split(".")[0] for name in names} >= set(PARTS)
    assert not any(f"/{name}" in index() for name in names)


def test_what_is_chosen_is_found_in_this_version_of_streamlit():
    code = "".join(file.read_text("utf-8") for file in (STATIC / "static" / "js").glob("*.js"))
    for name in ("stSliderThumbValue", "stButtonGroup", "data-selected", "data-focus-visible"):
        assert any(name in selector for selector in CHOSEN)
        assert name in code
    assert readable() in page("", (), deep=False)
