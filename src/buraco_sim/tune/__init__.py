"""Weights that win: a search by evolution over mirrored pairs, and the proof on deals that the search never saw."""
