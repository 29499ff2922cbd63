"""Deals step by step as one page: the table as a person sees it."""

from __future__ import annotations

from collections.abc import Sequence

from buraco_sim import __version__
from buraco_sim.replay import Deal
from buraco_sim.report.frames import deal_frames
from buraco_sim.report.templates import asset, command_text, json_for_script, render


def replay_html(deals: Sequence[Deal], *, seat: int | None = None, command: Sequence[str] = ()) -> str:
    """Write replayed deals as an HTML page that needs nothing else.

    Parameters
    ----------
    deals : sequence of Deal
        From :func:`buraco_sim.replay`.
    seat : int, optional
        Show first what this seat sees; by default all hands are open.
    command : sequence of str, optional
        The command line that repeats it.

    Returns
    -------
    str
        The page.

    Raises
    ------
    InputError
        If a deal breaks the rules, or Jinja is not installed.

    Examples
    --------
    >>> import buraco_sim as b
    >>> page = b.replay_html([b.replay("stbl", "greedy", seed=7, deal=3)])
    >>> page.startswith("<!doctype html>")
    True
    """
    shown = [deal_frames(deal.header, deal.events) for deal in deals]
    for one in shown:
        one["title"] = deal_title(one)
    title = shown[0]["title"] if len(shown) == 1 else f"{len(shown)} deals of {', '.join(dict.fromkeys(one['variant'] for one in shown))}"
    return render(
        "replay_page.html.j2",
        title=title,
        deals=shown,
        deals_json=json_for_script(shown),
        seat=seat,
        command=command_text(command),
        version=__version__,
        css=asset("page.css", "replay.css"),
        js=asset("replay.js"),
    ).lstrip()


def deal_title(frames: dict[str, object]) -> str:
    """What a deal is called."""
    return f"{frames['variant']}, deal {frames['deal']}, seed {frames['seed']}"
