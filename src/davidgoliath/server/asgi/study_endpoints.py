"""Endpoints of what is said of deals that are over: reviews, what a seat knew, and figures."""

from operator import methodcaller

from starlette.requests import Request
from starlette.responses import Response

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.asking import body_of, person_of, somebody
from davidgoliath.server.asgi.request_info import address, limiter
from davidgoliath.server.asgi.responses import in_json
from davidgoliath.server.protocol import study_types
from davidgoliath.server.rooms import figures
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.contract import ShareRow
from davidgoliath.server.table.events import Person
from davidgoliath.server.table.reviewing import hand_for, seen_by, view_at
from davidgoliath.server.table.table import Denial, Table


async def show_reviews(request: Request, registry: Registry) -> Response:
    """Which reviews you may have: of your own hands, of bots' where you played, and what others share. After a deal
    alone against bots, else after the match."""
    person = await somebody(request, registry)
    name, table, shared = await _table(request, registry)
    registry.bot_pool.study.check()
    stage = await registry.reviews.stages(name)
    states = [
        study_types.ReviewState(hand.deal, hand.seat, stage(hand), bool(person and hand.chair.person == person))
        for hand in seen_by(table, person, shared)
    ]
    return in_json(study_types.ReviewList(states, person in shared, registry.reviews.ladder(table.players)))


async def show_review(request: Request, registry: Registry) -> Response:
    """A review of a hand, as far as it is: ask again until it is final. It is worked out once, behind everybody's
    moves, and kept with the table. Needs a token, unless somebody else shares what is there."""
    person, wanted = await somebody(request, registry), await body_of(request, study_types.ReviewWanted)
    name, table, shared = await _table(request, registry)
    hand = hand_for(table, person, wanted.deal, wanted.seat, shared)

    async def admit() -> None:
        await limiter(request).review(person or "", address(request))

    may_begin = person is not None and person in table.had_cards
    shown = await registry.reviews.ask(name, table, hand, address(request), admit if may_begin else None)
    return in_json(shown)


async def share_reviews(request: Request, registry: Registry) -> Response:
    """Shows the reviews of your hands at a table to everyone who has its link, or to nobody else any more. Needs a
    token."""
    person, wanted = await person_of(request, registry), await body_of(request, study_types.Sharing)
    name, table, _ = await _table(request, registry)
    if person not in table.had_cards:
        raise Refusal(Denial.NOT_YOUR_HAND)
    await registry.store.share_reviews(ShareRow(name, person), wanted.is_shared)
    return in_json(wanted)


async def show_knowledge(request: Request, registry: Registry) -> Response:
    """What a bot knew at a moment of a deal, or you yourself: for whoever may have the review of that hand. Needs a
    token."""
    person, wanted = await person_of(request, registry), await body_of(request, study_types.KnowledgeWanted)
    _, table, shared = await _table(request, registry)
    hand = hand_for(table, person, wanted.deal, wanted.seat, shared)
    registry.bot_pool.study.check()
    view = view_at(hand, wanted.place)
    await limiter(request).hint(person, address(request))
    return in_json(await registry.bot_pool.study.ask(methodcaller("knowledge", view), address(request)))


async def show_figures(request: Request, registry: Registry) -> Response:
    """How you play: what belongs to your data besides `GET /api/me`. Needs a token."""
    person, offer = await person_of(request, registry), request.app.state.offer
    weeks = figures.shown(await registry.store.figures(person))
    return in_json(study_types.Figures(weeks, offer.figures_days))


async def _table(request: Request, registry: Registry) -> tuple[str, Table, frozenset[Person]]:
    """A table, and who shares their reviews there."""
    async with registry.visit(request.path_params["table"]) as room:
        name, table = room.name, room.table
    return name, table, await registry.store.shared(name)
