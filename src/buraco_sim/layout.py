"""The binary contract between Python and the compiled core: enums, record dtypes and the table of columns.

Everything above the core sees columns, everything below sees integers; this module is where both are declared, once.
Card ids are those of :mod:`buraco_sim.cards`: ``16 * suit + rank``, the joker is 64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

# --------------------------------------------------------------------------------------------------------------------
# Enums. A ruleset key with named values is packed as the index of its value in the tuple.
# --------------------------------------------------------------------------------------------------------------------

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "table.upcard_wild": ("keep", "reshuffle", "bury"),
    "pile.visible": ("all", "top"),
    "pile.take": ("free", "meld_any", "use_top"),
    "pile.return_single": ("card", "face", "allowed"),
    "melds.wild_low": ("any", "ace"),
    "melds.wild_moves": ("locked", "replaced", "free_end", "any"),
    "melds.wild_replaced": ("stays", "to_hand"),
    "melds.freed_wild": ("choice", "high_first", "low_first"),
    "canasta.semi_rule": ("none", "wild_at_end", "seven_consecutive"),
    "canasta.royal_ace": ("high", "either"),
    "morto.after_discard": ("next_turn", "same_turn"),
    "morto.untaken_when": ("always", "someone_took"),
    "morto.unused": ("cards", "penalty", "penalty_and_cards", "none"),
    "go_out.canasta": ("none", "any", "clean"),
    "go_out.final_discard": ("required", "optional"),
    "go_out.morto_gone": ("allowed", "forbidden"),
    "stock.exhausted": ("end", "morto"),
    "stock.when": ("turn_end", "draw"),
    "match.kind": ("deal", "target", "rounds"),
    "match.tie": ("replay", "starter", "draw"),
    "match.starter": ("rotate", "winner", "fixed"),
}

CANASTA_CLASSES: Final = ("none", "clean", "semi", "dirty", "royal", "royal_dirty", "ace_to_ace", "eight", "eight_dirty")
END_REASONS: Final = ("went_out", "stock_end", "turn_cap")
MORTO_MODES: Final = ("none", "direct", "indirect")

# --------------------------------------------------------------------------------------------------------------------
# Sizes
# --------------------------------------------------------------------------------------------------------------------

MAX_SEATS: Final = 4
MAX_MORTOS: Final = 3
MAX_MELDS: Final = 36  # 108 cards, three a meld
MAX_CARDS: Final = 108
N_CARD_IDS: Final = 65
JOKER: Final = 64  # card id, see cards.py
ANY_NUMBER: Final = 99  # how `morto.per_team = "any"` is packed
SCRATCH_WORDS: Final = 64  # private memory of a seat, zeroed at the start of every deal

# --------------------------------------------------------------------------------------------------------------------
# Melds and actions as integers (see kernels/melds.py and kernels/table.py for the functions that read them)
#
# meld:   bits 0..13  run: natural places (0 = low ace ... 12 = king, 13 = high ace)
#                     set: copies of the rank, two bits a suit in the order of the suits
#         bits 14..17 place of the wild in a run, 15 = none (a set keeps 15)
#         bits 18..20 the wild: 0 none, 1..4 the 2 of suit 0..3, 5 joker
#         bits 21..24 suit of a run, rank of a set
#         bit  25     1 = set
#         bit  26     always 1, so that no meld is 0
# action: bits 0..2   kind (ACT_*), bits 3..8 slot (the number of the team's melds opens a new one),
#         bits 9..    card of a discard, or the meld after the action
# --------------------------------------------------------------------------------------------------------------------

ACT_DRAW_STOCK: Final = 0
ACT_DRAW_PILE: Final = 1
ACT_MELD: Final = 2
ACT_DISCARD: Final = 3
ACT_PASS: Final = 4

PHASE_DRAW: Final = 0
PHASE_PLAY: Final = 1

PENDING_NONE: Final = 0
PENDING_ANY: Final = 1  # some meld action before the discard
PENDING_TOP: Final = 2  # a meld action with the face of the pile's top card

# Event rows of a replay: int32[n, 4] = (kind, seat, a, b)
EVENT_DRAW_STOCK: Final = 0  # a = card
EVENT_DRAW_PILE: Final = 1  # a = number of cards
EVENT_MELD: Final = 2  # a = slot, b = meld after (before is what the slot held)
EVENT_DISCARD: Final = 3  # a = card
EVENT_MORTO: Final = 4  # a = index, b = MORTO_MODES
EVENT_STOCK: Final = 5  # a = index of the morto that became the stock
EVENT_END: Final = 6  # seat = who went out or -1, a = END_REASONS, b = turns

# Status of a deal. Anything but STATUS_OK is an error of a strategy or of the engine, never a normal end.
STATUS_OK: Final = 0
STATUS_ILLEGAL: Final = 1  # a strategy chose an illegal action
STATUS_NO_ACTION: Final = 2  # no legal action was left: a breach of the engine's invariant
STATUS_SCORE: Final = 3  # running and final score differ: a breach of the engine's invariant
STATUS_ERROR: Final = 4  # a strategy of a user raised an error
STATUS_TEXT: Final = {
    STATUS_OK: "ok",
    STATUS_ILLEGAL: "illegal action",
    STATUS_NO_ACTION: "no legal action left",
    STATUS_SCORE: "running score and final score differ",
    STATUS_ERROR: "error in a strategy",
}

# --------------------------------------------------------------------------------------------------------------------
# Records
# --------------------------------------------------------------------------------------------------------------------

_I = np.int64

#: A ruleset as the kernel reads it. Field `table_key` is the key `[table] key`; enums by CHOICES, booleans 0 or 1.
RULES: Final = np.dtype(
    [
        ("deck_jokers", _I),
        ("table_seats", _I),
        ("table_hand", _I),
        ("table_mortos", _I),  # how many
        ("morto_sizes", _I, (MAX_MORTOS,)),
        ("table_upcard", _I),
        ("table_upcard_wild", _I),
        ("pile_visible", _I),
        ("pile_take", _I),
        ("pile_use_top_with_wild", _I),
        ("pile_return_single", _I),
        ("melds_sets", _I),  # bit mask of ranks, without the 2
        ("melds_set_wild", _I),
        ("melds_natural_two", _I),
        ("melds_set_of_twos", _I),
        ("melds_set_max", _I),
        ("melds_one_set_per_rank", _I),
        ("melds_set_canasta", _I),
        ("melds_run_max", _I),
        ("melds_run_aces", _I),
        ("melds_run_wild_min", _I),
        ("melds_wild_low", _I),
        ("melds_wild_moves", _I),
        ("melds_wild_replaced", _I),
        ("melds_freed_wild", _I),
        ("melds_two_may_turn_wild", _I),
        ("canasta_min", _I),
        ("canasta_points", _I, (len(CANASTA_CLASSES),)),  # by class; 0 = no such class but for clean and dirty
        ("canasta_semi_rule", _I),
        ("canasta_royal_ace", _I),
        ("card_points", _I, (N_CARD_IDS,)),  # [values] by card id; unused ids hold 0
        ("morto_per_team", _I),
        ("morto_after_discard", _I),
        ("morto_untaken", _I),
        ("morto_untaken_when", _I),
        ("morto_unused", _I),
        ("go_out_canasta", _I),
        ("go_out_final_discard", _I),
        ("go_out_wild_discard", _I),
        ("go_out_bonus", _I),
        ("go_out_morto_gone", _I),
        ("stock_exhausted", _I),
        ("stock_when", _I),
        ("stock_dead", _I),
        ("stock_max_turns", _I),
        ("opening_min", _I),
        ("match_kind", _I),
        ("match_target", _I),
        ("match_rounds", _I),
    ]
)

#: What a seat sees when it decides. The engine holds the true one and gives a strategy a copy without hidden cards.
VIEW: Final = np.dtype(
    [
        ("seat", _I),
        ("team", _I),  # seat & 1
        ("n_seats", _I),
        ("phase", _I),  # PHASE_*
        ("turn", _I),  # draws made so far, this turn's included once it is made
        ("once", _I),  # own hand: cards held at least once, as lanes
        ("twice", _I),  # own hand: cards held twice
        ("jokers", _I),
        ("n_hand", _I),
        ("hand_points", _I),  # of the own hand, positive
        ("pile_once", _I),  # the pile: all of it, or the top card where the pile is closed
        ("pile_twice", _I),
        ("pile_jokers", _I),
        ("pile_top", _I),  # card id, -1 = empty
        ("n_pile", _I),
        ("n_stock", _I),  # cards left in the stock, dead ones included
        ("n_drawable", _I),  # of them drawable before a morto becomes the stock
        ("n_mortos", _I),  # left
        ("may_pass", _I),  # emptied the hand by a discard and plays on
        ("pending", _I),  # PENDING_*: what the taken pile still asks for
        ("pending_card", _I),  # face of the top card of the taken pile under PENDING_TOP, else -1
        ("barred", _I),  # face that may not be discarded this turn, -1 = none
        ("take_legal", _I),  # 1 or 0: whether the pile may be taken, known in the draw phase
        ("random", _I),  # a random word of 63 bits, new at every decision
        ("taken", _I, (2,)),  # mortos taken, by team
        ("clean_canastas", _I, (2,)),  # by team: clean, royal, ace to ace, eight
        ("canastas", _I, (2,)),  # by team: all classes
        ("table_points", _I, (2,)),  # by team: cards on the table
        ("canasta_bonus", _I, (2,)),  # by team
        ("penalty", _I, (2,)),  # by team: what the morto would cost if the deal ended now, <= 0
        ("standing", _I, (2,)),  # by team: score of the match before this deal
        ("hand_counts", _I, (MAX_SEATS,)),
        ("known_once", _I, (MAX_SEATS,)),  # cards publicly known in each hand (taken from the pile, not yet played)
        ("known_twice", _I, (MAX_SEATS,)),
        ("known_jokers", _I, (MAX_SEATS,)),
        ("meld_actions", _I, (2,)),  # made by each team so far: what was derived from its table holds until this changes
        ("n_melds", _I, (2,)),
        ("fits", _I, (2,)),  # by team: cards next to its runs, in the places of its wilds, of the ranks of its sets
        ("nearly_fits", _I, (2,)),  # the same with cards up to two places from its runs
        ("tables", np.int32, (2, MAX_MELDS)),  # melds of both teams by slot
        ("rules", RULES),  # constant; last, because it need not be copied at every decision
    ]
)
VIEW_BYTES: Final = VIEW.itemsize - RULES.itemsize  # of a view without its rules


# --------------------------------------------------------------------------------------------------------------------
# Columns: one row a deal
# --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the deals' Parquet parts."""

    name: str
    type: str  # name of an Arrow type, or "dictionary"
    unit: str
    meaning: str
    source: str = "kernel"  # "kernel": a column of the kernel's int32 matrix; "run": filled in when a part is written
    values: tuple[str, ...] = ()  # of a dictionary column that the kernel fills with indices
    nullable: bool = False  # the kernel writes NULL where there is no value


