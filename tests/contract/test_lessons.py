import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.metrics import silhouette_samples

from dashboard.lessons import ANSWERS, PICTURE, PRESET, QUESTIONS, items
from dashboard.presets import presets
from dmlib.clustering import BisectingKMeans, KMeans, XMeans
from tests.visit import one_of_each, open_part, picture, sound, turn, visit
from ui.lesson import lesson as lesson_of

LESSONS = sorted((Path(__file__).parents[2] / "assets" / "pages").glob("*/lesson.md"))
PAGE = re.compile(r"(?<!!)\[[^\]]+\]\((\w+)\)")
HEADINGS = [
    "The idea",
    "On the stage",
    "By hand",
    "When it fails",
    "When to use it",
    "Check yourself",
    "Answers",
    "Sources",
]

# The six points of the k-means lesson, A to F, and the two squares of the lesson on its variants.
POINTS = np.array([(3, 2), (3, 0), (7, 8), (2, 7), (2, 5), (1, 8)], float)
SQUARES = np.array([(0, 0), (0, 2), (2, 0), (2, 2), (6, 0), (6, 4), (10, 0), (10, 4)], float)


@pytest.fixture(params=[path.parent.name for path in LESSONS])
def slug(request):
    return request.param


@pytest.fixture
def lesson(slug):
    return text_of(slug)


def text_of(slug):
    (path,) = [path for path in LESSONS if path.parent.name == slug]
    return path.read_text(encoding="utf-8")


def without_math(text):
    text = re.sub(r"\$\$.+?\$\$", "", text, flags=re.DOTALL)
    return re.sub(r"\$[^$\n]+\$", "", text)


def section(text, title):
    return text.split(f"### {title}\n")[1].split("\n### ")[0]


def size_of(path):
    with Image.open(path) as picture:
        return picture.size


def test_sections_come_in_the_usual_order(lesson):
    titles = re.findall(r"^### (.+)$", lesson, re.MULTILINE)
    assert [title for title in titles if title in HEADINGS] == HEADINGS
    assert set(re.findall(r"^(#+) ", lesson, re.MULTILINE)) == {"###"}


def test_idea_is_three_sentences_and_a_picture(lesson):
    idea, _, caption = section(lesson, "The idea").partition("![")
    assert len(re.findall(r"[.?!](?=\s|$)", idea)) == 3
    assert caption


def test_links_and_pictures_are_there(slug):
    text = text_of(slug)
    named = PRESET.findall(text)
    assert set(named) <= {preset.slug for preset in presets(slug)}
    assert len(set(named)) >= 2
    assert len(named) == len(re.findall(r"\]\(\?", text))
    pictures = [file for _, file in PICTURE.findall(text)]
    assert pictures
    for file in pictures:
        light, dark = (
            LESSONS[0].parents[1] / slug / name for name in (file, file.replace(".", "_dark."))
        )
        assert size_of(light) == size_of(dark)


def test_a_lesson_comes_when_the_stage_has_been_drawn():
    page = visit("kmeans")
    assert not page.markdown
    texts = {part.title: part.text for part in lesson_of("kmeans")}
    open_part(page, **{"kmeans.lesson.due": True})
    assert {text.value for text in page.markdown} & set(texts.values()) == set()
    assert next(iter(texts.values())).startswith(page.markdown[0].value)


def test_a_lesson_is_shown_part_by_part_and_answers_are_folded(slug):
    texts = {part.title: part.text for part in lesson_of(slug)}
    first, *folded = texts
    states = {f"{slug}.lesson.{title}.open": True for title in folded}
    page = visit(slug, states={f"{slug}.lesson.due": True} | states)
    assert texts[first].startswith(page.markdown[0].value)
    assert [each.label for each in page.expander if each.label in texts] == [
        title for title in folded if title != ANSWERS
    ]
    on_page = {text.value for text in page.markdown}
    plain = {title for title in folded if not PICTURE.search(texts[title])} - {QUESTIONS, ANSWERS}
    assert {texts[title] for title in plain} <= on_page
    questions = [each for each in page.expander if re.match(r"\d+\\. ", each.label)]
    assert [each.label.split("\\. ", 1)[1] for each in questions] == items(texts[QUESTIONS])
    assert [each.markdown[0].value for each in questions] == items(texts[ANSWERS])
    assert not any(each.proto.expanded for each in questions)


@pytest.mark.parametrize("slug", one_of_each())
def test_a_link_adopts_its_preset_as_the_menu_does(slug):
    """A link's name comes from the browser: one that no preset has changes nothing."""
    named = PRESET.findall(text_of(slug))[-1]
    (preset,) = (preset for preset in presets(slug) if preset.slug == named)
    clicked, chosen = visit(slug, seed="7", step="2"), visit(slug, seed="7", step="2")
    before = dict(clicked.query_params)
    assert turn(clicked, "preset", "no-such-preset").query_params == before
    turn(clicked, "preset", named)
    chosen.menu_button(key=f"{slug}.presets").click(preset.title)
    assert sound(clicked).query_params == sound(chosen.run()).query_params
    assert picture(clicked) == picture(chosen)


