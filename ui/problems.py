"""The page that leads from what one has and wants to techniques, with first concepts below."""

from __future__ import annotations

import streamlit as st

from dashboard.examples import Example
from dashboard.problems import Answers, Leaf, ProblemMap, Question, Section, problem_map
from dashboard.text import literal
from ui.concepts import concept_page, example_links
from ui.home import card


def problems() -> None:
    """Show the map, the techniques to which the answers lead, and the sections."""
    page_map = problem_map()
    answers = page_map.answers(st.query_params.to_dict())
    with concept_page("problems"):
        with st.container(key="map"):
            columns = st.columns(len(page_map.questions) + 1, gap="small")
            for column, question in zip(columns, page_map.questions, strict=False):
                with column:
                    _question(page_map, question, answers)
            with columns[-1]:
                _families(page_map.matching(answers), answers)
        _techniques(page_map.matching(answers) if answers else [])
        st.header("First concepts", anchor="concepts")
        for number, section in enumerate(page_map.sections):
            _section(section, number)


def _question(page_map: ProblemMap, question: Question, answers: Answers) -> None:
    """Show a question, with a button for each answer; that of the chosen one takes it back."""
    remaining = {name: answer for name, answer in answers.items() if name != question.name}
    with st.container(border=True, key=f"question-{question.name}", height="stretch"):
        st.markdown(f"**{question.title}**")
        for name, text in question.answers.items():
            is_chosen = answers.get(question.name) == name
            st.button(
                text,
                key=f"{question.name}.{name}",
                type="primary" if is_chosen else "secondary",
                icon=":material/check:" if is_chosen else None,
                disabled=not page_map.matching({**remaining, question.name: name}),
                on_click=_answer,
                args=(remaining if is_chosen else {**answers, question.name: name},),
            )


def _answer(answers: Answers) -> None:
    """Let the link say the answers, so that Back takes the last one back; a callback."""
    st.query_params.from_dict(answers)


def _families(leaves: list[Leaf], answers: Answers) -> None:
    """Show the families to which the answers lead, with what they do."""
    with st.container(border=True, key="families", gap="small", height="stretch"):
        st.markdown("**Then it is**")
        if not answers:
            st.caption("Choose an answer at the left; any of them may come first.")
            return
        families = dict.fromkeys(leaf.family for leaf in leaves)
        st.markdown("\n".join(f"- {literal(family)}" for family in families))
        if len(leaves) == 1:
            st.caption(literal(leaves[0].text))
        st.button("Begin anew", icon=":material/restart_alt:", on_click=_answer, args=({},))


def _techniques(leaves: list[Leaf]) -> None:
    """Show the techniques of some leaves as cards, each page once."""
    by_page: dict[str, Example] = {}
    for leaf in leaves:
        for example in leaf.examples:
            by_page.setdefault(example.entry.slug, example)
    if by_page:
        n_pages = len(by_page)
        st.subheader(f"{n_pages} technique{'s' if n_pages > 1 else ''}", anchor=False)
    with st.container(key="gallery-map"):
        for example in by_page.values():
            card(example)


def _section(section: Section, number: int) -> None:
    """Show a section: its sentence, and its words with an example of each."""
    st.subheader(literal(section.title), anchor=f"concept-{number + 1}")
    st.markdown(literal(section.text))
    with st.container(key=f"words-{number}"):
        for item in section.items:
            with st.container(border=True, gap=None):
                st.markdown(f"**{literal(item.name)}.** {literal(item.text)}")
                example_links(item.examples)
