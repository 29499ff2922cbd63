"""The one predicate that decides stranding, mortos and going out (rules 1.2), and the melding that it tries.

Everything here reads and tries on a VIEW record: the engine's true one, or the copy that a player holds. What is tried is
taken back before the function returns.
"""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import (
    ALL_TWOS,
    JOKER,
    more_once,
    more_twice,
    plane_points,
    popcount,
    wilds_in,
)
from buraco_sim.kernels.candidates import added_cards, candidates, may_return
from buraco_sim.kernels.melds import canasta_class, is_clean_class, meld_at
from buraco_sim.kernels.records import stack_words
from buraco_sim.layout import (
    CHOICES,
    PENDING_NONE,
    PENDING_TOP,
)

OUT_NONE: Final = CHOICES["go_out.canasta"].index("none")
OUT_CLEAN: Final = CHOICES["go_out.canasta"].index("clean")
OUT_OPTIONAL: Final = CHOICES["go_out.final_discard"].index("optional")
GONE_ALLOWED: Final = CHOICES["go_out.morto_gone"].index("allowed")

FEW: Final = 8  # candidates looked at in one go where one is enough
MOST_ADDED: Final = 14  # no meld action adds more cards


@kernel
def action_of(kind: int, slot: int, payload: int) -> int:
    """An action as one integer."""
    return kind | (slot << 3) | (payload << 9)


@kernel
def is_wild(card: int) -> bool:
    """Whether a card is a 2 or a joker."""
    return card == JOKER or (card & 15) == 1


@kernel
def n_wilds(now: Any) -> int:
    """Jokers and 2s in the hand."""
    return wilds_in(now.once, now.twice, now.jokers)


@kernel
def holds(now: Any, card: int) -> bool:
    """Whether the hand has a card."""
    if card == JOKER:
        return now.jokers > 0
    return (now.once >> card) & 1 != 0


@kernel
def may_take_morto(rules: Any, now: Any) -> bool:
    """Whether the team takes a morto if the hand is emptied now."""
    return now.n_mortos > 0 and now.taken[now.team] < rules.morto_per_team


@kernel
def may_go_out(rules: Any, now: Any) -> bool:
    """Whether the team may go out with the melds that it has now (rules 1.2)."""
    team = now.team
    if now.taken[team] == 0 and not (now.n_mortos == 0 and rules.go_out_morto_gone == GONE_ALLOWED):
        return False
    if rules.go_out_canasta == OUT_NONE:
        return True
    if rules.go_out_canasta == OUT_CLEAN:
        return now.clean_canastas[team] > 0
    return now.canastas[team] > 0


@kernel
def may_discard(rules: Any, now: Any, card: int) -> bool:
    """Whether a card of the hand may be discarded now."""
    if card == now.barred or now.pending != PENDING_NONE:
        return False
    if now.n_hand > 1 or may_take_morto(rules, now):
        return True
    return may_go_out(rules, now) and (rules.go_out_wild_discard != 0 or not is_wild(card))


@kernel
def can_discard(rules: Any, now: Any) -> bool:
    """Whether some card of the hand may be discarded, a pending condition apart."""
    barred = now.barred
    others = now.once
    if 0 <= barred < JOKER:
        others &= ~(1 << barred)
    has_joker = now.jokers > 0 and barred != JOKER
    if now.n_hand > 1 or may_take_morto(rules, now):
        return others != 0 or has_joker
    if not may_go_out(rules, now):
        return False
    if rules.go_out_wild_discard:
        return others != 0 or has_joker
    return (others & ~ALL_TWOS) != 0


@kernel
def count_meld(rules: Any, now: Any, meld: int, sign: int) -> None:
    """Count a meld of the table in (1) or out (-1): canastas and their bonus."""
    kind = canasta_class(rules, meld)
    if kind:
        team = now.team
        now.canasta_bonus[team] += sign * rules.canasta_points[kind]
        now.canastas[team] += sign
        now.clean_canastas[team] += sign * is_clean_class(kind)


@kernel
def cards_points(rules: Any, once: int, twice: int, jokers: int) -> int:
    """Points of a set of cards."""
    points = plane_points(rules.card_points, once) + jokers * rules.card_points[JOKER]
    return points + plane_points(rules.card_points, twice) if twice else points


@kernel
def lay_cards(rules: Any, now: Any, slot: int, before: int, after: int, once: int, twice: int, jokers: int) -> None:
    """Carry out a legal meld action of which the added cards are known: hand, table, points, canastas, pending condition."""
    team = now.team
    if before:
        count_meld(rules, now, before, -1)
        if may_return(before, after):
            give_back(rules, now, before, after)
    else:
        now.n_melds[team] += 1
    held1, held2 = now.once, now.twice
    now.once, now.twice = more_once(held1, held2, once, twice), more_twice(held2, once)
    now.jokers -= jokers
    now.n_hand -= popcount(once) + popcount(twice) + jokers
    now.tables[team, slot] = after
    count_meld(rules, now, after, 1)
    points = cards_points(rules, once, twice, jokers)
    now.table_points[team] += points
    now.hand_points -= points
    if meets(now, once, jokers):
        now.pending = PENDING_NONE
        now.pending_card = -1


@kernel
def give_back(rules: Any, now: Any, before: int, after: int) -> None:
    """Return a wild that `after` lacks from the table to the hand."""
    once, twice, jokers = added_cards(after, before)
    now.twice |= twice | (now.once & once)
    now.once |= once
    now.jokers += jokers
    now.n_hand += popcount(once) + popcount(twice) + jokers
    points = cards_points(rules, once, twice, jokers)
    now.table_points[now.team] -= points
    now.hand_points += points