def test_advice_is_short_and_leads_to_pages(slug):
    advice = section(text_of(slug), "When to use it")
    assert 2 <= len(re.findall(r"^- ", advice, re.MULTILINE)) <= 5
    assert PAGE.search(advice)


def test_links_to_pages_lead_to_pages(slug):
    linked = set(PAGE.findall(text_of(slug)))
    assert linked <= {path.parent.name for path in LESSONS} - {slug}


def test_formulas_are_closed(lesson):
    assert "$" not in without_math(lesson)
    for formula in re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", lesson, re.DOTALL):
        assert formula.count("{") == formula.count("}")


def test_markdown_holds_no_html_and_no_streamlit_directive(lesson):
    prose = without_math(lesson)
    assert not re.search(r"<[A-Za-z/!?]", prose)
    assert not re.search(r":[\w-]+\[|:[a-z_]+:|:material/", prose)


def test_every_question_has_its_answer(lesson):
    questions, answers = (
        re.findall(r"^\d+\. ", section(lesson, title), re.M)
        for title in ("Check yourself", "Answers")
    )
    assert questions == answers
    assert len(questions) >= 3


def test_kmeans_example_runs_as_told():
    steps = list(KMeans(2, init=POINTS[[0, 1]], tol=0).steps(POINTS))
    moves = [step for step in steps if step.phase in {"assign", "update"}]
    assert [step.phase for step in moves[:4]] == ["assign", "update", "assign", "update"]
    assert [step.inertia for step in moves[:4]] == pytest.approx([128, 48, 36, 30])
    assert moves[1].centers.tolist() == [[3, 6], [3, 0]]
    assert moves[3].centers.tolist() == [[3, 7], [3, 1]]
    assert steps[-1].inertia == pytest.approx(30)
    assert steps[-1].labels.tolist() == [1, 1, 0, 0, 0, 0]
    text = section(text_of("kmeans"), "By hand")
    for result in (
        "**128**",
        "**(3, 6)**",
        "**48**",
        "**36**",
        "**(3, 7)**",
        "**(3, 1)**",
        "**30**",
    ):
        assert result in text


def test_kmeans_example_ends_where_its_start_leads():
    pairs = combinations(range(len(POINTS)), 2)
    ends = {pair: KMeans(2, init=POINTS[list(pair)], tol=0).fit(POINTS).inertia_ for pair in pairs}
    text = section(text_of("kmeans"), "By hand")
    best = [pair for pair, end in ends.items() if end == pytest.approx(30)]
    assert min(ends.values()) == pytest.approx(30)
    assert f"of the {len(ends)} possible pairs\nof points, {len(best)} lead to 30" in text
    assert ends[3, 5] == pytest.approx(52.5)
    assert "starting from D and F ends at SSE = **52.5**" in text


def test_kmeans_seeding_probabilities_are_those_of_the_lesson():
    squares = ((POINTS - POINTS[0]) ** 2).sum(axis=1)
    assert squares.tolist() == [0, 4, 52, 26, 10, 40]
    text = section(text_of("kmeans"), "Seeding")
    assert f"the squares are 0, 4, 52, 26, 10, 40, in all **{squares.sum():.0f}**" in text
    assert f"52/132 = **{squares[2] / squares.sum():.3f}**" in text
    assert f"4/132 = {squares[1] / squares.sum():.3f}" in text


def test_kmeans_sse_and_silhouettes_are_those_of_the_lesson():
    fits = {k: KMeans(k, n_init=50, random_state=0).fit(POINTS) for k in range(1, 6)}
    text = section(text_of("kmeans"), "Choosing k")
    assert (
        f"({', '.join(f'{fit.inertia_:.3g}' for fit in fits.values())} for k = 1 to 5 above)"
        in text
    )
    two, three = (silhouette_samples(POINTS, fits[k].labels_) for k in (2, 3))
    assert f"s = {two[0]:.2f}" in text
    assert f"**{two.mean():.2f}**" in text
    assert f"it is {three.mean():.2f}" in text


def test_bisecting_example_cuts_as_told():
    inertias = [
        BisectingKMeans(k, n_init=20, random_state=0).fit(SQUARES).inertia_ for k in (1, 2, 3)
    ]
    assert inertias == pytest.approx([140, 40, 24])
    text = section(text_of("kmeans_variants"), "By hand")
    assert all(f"= **{sse:.0f}**" in text for sse in inertias)


def test_xmeans_example_is_judged_as_told():
    steps = list(XMeans(1, n_init=20, random_state=0).steps(SQUARES))
    first, *second = [step for step in steps if step.phase == "improve_structure"]
    text = section(text_of("kmeans_variants"), "By hand")
    assert first.accepted
    for name, score in ("140 / 14", first.parent), ("40 / 12", first.children):
        assert f"{name} = {score.variance:.2f}" in text
        assert f"| {score.log_likelihood:.2f} |" in text
        assert f"| **{score.bic:.2f}** |" in text
    assert f"gains {first.children.log_likelihood - first.parent.log_likelihood:.2f}: kept" in text
    assert [step.accepted for step in second] == [False, False]
    for step in second:
        assert f"**{step.parent.bic:.2f}** to" in text
        assert f"**{step.children.bic:.2f}**" in text
    assert len(steps[-1].centers) == 2
