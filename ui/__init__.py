"""The user interface: Streamlit shows the views of the dashboard."""