@kernel
def lay(rules: Any, now: Any, slot: int, after: int) -> None:
    """Carry out a legal meld action: hand, table, points, canastas and the pending condition."""
    before = meld_before(now, slot)
    once, twice, jokers = added_cards(before, after)
    lay_cards(rules, now, slot, before, after, once, twice, jokers)


@kernel
def meld_before(now: Any, slot: int) -> int:
    """What a slot of the own table holds before a meld action; 0 if the action opens it."""
    return meld_at(now, now.team, slot) if slot < now.n_melds[now.team] else 0


@kernel
def has_card(once: int, jokers: int, card: int) -> bool:
    """Whether a set of cards holds a card."""
    if card == JOKER:
        return jokers > 0
    return (once >> card) & 1 != 0


@kernel
def snapshot(now: Any, slot: int) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]:
    """What `lay` changes, to be put back by `restore`."""
    team = now.team
    return (
        meld_at(now, team, slot),
        now.n_melds[team],
        now.once,
        now.twice,
        now.jokers,
        now.n_hand,
        now.hand_points,
        now.canasta_bonus[team],
        now.canastas[team],
        now.clean_canastas[team],
        now.table_points[team],
        now.pending,
        now.pending_card,
    )


@kernel
def restore(now: Any, slot: int, saved: Any) -> None:
    """Take a tried meld action back."""
    team = now.team
    now.tables[team, slot] = saved[0]
    now.n_melds[team] = saved[1]
    now.once = saved[2]
    now.twice = saved[3]
    now.jokers = saved[4]
    now.n_hand = saved[5]
    now.hand_points = saved[6]
    now.canasta_bonus[team] = saved[7]
    now.canastas[team] = saved[8]
    now.clean_canastas[team] = saved[9]
    now.table_points[team] = saved[10]
    now.pending = saved[11]
    now.pending_card = saved[12]


@kernel
def may_empty(rules: Any, now: Any) -> bool:
    """Whether the hand may have been emptied by a meld, the state being that after it."""
    return may_take_morto(rules, now) or (rules.go_out_final_discard == OUT_OPTIONAL and may_go_out(rules, now))


@kernel
def can_empty(rules: Any, now: Any) -> bool:
    """Whether one single meld action empties the hand legally."""
    if now.n_hand > MOST_ADDED or now.jokers > 1:
        return False
    if rules.go_out_final_discard != OUT_OPTIONAL and not may_take_morto(rules, now):
        return False
    buffer = stack_words(FEW)
    skip, n = 0, FEW
    while n == FEW:
        n = candidates(rules, now, now.once, now.twice, now.jokers, -1, True, skip, buffer)
        for i in range(n):
            slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
            saved = snapshot(now, slot)
            lay(rules, now, slot, after)
            found = now.n_hand == 0 and may_empty(rules, now)
            restore(now, slot, saved)
            if found:
                return True
        skip += FEW
    return False


@kernel
def has_way_on(rules: Any, now: Any) -> bool:
    """`may_leave` where no pile condition is pending."""
    if now.n_hand == 0:
        return may_empty(rules, now)
    return now.may_pass != 0 or can_discard(rules, now) or can_empty(rules, now)


@kernel
def can_meet(rules: Any, now: Any, once: int, twice: int, jokers: int, must: int, new_wild: bool) -> bool:
    """Whether one single meld action with the card `must` (-1: any), the rest from these cards, is legal by 1.2."""
    buffer = stack_words(FEW)
    skip, room, more = 0, 1, True  # most often the first one will do
    while more:
        n = candidates(rules, now, once, twice, jokers, must, new_wild, skip, buffer[:room])
        for i in range(n):
            slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
            saved = snapshot(now, slot)
            lay(rules, now, slot, after)
            found = has_way_on(rules, now)
            restore(now, slot, saved)
            if found:
                return True
        more = n == room
        skip += room
        room = FEW
    return False


@kernel
def may_leave(rules: Any, now: Any) -> bool:
    """The predicate of rules 1.2 on the state after a meld action or a pile take."""
    if now.pending != PENDING_NONE:
        return can_meet(rules, now, now.once, now.twice, now.jokers, now.pending_card, True)
    return has_way_on(rules, now)


@kernel
def meets(now: Any, once: int, jokers: int) -> bool:
    """Whether these added cards meet the condition of the taken pile, if there is one."""
    return now.pending != PENDING_TOP or has_card(once, jokers, now.pending_card)


@kernel
def may_lay(rules: Any, now: Any, slot: int, after: int) -> bool:
    """Whether a meld action that fits hand and table leaves the player with a way on."""
    once, twice, jokers = added_cards(meld_before(now, slot), after)
    return may_lay_cards(rules, now, slot, after, once, twice, jokers)


@kernel
def may_lay_cards(rules: Any, now: Any, slot: int, after: int, once: int, twice: int, jokers: int) -> bool:
    """`may_lay` where the added cards are known."""
    left = now.n_hand - popcount(once) - popcount(twice) - jokers
    if left > 1 and now.barred < 0 and meets(now, once, jokers):
        return True  # one of the cards left may be discarded
    saved = snapshot(now, slot)
    lay_cards(rules, now, slot, meld_before(now, slot), after, once, twice, jokers)
    legal = may_leave(rules, now)
    restore(now, slot, saved)
    return legal
