"""A score pad written out for people to read: a deal by colour, the totals, and the match as a message to friends."""

from davidgoliath.match import ranking
from davidgoliath.notation import ScorePad, Tally
from davidgoliath.notation.pad import told_apart
from davidgoliath.rules import Colour
from davidgoliath.rules.scoring import FEW
from davidgoliath.terminal.lines import columns
from davidgoliath.texts import Texts


def points_transcript(pad: ScorePad, deal: int, texts: Texts) -> str:
    """Everyone's points in a deal, each with what it comes from: `6+12=18`, or `5×1=5`."""
    rows = [["", *(texts(f"colour.{colour}") for colour in Colour), texts("score.total")]]
    for name, tally, score in zip(told_apart(pad.names), pad.deals[deal], pad.scores(deal), strict=True):
        rows.append([name, *(reckoning(tally, colour) for colour in Colour), str(score)])
    return "\n".join([texts("score.title"), *columns(rows, right={len(Colour) + 1})])


def reckoning(tally: Tally, colour: Colour) -> str:
    """How the points for one colour come about."""
    count, worth = tally.count(colour), tally.points[colour]
    if count > FEW:
        return f"{count}×1={worth}"
    values = [str(card.value) for card in tally.cards.of_colour(colour)] + ["?"] * tally.unnoted[colour]
    return f"{'+'.join(values)}={worth}" if count == FEW and worth is not None else "+".join(values) or "0"


def pad_text(pad: ScorePad, texts: Texts) -> str:
    """The match in lines: who is where, and with which points from which deals."""
    complete = [deal for deal in range(len(pad.deals)) if pad.is_complete(deal)]
    names, totals = told_apart(pad.names), pad.standing.totals
    head = texts(
        "pad.text_over" if pad.is_over else "pad.text_after", deal=len(complete), deals=pad.rules.deals_for(pad.players)
    )
    lines = [head]
    for place, seat in sorted(zip(ranking(totals), range(pad.players), strict=True)):
        deals = " + ".join(str(pad.scores(deal)[seat]) for deal in complete)
        lines.append(f"{place}. {names[seat]}: {totals[seat]}" + (f" ({deals})" if len(complete) > 1 else ""))
    return "\n".join(lines)
