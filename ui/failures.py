"""The gallery of failures: runs on which methods fail, by cause, and what works instead."""

from __future__ import annotations

import streamlit as st

from dashboard.catalogue import FAMILIES
from dashboard.failures import FailingRun, choose, numbers_of_causes, one_of_each_page
from dashboard.text import literal
from ui.navigation import use_page_list
from ui.page import HOME_STYLE, STYLE


def failures() -> None:
    """Show a card of each failing run, of the cause and the family that the reader chooses."""
    use_page_list()
    st.html(STYLE)
    st.html(HOME_STYLE)
    with st.container(key="failures"):
        st.title("When it fails", anchor=False)
        st.markdown(
            "Every method has data on which it goes wrong. Open a run to see how, or see it beside"
            " what works instead."
        )
        causes = st.container()
        family = st.pills("Family", FAMILIES, key="family", bind="query-params")
        with causes:
            cause = st.pills(
                "Cause", list(numbers_of_causes(family)), key="cause", bind="query-params"
            )
        runs = choose(cause, family)
        # All at once take a while to arrive.
        if cause or family or st.toggle(f"All {len(runs)} runs", key="all", bind="query-params"):
            st.caption(f"{len(runs)} runs")
        else:
            runs = one_of_each_page()
            st.caption(f"{len(runs)} runs, one of each page")
        with st.container(key="gallery-failures"):
            for run in runs:
                _card(run)


def _card(run: FailingRun) -> None:
    name = f"{run.slug}-{run.preset.slug}"
    failure = run.failure
    with st.container(border=True, key=f"card-{name}", gap=None):
        picture = run.picture(dark=st.context.theme.type == "dark")
        st.image(picture, width="stretch", alt="")
        st.page_link(
            f"pages/{run.slug}.py",
            label=f"**{literal(run.preset.title)}**",
            help="",
            query_params=run.link,
        )
        st.caption(f"{literal(failure.reason)}  \n{run.entry.title} · {failure.cause}")
        with st.container(key=f"instead-{name}", gap=None):
            st.page_link(
                f"pages/{failure.page}.py",
                label=f"Works: {literal(failure.remedy)}",
                icon=":material/compare:",
                help="",
                query_params=run.contrast_link,
            )
            if failure.contrast:
                st.caption(literal(failure.contrast))
