"""Figures on penalised regression."""
