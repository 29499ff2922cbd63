"""The compiled core, smallest module first: bits, rng, melds, table, turn, score, view, players, deal, batch."""
