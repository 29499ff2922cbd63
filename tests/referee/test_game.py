"""1.3 and what follows an action by itself: the deal, turns, mortos, conversions, the cap, and the final scores."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from asking import read
from buraco_sim.cards import format_cards, full_deck, parse_cards
from buraco_sim.errors import InputError
from buraco_sim.referee import Game, IllegalActionError, read_action
from buraco_sim.rules import Ruleset

BASE = Ruleset.load("burraco-fibur").override({"table.seats": 2, "table.hand": 3, "table.mortos": [3, 4], "stock.dead": 0})


def start(rules: Ruleset, hands: list[str], *, mortos: list[str] | None = None, pile: str = "", stock: str = "", starter: int = 0) -> Game:
    """Deal the cards that are told and the rest of the deck anywhere, the stock from its top."""
    left = Counter(full_deck(rules.deck.jokers))
    told = [*hands, *(mortos or []), pile, stock]
    for text in told:
        left.subtract(parse_cards(text))
    assert min(left.values()) >= 0
    rest = sorted(left.elements())

    def fill(text: str, size: int) -> str:
        cards = [*parse_cards(text)]
        while len(cards) < size:
            cards.append(rest.pop())
        return format_cards(cards)

    header = {
        "hands": [fill(hand, rules.table.hand) for hand in hands],
        "mortos": [fill(text, size) for text, size in zip(mortos or [""] * len(rules.table.mortos), rules.table.mortos, strict=True)],
        "pile": fill(pile, int(rules.table.upcard)),
        "starter": starter,
    }
    return Game(rules, {**header, "stock": format_cards([*parse_cards(stock), *rest])})


def play(game: Game, *actions: str) -> list[dict[str, Any]]:
    """Play actions and return the lines of the last one."""
    lines: list[dict[str, Any]] = []
    for action in actions:
        lines = game.play(read_action(read(action)))
    return lines


def kinds(lines: list[dict[str, Any]]) -> list[str]:
    return [line["type"] for line in lines]


def shorten_stock(game: Game, cards: int) -> None:
    """Leave only some cards in the stock; the others are out of the deal."""
    game.stock = game.stock[:cards]


def test_a_turn_is_a_draw_any_number_of_meld_actions_and_one_discard() -> None:
    game = start(BASE, ["5h 6h 9c", "4s 4d Ks"], pile="Kd", stock="7h Qd")
    assert play(game, "draw stock") == [{"type": "draw", "seat": 0, "from": "stock", "cards": "7h"}]
    assert play(game, "open 5h 6h 7h") == [{"type": "meld", "seat": 0, "slot": 0, "before": "", "after": "5h 6h 7h"}]
    with pytest.raises(IllegalActionError, match="one draw a turn"):
        play(game, "draw stock")
    assert play(game, "discard 9c")[0] == {"type": "discard", "seat": 0, "card": "9c"}
    assert game.seat == 1
    assert play(game, "draw pile") == [{"type": "draw", "seat": 1, "from": "pile", "cards": "Kd 9c"}]


def test_slots_number_a_team_s_melds_in_the_order_they_were_opened() -> None:
    game = start(BASE.with_(table_hand=8), ["5h 6h 7h 9s Ts Js 8h Kd", ""], stock="Qc")
    assert play(game, "draw stock", "open 9s Ts Js")[0]["slot"] == 0
    assert play(game, "open 5h 6h 7h")[0]["slot"] == 1
    assert play(game, "1: 5h 6h 7h 8h") == [{"type": "meld", "seat": 0, "slot": 1, "before": "5h 6h 7h", "after": "5h 6h 7h 8h"}]


def test_the_returned_wild_is_told_and_is_in_the_hand() -> None:
    rules = BASE.override({"table.hand": 5, "melds.wild_replaced": "to_hand"})
    game = start(rules, ["5h JK 7h 6h Kd", ""], stock="Qc")
    assert play(game, "draw stock", "open 5h JK* 7h", "0: 5h 6h 7h")[0]["returned"] == "JK"
    assert play(game, "discard JK")[0]["card"] == "JK"


def test_mortos_are_taken_in_taking_order() -> None:
    game = start(BASE, ["5h 6h 7h", "9s Ts Js"], mortos=["3c 4c 5c", "6d 7d 8d 9d"], stock="8h Qs")
    lines = play(game, "draw stock", "open 5h 6h 7h 8h")
    assert lines[1] == {"type": "morto", "seat": 0, "index": 0, "mode": "direct", "cards": "3c 4c 5c"}
    lines = play(game, "discard 3c", "draw stock", "open 9s Ts Js Qs")
    assert lines[1] == {"type": "morto", "seat": 1, "index": 1, "mode": "direct", "cards": "6d 7d 8d 9d"}


def test_a_direct_take_plays_on_in_the_same_turn_and_must_end_it_by_a_discard() -> None:
    for after in ("next_turn", "same_turn"):
        game = start(BASE.with_(morto_after_discard=after), ["5h 6h 7h", ""], mortos=["3c 4c 5c", ""], stock="8h")
        play(game, "draw stock", "open 5h 6h 7h 8h")
        assert (game.seat, game.phase) == (0, "play")
        with pytest.raises(IllegalActionError):
            play(game, "pass")


def test_next_turn_the_turn_passes_and_the_morto_is_played_next_turn() -> None:
    game = start(BASE, ["5h 6h 7h", ""], mortos=["3c 4c 5c", ""], stock="8h")
    assert kinds(play(game, "draw stock", "open 5h 6h 7h", "discard 8h")) == ["discard", "morto"]
    assert (game.seat, game.phase) == (1, "draw")
    assert game.hands[0] == Counter(parse_cards("3c 4c 5c"))


def test_same_turn_the_player_plays_on_and_a_second_discard_ends_the_turn() -> None:
    game = start(BASE.with_(morto_after_discard="same_turn"), ["5h 6h 7h", ""], mortos=["3c 4c 5c", ""], stock="8h")
    play(game, "draw stock", "open 5h 6h 7h", "discard 8h")
    assert (game.seat, game.phase, game.may_pass) == (0, "play", True)
    play(game, "discard 3c")
    assert (game.seat, game.phase) == (1, "draw")


def test_same_turn_a_pass_leaves_no_line() -> None:
    game = start(BASE.with_(morto_after_discard="same_turn"), ["5h 6h 7h", ""], stock="8h")
    assert play(game, "draw stock", "open 5h 6h 7h", "discard 8h", "pass") == []
    assert (game.seat, game.phase) == (1, "draw")


def test_same_turn_the_bar_on_a_single_card_is_not_lifted_by_a_twin_from_the_morto() -> None:
    rules = BASE.with_(morto_after_discard="same_turn", pile_return_single="card")
    game = start(rules, ["5h 6h Kc", ""], mortos=["7h 9d Js", ""], pile="7h")
    play(game, "draw pile", "open 5h 6h 7h", "discard Kc")
    with pytest.raises(IllegalActionError, match="given back"):
        play(game, "discard 7h")


def test_the_bar_on_a_single_card_holds_for_one_turn() -> None:
    game = start(BASE, ["5h 6h Kc", ""], pile="9d", stock="Qs Qd")
    play(game, "draw pile", "discard Kc", "draw stock")
    play(game, f"discard {format_cards([next(iter(game.hands[1]))])}")
    assert play(game, "draw stock", "discard 9d")


# the end of the stock ---------------------------------------------------------------------------------------------


def last_turn(rules: Ruleset) -> Game:
    game = start(rules, ["5h 6h Kc", "9d Td Kd"], mortos=["3c 4c 5c", "6d 7d 8d 9s"], pile="Jc", stock="Qs")
    shorten_stock(game, 1)
    return game


def test_exhausted_end_the_deal_ends_after_that_turn() -> None:
    lines = play(last_turn(BASE.with_(stock_exhausted="end")), "draw stock", "discard Qs")
    assert kinds(lines) == ["discard", "end", "score", "score"]
    assert lines[1] == {"type": "end", "reason": "stock_end", "seat": None, "turns": 1}


def test_exhausted_morto_the_last_one_in_taking_order_becomes_the_stock_at_the_end_of_the_turn() -> None:
    game = last_turn(BASE.with_(stock_exhausted="morto"))
    lines = play(game, "draw stock", "discard Qs")
    assert lines[1:] == [{"type": "stock", "morto": 1, "cards": "6d 7d 8d 9s"}]
    assert play(game, "draw stock")[0]["cards"] == "6d"


def test_exhausted_morto_after_a_discard_that_takes_one_the_other_becomes_the_stock() -> None:
    game = last_turn(BASE.with_(stock_exhausted="morto"))
    game.stock = list(parse_cards("7h"))
    assert kinds(play(game, "draw stock", "open 5h 6h 7h", "discard Kc")) == ["discard", "morto", "stock"]


def test_a_morto_that_becomes_the_stock_is_laid_on_the_dead_cards_which_stay_dead() -> None:
    game = last_turn(BASE.override({"stock.exhausted": "morto", "stock.dead": 2}))
    game.stock = list(parse_cards("Qs As Ad"))
    play(game, "draw stock", "discard Qs")
    assert format_cards(game.stock) == "6d 7d 8d 9s As Ad"
    game.stock = list(parse_cards("9s As Ad"))
    assert kinds(play(game, "draw stock", "discard 9s")) == ["discard", "stock"]
    assert format_cards(game.stock) == "3c 4c 5c As Ad"


def test_when_draw_the_morto_becomes_the_stock_only_when_a_later_player_draws_from_it() -> None:
    game = last_turn(BASE.with_(stock_exhausted="morto", stock_when="draw"))
    assert kinds(play(game, "draw stock", "discard Qs")) == ["discard"]
    lines = play(game, "draw stock")
    assert kinds(lines) == ["stock", "draw"]
    assert lines[1]["cards"] == "6d"


def test_when_draw_until_then_the_pile_can_be_taken() -> None:
    game = last_turn(BASE.with_(stock_exhausted="morto", stock_when="draw"))
    assert kinds(play(game, "draw stock", "discard Qs", "draw pile")) == ["draw"]


def capped(rules: Ruleset, mortos: int) -> Game:
    game = last_turn(rules.with_(stock_max_turns=100))
    game.turns = 99
    game.mortos = dict(list(game.mortos.items())[:mortos])
    return game


def test_max_turns_the_deal_ends_after_the_turn_whose_draw_has_this_number() -> None:
    game = capped(BASE, 2)
    game.stock = list(parse_cards("Qs As"))
    lines = play(game, "draw stock", "discard Qs")
    assert lines[1] == {"type": "end", "reason": "turn_cap", "seat": None, "turns": 100}
    assert [line["go_out"] for line in lines[2:]] == [0, 0]


def test_max_turns_an_end_by_the_stock_in_that_turn_goes_first() -> None:
    assert play(capped(BASE, 0), "draw stock", "discard Qs")[1]["reason"] == "stock_end"


def test_max_turns_a_conversion_in_that_turn_comes_before_the_cap() -> None:
    lines = play(capped(BASE.with_(stock_exhausted="morto"), 2), "draw stock", "discard Qs")
    assert kinds(lines) == ["discard", "stock", "end", "score", "score"]
    assert lines[2]["reason"] == "turn_cap"


def test_the_deal_is_over_after_the_end() -> None:
    game = last_turn(BASE)
    play(game, "draw stock", "discard Qs")
    with pytest.raises(IllegalActionError, match="over"):
        play(game, "draw pile")


# scores -----------------------------------------------------------------------------------------------------------


SCORED = BASE.override({"table.hand": 8, "morto.untaken": -105, "go_out.bonus": 110})
RUN = "3h 4h 5h 6h 7h 8h 9h Th"


def after_indirect_take(rules: Ruleset) -> Game:
    """Seat 0 has laid a clean canasta of 55 points and has just taken a morto on its discard; seat 1 holds 85 points."""
    game = start(rules, [RUN, "As JK 3s 4s 5s 6s 8d 9d"], mortos=["3c 4c 5c", ""], stock="Kc Qs 6c")
    play(game, "draw stock", f"open {RUN}", "discard Kc")
    return game


def test_both_teams_score_cards_bonuses_the_go_out_bonus_hands_and_morto_penalties() -> None:
    game = after_indirect_take(SCORED)
    lines = play(game, "draw stock", "discard Qs", "draw stock", "open 3c 4c 5c", "discard 6c")
    assert lines[1:] == [
        {"type": "end", "reason": "went_out", "seat": 0, "turns": 3},
        {"type": "score", "team": 0, "cards": 70, "canastas": 200, "go_out": 110, "hand": 0, "morto": 0, "total": 380},
        {"type": "score", "team": 1, "cards": 0, "canastas": 0, "go_out": 0, "hand": -85, "morto": -105, "total": -190},
    ]


def test_the_hands_of_both_partners_count() -> None:
    rules = BASE.override({"table.seats": 4})
    game = start(rules, ["As Ks Qs", "3s 4s 5s", "JK 7c 8c", "6s 9s 9d"], mortos=["3c 4c 5c", ""])
    assert [game.score(team).hand for team in (0, 1)] == [-(35 + 45), -(15 + 25)]


@pytest.mark.parametrize(
    ("unused", "hand", "morto"),
    [("cards", -15, 0), ("penalty", 0, -105), ("penalty_and_cards", -15, -105), ("none", 0, 0)],
)
def test_unused_a_morto_taken_on_a_discard_and_never_played(unused: str, hand: int, morto: int) -> None:
    game = after_indirect_take(SCORED.with_(morto_unused=unused))
    assert (game.score(0).hand, game.score(0).morto) == (hand, morto)


def test_unused_ends_with_the_next_action_of_its_taker() -> None:
    game = after_indirect_take(SCORED.with_(morto_unused="penalty"))
    play(game, "draw stock", "discard Qs")
    assert (game.score(0).hand, game.score(0).morto) == (0, -105)
    play(game, "draw stock")
    assert (game.score(0).hand, game.score(0).morto) == (-20, 0)


def test_unused_under_same_turn_a_morto_is_never_unused() -> None:
    game = after_indirect_take(SCORED.override({"morto.unused": "penalty", "morto.after_discard": "same_turn"}))
    assert (game.score(0).hand, game.score(0).morto) == (-15, 0)


def test_unused_a_morto_taken_directly_is_never_unused() -> None:
    game = start(SCORED.with_(morto_unused="penalty"), [RUN, ""], mortos=["3c 4c 5c", ""], stock="Jh")
    play(game, "draw stock", f"open {RUN} Jh")
    assert (game.score(0).hand, game.score(0).morto) == (-15, 0)


@pytest.mark.parametrize(("when", "before"), [("always", -105), ("someone_took", 0)])
def test_untaken_when_always_or_only_when_the_other_team_did_take_one(when: str, before: int) -> None:
    rules = SCORED.with_(morto_untaken_when=when)
    fresh = start(rules, [RUN, ""])
    assert [fresh.score(team).morto for team in (0, 1)] == [before, before]
    game = after_indirect_take(rules)
    assert [game.score(team).morto for team in (0, 1)] == [0, -105]


# the deal ---------------------------------------------------------------------------------------------------------


def test_the_deal_shows_what_does_not_fit_the_rules() -> None:
    with pytest.raises(InputError, match="upcard JK"):
        start(BASE.with_(table_upcard_wild="bury"), ["5h 6h 9c", ""], pile="JK")
    assert start(BASE.with_(table_upcard_wild="keep"), ["5h 6h 9c", ""], pile="JK").pile
    with pytest.raises(InputError, match="starter"):
        start(BASE, ["5h 6h 9c", ""], starter=2)


def test_the_starter_draws_first_and_seats_are_numbered_in_playing_order() -> None:
    game = start(BASE.override({"table.seats": 4}), ["", "", "", ""], starter=2)
    seats = []
    for _ in range(5):
        seats.append(game.seat)
        play(game, "draw stock")
        play(game, f"discard {format_cards([min(game.hands[game.seat])])}")
    assert seats == [2, 3, 0, 1, 2]


def test_without_an_upcard_the_first_player_must_draw_from_the_stock() -> None:
    game = start(BASE.with_(table_upcard=False), ["5h 6h 9c", ""])
    with pytest.raises(IllegalActionError, match="empty"):
        play(game, "draw pile")