NULL: Final = -(2**31)


def _per_team(name: str, type_: str, unit: str, meaning: str, **more: object) -> list[Column]:
    return [Column(f"{name}_{t}", type_, unit, f"{meaning} (team {t})", **more) for t in (0, 1)]  # type: ignore[arg-type]


COLUMNS: Final[tuple[Column, ...]] = (
    Column("variant", "dictionary", "name", "ruleset", source="run"),
    Column("strategy_0", "dictionary", "name", "who sat in team 0, two different names as a+c", source="run"),
    Column("strategy_1", "dictionary", "name", "who sat in team 1, two different names as a+c", source="run"),
    Column("deal", "int64", "index", "which shuffle; in matches match * 256 + number in the match", source="run"),
    Column("table", "int8", "0 or 1", "which of the mirrored pair", source="run"),
    Column("starter", "int8", "seat", "who drew first"),
    *_per_team("score", "int32", "points", "score of the deal"),
    Column("winner", "int8", "team", "team with the higher score of this deal, -1 for equal"),
    Column("end_reason", "dictionary", "name", "how the deal ended", values=END_REASONS),
    Column("out_seat", "int8", "seat", "who went out, null if nobody did", nullable=True),
    Column("turns", "int16", "draws", "draws made"),
    *_per_team("cards", "int32", "points", "melded cards"),
    *_per_team("canastas", "int32", "points", "canasta bonuses"),
    *_per_team("go_out", "int16", "points", "bonus for going out"),
    *_per_team("hand", "int32", "points", "cards left in the hands, <= 0"),
    *_per_team("morto", "int32", "points", "penalties for the morto, <= 0"),
    *(c for k in CANASTA_CLASSES[1:] for c in _per_team(k, "int8", "melds", f"canastas of class {k}")),
    *_per_team("runs", "int8", "melds", "runs on the table at the end"),
    *_per_team("sets", "int8", "melds", "sets on the table at the end"),
    *_per_team("mortos", "int8", "mortos", "mortos taken"),
    *_per_team("morto_turn", "int16", "draws", "turn in which the first morto was taken, null if none", nullable=True),
    *_per_team("morto_mode", "dictionary", "name", "how the first morto was taken", values=MORTO_MODES),
    *_per_team("piles", "int16", "piles", "piles taken"),
    *_per_team("pile_cards", "int32", "cards", "cards taken with piles"),
    *_per_team("wilds", "int8", "cards", "cards that lie as wilds at the end"),
    *_per_team("cleaned", "int8", "actions", "actions on a canasta that took its wild away, a canasta before and after"),
    *_per_team("dirtied", "int8", "actions", "actions on a canasta that gave it a wild, a canasta before and after"),
    Column("lead_changes", "int16", "changes", "changes of the lead in the running score, equal scores ignored"),
    Column("last_lead_turn", "int16", "draws", "turn of the last change of the lead, null without changes", nullable=True),
    Column("worst_deficit", "int32", "points", "largest running lead of the loser, null on equal scores", nullable=True),
    Column("half_margin", "int32", "points", "running margin of team 0 after turn ceil(turns / 2)"),
)

KERNEL_COLUMNS: Final = tuple(c for c in COLUMNS if c.source == "kernel")

#: Index of each kernel column in the kernel's output, int32[deals, len(KERNEL_COLUMNS)].
COLUMN_INDEX: Final[dict[str, int]] = {c.name: i for i, c in enumerate(KERNEL_COLUMNS)}

MATCH_COLUMNS: Final[tuple[Column, ...]] = (
    Column("match", "int64", "index", "which match", source="run"),
    Column("standing_0", "int32", "points", "score of team 0 before the deal", source="run"),
    Column("standing_1", "int32", "points", "score of team 1 before the deal", source="run"),
)
