"""What the reference opponents and the restrictions share: trying ahead on a copy of the view, and a safe discard."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from numba.extending import overload

from buraco_sim._jit import kernel, kernel_sources, unit_folder
from buraco_sim.kernels.bits import ALL_CARDS, ALL_TWOS, JOKER
from buraco_sim.kernels.candidates import candidates
from buraco_sim.kernels.fits import note_fits, spread
from buraco_sim.kernels.legal import is_legal, list_actions
from buraco_sim.kernels.policies import greedy
from buraco_sim.kernels.policies.plan import counted_ranks, lowest_card, neighbours, seconds, set_ranks
from buraco_sim.kernels.records import copy_record, stack_record, stack_words
from buraco_sim.kernels.turn import action_of, lay, may_discard, restore, snapshot
from buraco_sim.layout import ACT_DISCARD, PENDING_NONE, VIEW

HERE: Final = Path(__file__).parent
VIEW_SIZE: Final = VIEW.itemsize
LOOK: Final = 128  # meld actions looked at in one go
NEVER: Final = -(10**6)  # points: less than any action brings


def trial_folder(name: str, *sources: str) -> Path:
    """Cache folder of a unit that plans with `greedy`'s parts and this module; `sources` are its own."""
    shared = [HERE / f"{module}.py" for module in ("plan", "moves", "greedy", "trial")]
    return unit_folder(name, [*kernel_sources(), *shared, *map(Path, sources)])


def copy_of(view: Any) -> Any:
    """A copy of a view, rules included, on which anything may be tried: VIEW[1], until the function that asked for it returns."""
    return _filled(stack_record(VIEW), view)


@kernel
def _filled(trials: Any, view: Any) -> Any:
    copy_record(trials[0], view, VIEW_SIZE)
    return trials


@overload(copy_of, strict=False, inline="always", jit_options={"_nrt": True})  # type: ignore[untyped-decorator]
def _copy_of(view: Any) -> Any:
    return copy_of


@kernel
def put_back(view: Any, copies: Any) -> None:
    """Make a view again what it was when it was copied."""
    copy_record(view, copies[0], VIEW_SIZE)


@kernel
def lay_on(trial: Any, action: int) -> None:
    """Carry out a legal meld action on a copy, with all that is derived from its table."""
    lay(trial.rules, trial, (action >> 3) & 63, action >> 9)
    trial.meld_actions[trial.team] += 1
    note_fits(trial, trial.team)


@kernel
def lay_greedily(trial: Any) -> bool:
    """Lay on a copy of a view what `greedy` would lay; whether that is anything."""
    action = greedy.meet_condition(trial) if trial.pending != PENDING_NONE else greedy.choose_meld(trial)
    if action < 0:
        return False
    while action >= 0:
        lay_on(trial, action)
        action = greedy.choose_meld(trial)
    return True


@kernel
def points_laid(view: Any) -> int:
    """Points of the own table: its cards and its canastas."""
    return view.table_points[view.team] + view.canasta_bonus[view.team]


@kernel
def most_points(view: Any, least: int) -> tuple[int, int]:
    """The legal meld action that brings the most points to the own table, more than `least`, and how many; -1 without one."""
    rules = view.rules
    buffer = stack_words(LOOK)
    before = points_laid(view)
    best, best_gain = -1, least
    skip, n = 0, LOOK
    while n == LOOK:
        n = candidates(rules, view, view.once, view.twice, view.jokers, view.pending_card, True, skip, buffer)
        for i in range(n):
            slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
            saved = snapshot(view, slot)
            lay(rules, view, slot, after)
            gain = points_laid(view) - before
            restore(view, slot, saved)
            if gain > best_gain and is_legal(rules, view, buffer[i]):
                best, best_gain = buffer[i], gain
        skip += LOOK
    return best, best_gain


@kernel
def first_legal(view: Any) -> int:
    """The first of all legal actions: discards, a pass, then meld actions; -1 without any."""
    buffer = stack_words(1)
    buffer[0] = -1
    list_actions(view.rules, view, buffer)
    return buffer[0]


@kernel
def safe_discard(view: Any) -> int:
    """A card that fits no meld of the opponents, one without company first, of these the lowest; -1 if none may go."""
    rules, once = view.rules, view.once
    if 0 <= view.barred < JOKER:
        once &= ~(1 << view.barred)
    naturals = once & ~ALL_TWOS
    safe = naturals & ~view.fits[1 - view.team]
    near, mates = neighbours(view.once), 0
    if set_ranks(rules):
        mates = spread(counted_ranks(view.once, view.twice)[0] & set_ranks(rules))
    loose = ~near & ~mates
    for cards in (safe & loose & ~seconds(view.once), safe & loose, safe, naturals & loose, naturals, once & ALL_CARDS):
        if cards:
            card = lowest_card(cards)
            return action_of(ACT_DISCARD, 0, card) if may_discard(rules, view, card) else -1
    return -1
