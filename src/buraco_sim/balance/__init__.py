"""Variants side by side: measures declared once, figures with intervals, differences to a baseline."""
