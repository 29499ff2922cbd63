"""The built-in players: one module each, with a compiled `decide(view, weights, scratch) -> action`."""
