"""Recurrent networks: Elman, LSTM and NARX."""
