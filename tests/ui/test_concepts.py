"""The pages on first concepts: the map, the table of methods and the glossary, as one sees them."""

from urllib.parse import parse_qs

import pytest

from dashboard.catalogue import CATALOGUE, CONCEPTS
from dashboard.glossary import terms, terms_of
from dashboard.problems import problem_map
from tests.visit import open_part, plain, upload, visit

OWN = "x,y,kind\n" + "".join(f"{i % 7},{i * i % 11},{'ab'[i % 2]}\n" for i in range(40))


def links(page, target=None):
    """Return the labels of links with what their addresses say, perhaps only those to a page."""
    protos = [link.proto for link in page.get("page_link")]
    return {
        plain(link.label): {name: text for name, (text, *_) in parse_qs(link.query_string).items()}
        for link in protos
        if target in (None, link.page) and not link.disabled
    }


def sound_texts(page):
    assert [error.message for error in page.exception] == []
    return " ".join(plain(each.value) for each in (*page.markdown, *page.caption, *page.subheader))


@pytest.mark.parametrize("slug", CONCEPTS)
def test_a_page_has_its_title_and_sentence(slug):
    page = visit(slug)
    assert CONCEPTS[slug].summary in sound_texts(page)
    assert page.title[0].value == CONCEPTS[slug].title


def test_home_and_courses_lead_to_them():
    for slug in ("home", "courses"):
        labels = links(visit(slug))
        assert {entry.title for entry in CONCEPTS.values()} <= set(labels)


# --- the map -------------------------------------------------------------------------------------


def answer(page, name):
    """Click an answer; return the page."""
    return page.button(key=name).click().run()


def disabled_answers(page):
    return {button.key for button in page.button if button.disabled}


def test_an_answer_is_in_the_link_beside_the_others():
    page = visit("problems", data="table", target="none")
    assert "want.predict" in disabled_answers(page)  # there is nothing to predict
    assert dict(answer(page, "want.group").query_params) == {
        "data": "table",
        "target": "none",
        "want": "group",
    }
    assert dict(answer(page, "target.none").query_params) == {"data": "table", "want": "group"}


def test_a_path_leads_to_a_family_and_its_techniques():
    page = visit("problems", data="table", target="none", want="anomalies")
    assert "Anomaly detection" in sound_texts(page)
    assert "5 techniques" in sound_texts(page)
    cards = links(page, "dbscan")
    assert cards[CATALOGUE["dbscan"].title.join(["**", "**"])]["dbscan.look_for"] == (
        "outliers-stay-outside"
    )


def test_a_link_with_nonsense_shows_the_whole_map():
    page = visit("problems", data="<b>", want="everything")
    assert disabled_answers(page) == set()


def test_every_word_of_the_sections_is_there_with_its_example():
    page = visit("problems")
    texts = sound_texts(page)
    labels = links(page)
    for section in problem_map().sections:
        assert section.title in texts
        for item in section.items:
            assert f"**{item.name}.** {item.text}" in texts
            assert {example.title for example in item.examples} <= set(labels)


# --- the table of methods ------------------------------------------------------------------------


def table(page):
    assert [error.message for error in page.exception] == []
    (frame,) = page.dataframe
    return frame.value


def test_all_techniques_are_in_the_table():
    frame = table(visit("methods"))
    assert list(frame["Technique"]) == [entry.title for entry in CATALOGUE.values()]
    assert "These data" not in frame
    assert (frame["Assumes"] != "").all()


def test_filters_leave_what_fits_all_of_them():
    page = visit("methods")
    page.multiselect(key="methods.families").set_value(["Classification"])
    page = open_part(page, **{"methods.filters": ["Takes missing values", "Easy to read"]})
    frame = table(page)
    assert {"Naive Bayes", "Decision tree"} <= set(frame["Technique"])
    assert frame["Missing"].all()
    assert set(frame["Readable"]) == {"3 high"}
    assert len(frame) < len(CATALOGUE)


def test_data_of_the_library_put_what_suits_them_first():
    page = visit("methods", rows="heart_disease")
    first = table(page).iloc[0]
    assert first["Technique"] == "Naive Bayes"
    assert first["These data"].startswith("There are nominal columns (7 of 13), and it takes")
    label = f"**Naive Bayes.** {first['These data']}"
    assert links(page, "naive_bayes")[label] == {"source": "library", "data": "heart_disease"}


def test_another_choice_of_data_is_in_the_link():
    page = visit("methods", rows="heart_disease")
    page.selectbox[0].set_value("mtcars").run()
    assert page.query_params == {"rows": "mtcars"}
    assert table(page).iloc[0]["Technique"] == CATALOGUE["ridge_lasso"].title


def test_a_page_leads_to_it_with_the_data_on_the_screen():
    page = open_part(upload("knn", "own.csv", OWN), **{"bar.compare": True})
    assert links(page, "methods") == {"Which method suits these data?": {"rows": "screen"}}
    page.switch_page("pages/methods.py")
    page.query_params.clear()
    page.query_params["rows"] = "screen"
    page.run()
    assert page.selectbox[0].value == "screen"
    assert "40 rows are few" in " ".join(table(page)["These data"])


def test_the_link_of_a_page_names_a_table_of_the_library():
    page = visit("knn", states={"bar.compare": True}, source="library", data="wine")
    assert links(page, "methods") == {"Which method suits these data?": {"rows": "wine"}}


def test_data_that_are_not_there_are_not_asked_for():
    for name in ("screen", "upload", "nothing"):
        assert "These data" not in table(visit("methods", rows=name))


# --- the glossary --------------------------------------------------------------------------------


def headings(page):
    assert [error.message for error in page.exception] == []
    return [plain(heading.value) for heading in page.subheader]


def test_terms_stand_under_their_letters():
    page = visit("glossary")
    assert headings(page) == [term.name for term in terms() if term.letter == "A"]
    page = open_part(page, letter="W")
    assert "Wiener index" in headings(page)


def test_a_link_leads_to_a_term_with_what_differs():
    page = visit("glossary", term="kappa")
    assert headings(page)[0] == "kappa"
    assert headings(page).count("kappa") == 1
    assert page.subheader[0].proto.anchor == "kappa"
    assert "MA429 takes the sum of squared true shares" in sound_texts(page)
    assert CATALOGUE["classifier_metrics"].title in links(page, "classifier_metrics")


def test_the_search_knows_other_names():
    page = visit("glossary")
    page.text_input(key="glossary.search").set_value("sensitivity").run()
    assert headings(page)[0] == "recall"
    page.text_input(key="glossary.search").set_value("**zzqx**").run()
    assert headings(page) == []
    assert "No term matches “**zzqx**”" in sound_texts(page)


def test_the_search_of_home_leads_to_a_term():
    page = visit()
    page.text_input(key="search").set_value("Wiener index").run()
    assert {"term": "wiener-index"} in links(page, "glossary").values()


def test_a_lesson_leads_to_its_words():
    page = visit("kmedoids", states={"kmedoids.lesson.due": True})
    labels = links(page, "glossary")
    assert {term.name for term in terms_of("kmedoids")} <= set(labels)
