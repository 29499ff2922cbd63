"""Forty mistakes that somebody could make in the kernels, each in one line."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """`old` stands exactly once in the kernels; `breaks` is the rule that is broken."""

    old: str
    new: str
    breaks: str


MUTANTS = [
    # melds
    Mutant("and rules.melds_run_aces < 2:", "and rules.melds_run_aces < 1:", "one ace in a run"),
    Mutant(
        "wild_place == TWO_PLACE and wild == suit + 1 and rules",
        "wild_place == TWO_PLACE and wild == suit + 2 and rules",
        "an own-suit 2 at home is natural",
    ),
    Mutant("size < 3 or size > rules.melds_run_max or", "size < 3 or size > 14 or", "cards of a run at most"),
    Mutant("or size < rules.melds_run_wild_min:", "or size <= rules.melds_run_wild_min:", "cards that a run with a wild must have"),
    Mutant("and wild_place == low and low != 0:", "and wild_place == low:", "a wild may stand for the low ace"),
    Mutant("return 3 <= size <= rules.melds_set_max", "return 3 <= size <= 9", "cards of a set at most"),
    Mutant("if n_naturals(meld) < 7:", "if n_naturals(meld) < 6:", "a semi-clean canasta has 7 naturals"),
    Mutant("x &= x >> 2", "x &= x >> 1", "seven consecutive naturals"),
    Mutant(
        "!= ROYAL_HIGH):\n            return CLASS_ROYAL\n",
        "== ROYAL_HIGH):\n            return CLASS_ROYAL\n",
        "a royal canasta with the ace low",
    ),
    Mutant("return kind in (CLASS_CLEAN,", "return kind in (CLASS_CLEAN, CLASS_SEMI,", "semi-clean is not clean"),
    Mutant("* popcount(naturals & 0x1F80)", "* popcount(naturals & 0x1F00)", "points of an 8"),
    # table
    Mutant(
        "if wild_of(before) and wild_of(after) != wild_of(before):", "if wild_of(before) and wild_of(after) == 0:", "a wild in a set stays"
    ),
    Mutant("return turned and rules.melds_two_may_turn_wild != 0", "return turned", "a natural 2 that may not turn wild"),
    Mutant("(place == lowest(filled) or place == highest(filled))", "(place == highest(filled))", "a wild is free at either end"),
    Mutant("return place == high + 1 or high == 13", "return place == high + 1", "the low end if the high one does not fit"),
    Mutant(
        "low_fits = low > 0 and (rules.melds_wild_low != LOW_ACE_ONLY or low == 1)",
        "low_fits = low > 0",
        "a low end where no wild may stand",
    ),
    Mutant("left = twos < 0 if own else now != wild", "left = now != wild", "a replaced own-suit 2 comes back too"),
    Mutant(
        "if rules.melds_wild_moves == LOCKED:\n        return ILLEGAL",
        "if rules.melds_wild_moves == LOCKED and not replaced:\n        return ILLEGAL",
        "locked forbids replacing",
    ),
    # candidates
    Mutant(
        "if n_melds == 0 and meld_points(rules, after) <", "if meld_points(rules, after) <", "the opening minimum is for the first meld"
    ),
    Mutant(
        "rules.melds_one_set_per_rank and is_set(after) and has_set_of(now, suit_of(after)):\n            return 0, 0, 0",
        "is_set(after) and has_set_of(now, suit_of(after)):\n            return 0, 0, 0",
        "a second set of a rank",
    ),
    Mutant("lane |= TWO_BIT  # the wild may go home", "pass", "a wild 2 goes home without another"),
    # turns
    Mutant("now.taken[now.team] < rules.morto_per_team", "now.taken[now.team] <= rules.morto_per_team", "mortos of a team"),
    Mutant(
        "now.n_mortos == 0 and rules.go_out_morto_gone == GONE_ALLOWED",
        "now.n_mortos == 0",
        "going out without a morto when none is left",
    ),
    Mutant("return now.clean_canastas[team] > 0", "return now.canastas[team] > 0", "a clean canasta to go out"),
    Mutant(
        "if card == now.barred or now.pending != PENDING_NONE:", "if now.pending != PENDING_NONE:", "a single card may not be given back"
    ),
    Mutant(
        "return may_go_out(rules, now) and (rules.go_out_wild_discard != 0 or not is_wild(card))",
        "return may_go_out(rules, now)",
        "no wild as the last discard",
    ),
    Mutant(
        "return now.pending != PENDING_TOP or has_card(once, jokers, now.pending_card)",
        "return True",
        "the top card itself must be melded",
    ),
    Mutant(
        "(rules.go_out_final_discard == OUT_OPTIONAL and may_go_out(rules, now))", "may_go_out(rules, now)", "a last discard is required"
    ),
    Mutant("or can_discard(rules, now) or can_empty(rules, now)", "or can_discard(rules, now)", "one meld action may empty the hand"),
    # pile
    Mutant(
        "rules.pile_return_single == RETURN_FACE or not holds(now, top)",
        "rules.pile_return_single == RETURN_FACE or holds(now, top)",
        "who held the twin may give it back",
    ),
    Mutant("if held >= 2 or has_set_of(now, rank):", "if held >= 3 or has_set_of(now, rank):", "a set of three justifies a take"),
    # steps
    Mutant("now.may_pass = mode == INDIRECT and", "now.may_pass =", "a direct take opens no pass"),
    Mutant("i = state.end_morto\n", "i = state.next_morto\n", "the last morto becomes the stock"),
    Mutant(
        "state.cleaned[team] += wild_of(after) == 0",
        "state.cleaned[team] += wild_of(after) != 0",
        "a canasta that was clean is not cleaned",
    ),
    Mutant("state.fresh[now.seat] = 0\n", "pass\n", "a morto is used once its taker acts"),
    # the deal and its scores
    Mutant("if now.turn >= rules.stock_max_turns:", "if now.turn > rules.stock_max_turns:", "the turn cap"),
    Mutant("state.margins[(now.turn + 1) // 2]", "state.margins[now.turn // 2]", "the margin at half time"),
    Mutant("now.taken[1 - team] > 0", "now.taken[team] > 0", "the penalty only if the other team took one"),
    # the view
    Mutant("view.known_once[seat] = state.top_once[seat]", "pass", "of a closed pile only the top was seen"),
    Mutant("now.known_jokers[seat] = max(now.known_jokers[seat] - jokers, 0)", "pass", "a joker that was played is no longer in the hand"),
]
