"""Pages that open from disk, offline: the report of a study, and deals step by step."""
