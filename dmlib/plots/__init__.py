"""Results as plotly figures: first plain data, then a figure of nothing but them."""
