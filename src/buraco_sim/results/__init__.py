"""Columns to Parquet parts and back: narrow rows, atomic parts, the manifest of a run folder."""
