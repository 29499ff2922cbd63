"""Rules as numbers: the record that the compiled core reads."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim import layout
from buraco_sim.cards import JOKER, RANKS, TWO, full_deck, rank_of
from buraco_sim.rules.keys import KEYS, RuleTables

#: Keys that no compiled function reads: a match is more than one deal.
OUTSIDE: Final = ("match.vp", "match.tie", "match.starter")
#: Keys packed together with others, or in a form of their own.
SPECIAL: Final = ("table.mortos", "melds.sets")


def pack_rules(rules: RuleTables) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return the rules as an array of shape (1,) and dtype `layout.RULES`."""
    packed = np.zeros(1, layout.RULES)
    record = packed[0]
    for key in KEYS:
        field = key.replace(".", "_")
        if field in layout.RULES.names and key not in SPECIAL:  # type: ignore[operator]
            record[field] = _number(key, rules.value(key))
    mortos = rules.table.mortos
    record["table_mortos"] = len(mortos)
    record["morto_sizes"][: len(mortos)] = mortos
    record["melds_sets"] = _rank_mask(rules.melds.sets)
    record["canasta_points"] = [0, *(getattr(rules.canasta, name) for name in layout.CANASTA_CLASSES[1:])]
    for card in full_deck(1):
        record["card_points"][card] = _card_points(rules, card)
    return packed


def _number(key: str, value: Any) -> int:
    """Return an enum's index, a flag's 0 or 1, or the number itself."""
    if key == "morto.per_team":
        return layout.ANY_NUMBER if value == "any" else int(value)
    return layout.CHOICES[key].index(value) if key in layout.CHOICES else int(value)


def _rank_mask(sets: str | tuple[str, ...]) -> int:
    ranks = {"none": "", "all": RANKS.replace(RANKS[TWO], "")}.get(sets, "") if isinstance(sets, str) else sets
    return sum(1 << RANKS.index(rank) for rank in ranks)


def _card_points(rules: RuleTables, card: int) -> int:
    values = rules.values
    if card == JOKER:
        return values.joker
    rank = rank_of(card)
    if rank < 2:
        return (values.ace, values.two)[rank]
    return values.three_to_seven if rank < RANKS.index("8") else values.eight_to_king
