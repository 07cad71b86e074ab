// Made from the server's own types by `./dg docs`: what it and the page say to each other.

/** What a client says. */
export type AnyFromClient =
  | Hello
  | Sit
  | Leave
  | Back
  | PlaceBot
  | Free
  | Start
  | Play
  | Undo
  | DealAgain
  | Hint
  | AllowHints
  | GoOn
  | Pause
  | Resume
  | SetPace
  | Lock
  | LetWatch
  | Ask
  | ReplaceAbsent
  | Remove
  | End
  | PlayAgain
  | Share
  | Say;

/** What the server says. */
export type AnyFromServer =
  | Welcome
  | Batch
  | Happened
  | Turn
  | Advice
  | Hand
  | Names
  | Present
  | Warming
  | Saving
  | Said
  | Refused;

/** What happens at a table. */
export type AnyEvent =
  | Created
  | Sat
  | Stood
  | Reserved
  | Asked
  | Away
  | StoodIn
  | CameBack
  | Started
  | Committed
  | Dealt
  | Opened
  | Aborted
  | Played
  | Undone
  | WentOn
  | Paused
  | Resumed
  | PaceSet
  | HintsAllowed
  | Hinted
  | Locked
  | Watching
  | Removed
  | HostIs
  | Ended
  | Rematch;

/** What a client says to change the table. */
export type AnyWish =
  | Sit
  | Leave
  | Back
  | PlaceBot
  | Free
  | Start
  | Play
  | Undo
  | DealAgain
  | Hint
  | AllowHints
  | GoOn
  | Pause
  | Resume
  | SetPace
  | Lock
  | LetWatch
  | Ask
  | ReplaceAbsent
  | Remove
  | End
  | PlayAgain;

/** Why something is refused. */
export type Reason =
  | "deal_is_over"
  | "not_your_turn"
  | "not_in_hand"
  | "must_follow"
  | "no_such_card"
  | "no_cards"
  | "card_twice"
  | "not_in_deck"
  | "players_range"
  | "hand_size"
  | "no_such_seat"
  | "no_such_preset"
  | "no_such_option"
  | "option_twice"
  | "option_value"
  | "illegal_play"
  | "text_unfit"
  | "number_range"
  | "one_per_seat"
  | "match_is_over"
  | "match_differs"
  | "match_number"
  | "match_dealer"
  | "match_totals"
  | "deal_unfinished"
  | "no_deal"
  | "one_deal"
  | "not_a_record"
  | "text_utf_16"
  | "text_not_utf_8"
  | "no_text"
  | "no_such_format"
  | "not_a_date"
  | "result_disagrees"
  | "card_taken"
  | "not_captured"
  | "too_many"
  | "line_syntax"
  | "tag_syntax"
  | "no_such_tag"
  | "tag_twice"
  | "tag_missing"
  | "not_a_number"
  | "not_hints"
  | "seat_twice"
  | "hand_missing"
  | "trick_number"
  | "trick_leader"
  | "trick_length"
  | "mark_disagrees"
  | "no_mark_here"
  | "json_syntax"
  | "json_depth"
  | "key_missing"
  | "no_such_key"
  | "key_twice"
  | "not_an_object"
  | "not_a_list"
  | "not_a_text"
  | "no_such_bot"
  | "bot_unfit"
  | "sent_away"
  | "seat_taken"
  | "table_locked"
  | "already_seated"
  | "no_takeover"
  | "last_deal"
  | "match_runs"
  | "seats_open"
  | "table_paused"
  | "not_solo"
  | "nothing_to_undo"
  | "no_hints"
  | "terms_settled"
  | "deal_not_over"
  | "match_not_over"
  | "not_your_hand"
  | "not_host"
  | "only_owner"
  | "not_away"
  | "back_already"
  | "not_at_table"
  | "too_many_removed"
  | "table_full"
  | "not_seated"
  | "not_yourself"
  | "no_watchers"
  | "no_such_table"
  | "no_such_code"
  | "table_closed"
  | "stale"
  | "no_open_seat"
  | "no_judge"
  | "too_many_reviews"
  | "token_unknown"
  | "too_many_tokens"
  | "too_many_devices"
  | "too_many_watchers"
  | "host_unknown"
  | "foreign_origin"
  | "token_missing"
  | "no_public_list"
  | "request_too_long"
  | "request_unfit"
  | "hello_missing"
  | "protocol_differs"
  | "too_many_requests"
  | "too_many_new"
  | "too_many_joins"
  | "too_many_codes"
  | "too_many_hints"
  | "reviews_used_up"
  | "too_many_sockets"
  | "too_many_messages"
  | "name_unfit"
  | "name_too_long"
  | "name_reserved"
  | "events_newer"
  | "no_database"
  | "no_postgresql"
  | "import_duplicate"
  | "import_damaged"
  | "import_cut_short"
  | "import_newer"
  | "import_unreadable"
  | "backup_exists"
  | "backup_damaged"
  | "restore_itself"
  | "restore_runs"
  | "not_stored"
  | "perhaps_stored"
  | "table_damaged";

/** What is asked at each address, and what is answered. */
export interface Endpoints {
  /** Whether the server runs. */
  "GET /healthz": { body: undefined; answer: Health };
  /** Whether people may be sent here; for whoever spreads them. */
  "GET /readyz": { body: undefined; answer: Readiness };
  /** What the server offers. */
  "GET /api/server": { body: undefined; answer: ServerShown };
  /** Somebody new. */
  "POST /api/people": { body: NewPerson; answer: PersonMade };
  /** Your data, as the server holds it. Needs a token. */
  "GET /api/me": { body: undefined; answer: Me };
  /** Deletes your name, tokens and history: 204, and no body. Needs a token. Bots get your seats; records say `?`. */
  "DELETE /api/me": { body: undefined; answer: null };
  /** How you play: what belongs to your data besides `GET /api/me`. Needs a token. */
  "GET /api/me/figures": { body: undefined; answer: Figures };
  /** Another name for you. Needs a token. The answer has the name as it is shown. */
  "POST /api/me/name": { body: NewPerson; answer: NewPerson };
  /** A stone of your own, which everyone at your tables sees. Needs a token. */
  "POST /api/me/stone": { body: Stone; answer: Stone };
  /** Another token for you, up to ten at a time: 201. Needs a token, which goes on until it is taken back. */
  "POST /api/me/tokens": { body: undefined; answer: TokenMade };
  /** Takes back all your tokens but the one by which you ask. What is connected by them is refused, and closed. */
  "DELETE /api/me/tokens": { body: undefined; answer: Revoked };
  /** Your personal link, also as a QR code. Needs a token. Nothing of it is kept: not here, and not on the way. */
  "POST /api/me/link": { body: undefined; answer: PersonalLink };
  /** The table that waits under a code; else 404 and the reason `no_such_code`. Wrong codes are few (see Limits). */
  "POST /api/codes": { body: Code; answer: TableFound };
  /** The tables that want to be found, if the server has such a list; else 404 and the reason `no_public_list`. */
  "GET /api/tables": { body: undefined; answer: TableList };
  /** A new table. Needs a token. */
  "POST /api/tables": { body: NewTable; answer: TableMade };
  /** A table, for anyone who has its id. Its match is over when `phase` is `over`. */
  "GET /api/tables/{table}": { body: undefined; answer: TableShown };
  /** The table's link as others can open it, made from the address by which you came (`Host`), and its code. */
  "GET /api/tables/{table}/link": { body: undefined; answer: Link };
  /** The same link as a QR code. */
  "GET /api/tables/{table}/qr.svg": { body: undefined; answer: string };
  /** The deals that are over, as `record.dgn` or `record.json` (JSON Lines): [notation.md](notation.md). */
  "GET /api/tables/{table}/record.{form}": { body: undefined; answer: string };
  /** The deals that are over, event by event. */
  "GET /api/tables/{table}/replay": { body: undefined; answer: Replay };
  /**
   * Which reviews you may have: of your own hands, of bots' where you played, and what others share. After a deal alone
   * against bots, else after the match.
   */
  "GET /api/tables/{table}/reviews": { body: undefined; answer: ReviewList };
  /**
   * A review of a hand, as far as it is: ask again until it is final. It is worked out once, behind everybody's moves,
   * and kept with the table. Needs a token, unless somebody else shares what is there.
   */
  "POST /api/tables/{table}/reviews": { body: ReviewWanted; answer: ReviewShown };
  /**
   * Shows the reviews of your hands at a table to everyone who has its link, or to nobody else any more. Needs a token.
   */
  "POST /api/tables/{table}/sharing": { body: Sharing; answer: Sharing };
  /**
   * What a bot knew at a moment of a deal, or you yourself: for whoever may have the review of that hand. Needs a
   * token.
   */
  "POST /api/tables/{table}/knowledge": { body: KnowledgeWanted; answer: KnowledgeShown };
}

/** The first message: who I am, and what I know. */
export interface Hello {
  type: "hello";
  protocol: number;
  /** The build of the page, which reloads if the server's is another one; a client of another kind sends none. */
  build: string;
  /** Who I am: without one, a spectator. */
  token?: string | null;
  /** The number of the last event that I have. */
  since?: number;
}

/**
 * Takes an open seat; in a running match that of a bot, if the table allows it: while cards are on the table it is
 * promised (`reserved`), and yours with the next deal. Who left a hand of this deal may come back to it at once.
 */
export interface Sit {
  type: "sit";
  /** The number of the last event that I have seen. */
  expect: number;
  /** Seats count from 0. */
  seat: number;
}

/** Gives the seat up, or the promise of one. */
export interface Leave {
  type: "leave";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** I am here: takes the cards back from the bot that played for me, and answers the host's question. */
export interface Back {
  type: "back";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host gives an open seat to a bot, before the match. */
export interface PlaceBot {
  type: "placebot";
  /** The number of the last event that I have seen. */
  expect: number;
  seat: number;
  /** Its name, such as `club`: one of those that this server runs. */
  bot: string;
}

/** The host takes a bot away, before the match. */
export interface Free {
  type: "free";
  /** The number of the last event that I have seen. */
  expect: number;
  seat: number;
}

/** The host begins the match. */
export interface Start {
  type: "start";
  /** The number of the last event that I have seen. */
  expect: number;
  /** A bot for the seats that are open; or several, which take them in turn. */
  fill?: string | string[] | null;
}

/** Plays a card. */
export interface Play {
  type: "play";
  /** The number of the last event that I have seen. */
  expect: number;
  /** Its colour letter and value: `R9`. */
  card: string;
}

/** Alone against bots: takes the last card back. */
export interface Undo {
  type: "undo";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** Alone against bots: the same deal from its first card. */
export interface DealAgain {
  type: "dealagain";
  /** The number of the last event that I have seen. */
  expect: number;
}

/**
 * What should I play now? Alone against bots always, and among several people where the table's terms allow it.
 * Everyone hears that you asked (`hinted`), and you alone the `advice`.
 */
export interface Hint {
  type: "hint";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host says whether there are hints at this table: before anybody else has a seat. */
export interface AllowHints {
  type: "allowhints";
  /** The number of the last event that I have seen. */
  expect: number;
  allowed: boolean;
}

/** Has seen the scores. */
export interface GoOn {
  type: "goon";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host stops play. */
export interface Pause {
  type: "pause";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host lets play go on. */
export interface Resume {
  type: "resume";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host says how long bots take for a card; alone among bots, you do. */
export interface SetPace {
  type: "setpace";
  /** The number of the last event that I have seen. */
  expect: number;
  /** From 0 to 5000, thinking included. */
  milliseconds: number;
}

/** The host keeps newcomers out, or lets them in again. */
export interface Lock {
  type: "lock";
  /** The number of the last event that I have seen. */
  expect: number;
  locked: boolean;
}

/** The host sends away those who only watch, or lets them watch again. */
export interface LetWatch {
  type: "letwatch";
  /** The number of the last event that I have seen. */
  expect: number;
  allowed: boolean;
}

/** The host asks somebody: are you there? Who says nothing for a minute is away. */
export interface Ask {
  type: "ask";
  /** The number of the last event that I have seen. */
  expect: number;
  seat: number;
}

/** The host has the server's own stand-in play for somebody who is away (`away`). */
export interface ReplaceAbsent {
  type: "replaceabsent";
  /** The number of the last event that I have seen. */
  expect: number;
  seat: number;
  /** Ignored: clients used to name a bot. */
  bot?: string;
}

/** The host sends somebody away. */
export interface Remove {
  type: "remove";
  /** The number of the last event that I have seen. */
  expect: number;
  person: string;
}

/** The host breaks the match off. */
export interface End {
  type: "end";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The host wants a rematch: everyone is told the table (`rematch`), and keeps their seat there. */
export interface PlayAgain {
  type: "playagain";
  /** The number of the last event that I have seen. */
  expect: number;
}

/** The client's part in the next shuffle, once, as soon as it has seen `committed`. */
export interface Share {
  type: "share";
  /** The number of the deal, as in `committed`. */
  deal: number;
  /** 16 random bytes from a secure source, in 32 hexadecimal digits. */
  share: string;
}

/** An emote, for everyone at the table. Of one seat five in a row are told, and then one a second. */
export interface Say {
  type: "say";
  emote: "good_game" | "hello" | "hurry" | "oops" | "sorry" | "thanks" | "well_played" | "wow";
}

/** The answer to `hello`. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  /** The build of the server's page. */
  build: string;
  table: string;
  /** The id by which the table knows you: none for a spectator. */
  you: string | null;
  /** The highest value in the deck. */
  highest: number;
  /** How many deals the match has at the most. */
  deals: number;
  /** The total that ends the match earlier, if one does. */
  target: number | null;
}

/** All events after the one that the client had, at once. */
export interface Batch {
  type: "batch";
  /** The number of the first of them. It is 1 if you know of more events than the server, after a backup came back. */
  first: number;
  /** In order, without gaps. */
  events: Told[];
  /** For how many seconds the table has been waiting: so much of the time for a turn, or for scores, is over. */
  passed: number;
}

/** An event, and what it did. */
export interface Told {
  event: AnyEvent;
  /** Whose turn it is, after a deal or a card. */
  now?: Now | null;
  /** What became of the trick, if a card completed it. */
  took?: Took | null;
  /** Where the table stands, if that has changed. */
  stand?: Stand | null;
}

/** Whose turn it is after a card, and who is who. */
export type Now = [
  /** Null when the deal is over. */
  to_play: number | null,
  goliath: number | null,
  /** From a trick's second card on; with its last card, those who take it. */
  david: number | null,
];

/** A complete trick: who takes what. */
export type Took = [
  to_goliath: string,
  /** Sets of cards, such as `R1,9 Y5`. */
  to_david: string,
  /** The piles that grew, as they are now. */
  cells: Cell[],
  tie: "all" | "both" | "highest" | "lowest" | null,
];

/** The cards of one colour in a seat's pile. */
export type Cell = [
  seat: number,
  /** 0 to 4: red, yellow, green, blue, violet. */
  colour: number,
  worth: number,
  /** What one more card of this colour would change; null: it would count its own value. */
  next: number | null,
];

/** Where the table stands now, when that has changed. */
export interface Stand {
  /** `gathering`, `dealing`, `playing`, `scores` or `over`. */
  phase: Phase;
  /** Which deal is played, or was the last. */
  deal: number;
  /** Of the deals that are over, for each seat. */
  totals: number[];
  /** Each seat's place by these totals, from 1; who is equal shares one. */
  places: number[];
  /** Whether one person alone plays and has ever played here, who may take cards back. */
  solo: boolean;
  /**
   * Whether a win would count: solo, and so far no card was taken back, named by a hint, or played by a bot for the
   * person.
   */
  counts: boolean;
  /** When the match is over: the tricks that changed it most, three at the most, in the order of play. */
  turning_points?: TurningPoint[];
}

/** Where a table stands. */
export type Phase = "gathering" | "dealing" | "playing" | "scores" | "over";

/** A trick that brought two players far apart, or together. */
export type TurningPoint = [
  deal: number,
  /** In its deal, from 1. */
  trick: number,
  /** By how many points the distance between two players has changed. */
  swing: number,
];

/** An event. Everyone gets one for every card, so it is written as a list: the type, and these in their order. */
export type Happened = [
  type: "happened",
  /** Its number: one more than that of the event before it. */
  seq: number,
  event: AnyEvent,
  now: Now | null,
  took: Took | null,
  /** As in a told event. */
  stand: Stand | null,
];

/** It is your turn. It comes again, with another `seq`, when something else happens before you have played. */
export interface Turn {
  type: "turn";
  /** After this event. */
  seq: number;
  /** All cards that you may play. */
  legal: string[];
  /** What would become of the trick if it ended with each of them; none for the first card of a trick. */
  previews: Preview[];
  /** How long you have; none without a clock. */
  seconds?: number | null;
}

/** What would become of the trick if it ended with a card. */
export type Preview = [
  goliath: number,
  david: number,
  /** What David would take; Goliath the rest. */
  to_david: string,
  /** The piles that would grow: seat, colour, and what that colour would be worth. */
  worths: [number, number, number][],
];

/** The answer to your `hint`. */
export interface Advice {
  type: "advice";
  /** It is for the card that you play after this event. */
  seq: number;
  best: string;
  /** The card with which the reasons compare it, or the next best one if there are none; null if you have no other. */
  instead: string | null;
  /** All that you may play, the best first. */
  cards: Worth[];
  /** Why it is better than that one: points are below 0 where that one loses. */
  reasons: Why[];
  judge: string;
}

/** What a card may expect to come to. */
export interface Worth {
  card: string;
  value: number;
  low: number;
  high: number;
  /** How much less than the best one, over the same worlds; chance can make it less than nothing. */
  loss: number;
  loss_low: number;
  loss_high: number;
  /** What it would be called to play it: `best` and `fine` are right. */
  grade: Grade;
}

/** How good a choice was. Nothing is called worse than fine unless its loss is surely more than nothing. */
export type Grade = "best" | "fine" | "inaccuracy" | "mistake" | "blunder";

/** Why the best card is better than another. What reasons don't say of the difference is the rest of the deal. */
export interface Why {
  reason: ReasonKind;
  /** Its share of what the other card comes to: below 0 where that one loses. */
  points: number;
  low: number;
  high: number;
  /** In how many of the worlds it comes to that with the other card: from 0 to 1. */
  share?: number | null;
  /** The same with the best card. */
  best_share?: number | null;
  /** The text that says so. */
  key?: string;
  /** Its arguments: cards and colours as they are written, seats, percentages. */
  arguments?: Record<string, string | number>;
}

/** Why a card is better or worse than another. */
export type ReasonKind =
  | "goliath"
  | "david"
  | "third_card"
  | "gain"
  | "rival_third_card"
  | "rival_gain"
  | "keep"
  | "drop"
  | "lead"
  | "void";

/** Your cards, when you take a seat during a deal. */
export interface Hand {
  type: "hand";
  /** After this event. */
  seq: number;
  /** A set of cards: `R1,9,11 Y5 V3,12`. */
  hand: string;
}

/** What people are called, and how those at the table look: those that are new, or have changed. */
export interface Names {
  type: "names";
  names: Record<string, string>;
  stones?: Record<string, Stone>;
}

/** A stone of one's own. None has a suit's colour or shape. */
export interface Stone {
  form: Form;
  /** The colour round it. */
  rim: Rim;
}

/** What somebody's stone looks like from afar. */
export type Form = "round" | "flat" | "tall" | "square" | "hexagon" | "bean";

/** The colour round somebody's own stone: no suit's, and apart from the others for all eyes. */
export type Rim = "orange" | "cyan" | "berry" | "olive" | "chalk" | "ink";

/** Who is connected, and how many watch. */
export interface Present {
  type: "present";
  persons: string[];
  /** People without a seat, however many devices they have; whoever has no name counts with each. */
  spectators: number;
}

/** A bot at this table isn't ready to think yet: until it is, a simpler one plays in its place. */
export interface Warming {
  type: "warming";
  /** False when you come, or when the bot does; true once it plays itself. */
  ready: boolean;
}

/** Whether the server can save what happens. While it can't, the table waits; it goes on by itself. */
export interface Saving {
  type: "saving";
  /** False when saving fails, and to whoever comes then; true once it succeeds again. */
  ready: boolean;
}

/** Somebody's emote. */
export interface Said {
  type: "said";
  seat: number;
  emote: string;
}

/** A wish that can't be, and why: a key of the texts, with what it needs. */
export interface Refused {
  type: "refused";
  reason: Reason;
  /** What the text needs. */
  arguments: Record<string, number | string>;
  /** The number of the last event: where the client should be. */
  seq: number;
}

/** A table is made. Seats are given to bots (`bot:club`) or left open. */
export interface Created {
  type: "created";
  host: string;
  /** For each seat a person, a bot (`bot:club`), or nobody. */
  seats: (string | null)[];
  /** A preset, and options behind it. */
  rules: string;
  /** How long a turn may take, if there is a clock. */
  turn_seconds?: number | null;
  /** Whether newcomers may take the seat of a bot in a running match. */
  takeover?: boolean;
  /** Whether the server's list of tables may show it, if there is one. */
  public?: boolean;
  /** Whether whoever is to play may have a hint, also among several people. Alone against bots they always may. */
  hints?: boolean;
}

/** A player takes a seat: a person, or a bot. */
export interface Sat {
  type: "sat";
  seat: number;
  /** A person's id, or `bot:` and the bot's name. */
  player: string;
}

/** A seat is left open: only before the match. */
export interface Stood {
  type: "stood";
  seat: number;
}

/** A bot's seat is promised: with the next deal it is this person's. */
export interface Reserved {
  type: "reserved";
  seat: number;
  /** None takes the promise back. */
  person?: string | null;
}

/** The host asks somebody: are you there? */
export interface Asked {
  type: "asked";
  seat: number;
}

/** Somebody is away, so that the host may have a bot play for them. */
export interface Away {
  type: "away";
  seat: number;
  /** Not connected for a while, over the time for a turn, or without an answer to the host's question. */
  why: "gone" | "late" | "silent";
}

/** A bot plays for an absent person, who keeps the seat. */
export interface StoodIn {
  type: "stoodin";
  seat: number;
  bot: string;
}

/** The person is there again, and takes the cards back if a bot had them. */
export interface CameBack {
  type: "cameback";
  seat: number;
}

/** Seats are filled, and the match begins. */
export interface Started {
  type: "started";
}

/** The server has its secret for the next deal, and shows its commitment. */
export interface Committed {
  type: "committed";
  /** Which deal of the match, from 1. */
  deal: number;
  /** 64 hexadecimal digits: see `docs/fairness.md`. */
  commitment: string;
  /** The secret, in the form of `match.shuffle`. Only the server sees it. */
  shuffle?: string;
}

/** The cards. A seat sees its own hand, and nobody but the server all of this. */
export interface Dealt {
  type: "dealt";
  deal: number;
  /** The seat after the dealer's leads to the first trick. */
  dealer: number;
  /** For each seat a set of cards; `-` where it isn't for your eyes. */
  hands: string[];
  /** The secret and the seats' shares. */
  shuffle?: string;
}

/** A deal is over, so that everyone may check its shuffle. */
export interface Opened {
  type: "opened";
  deal: number;
  /** The secret and the seats' shares, from which anyone recomputes the cards. */
  shuffle: string;
}

/** A deal is broken off: it stays in the record. Where there were cards, its shuffle becomes known (`Opened`). */
export interface Aborted {
  type: "aborted";
  deal: number;
}

/** A card, and who chose it: the person or a bot. */
export interface Played {
  type: "played";
  seat: number;
  card: string;
  by?: "bot" | "person";
}

/** In a solo match: the last cards are taken back. */
export interface Undone {
  type: "undone";
  /** How many. */
  cards: number;
}

/** A person has seen the scores. */
export interface WentOn {
  type: "wenton";
  seat: number;
}

/** Nobody plays for now. Without a host's wish, because nobody is there. */
export interface Paused {
  type: "paused";
  /** Whether the host wished it; if not, play goes on when somebody is back. */
  wish?: boolean;
}

/** Play goes on. */
export interface Resumed {
  type: "resumed";
}

/** How long bots take for a card here from now on, instead of what is usual on this server. */
export interface PaceSet {
  type: "paceset";
  /** From 0 to 5000, thinking included. */
  milliseconds: number;
}

/** Whether there are hints at this table: before the match, and while nobody but the host has a seat. */
export interface HintsAllowed {
  type: "hintsallowed";
  allowed: boolean;
}

/** Somebody has asked for a hint for the card that comes next. Which card it named only they know. */
export interface Hinted {
  type: "hinted";
  seat: number;
}

/** No newcomers, or newcomers again. */
export interface Locked {
  type: "locked";
  /** Whether newcomers are kept out. */
  locked: boolean;
}

/** Whether people without a seat may watch. */
export interface Watching {
  type: "watching";
  allowed: boolean;
}

/** The host has sent someone away, who can't sit down here again. */
export interface Removed {
  type: "removed";
  person: string;
}

/** The host's role passes, or comes back. */
export interface HostIs {
  type: "hostis";
  person: string;
}

/** The match is broken off. */
export interface Ended {
  type: "ended";
}

/** The same players go on at another table. */
export interface Rematch {
  type: "rematch";
  table: string;
}

/** The server runs. */
export interface Health {
  version: string;
}

/** Whether people may be sent to this server: with status 503 if not. */
export interface Readiness {
  ready: boolean;
  /** Why not: it is `stopping`, or the `store` doesn't answer. */
  reason: string | null;
}

/** What a server offers. */
export interface ServerShown {
  version: string;
  /** Those that tables may have, from the weakest to the strongest; bots beside the ladder come last. */
  bots: string[];
  /** Whether it has a list of tables. */
  public_list: boolean;
  /** Whether all bots play themselves: simpler ones stand in for those that are still being compiled. */
  ready: boolean;
  /** After so many days a table that never started is deleted. */
  unstarted_days: number;
  /** After so many days without an event any table is deleted. */
  idle_days: number;
  /** How many milliseconds a bot takes for a card, thinking included, at a table where nobody has set another pace. */
  pace: number;
  /** For so long scores stay at most, until the next deal. */
  scores_seconds: number;
  /** So long somebody has to answer the host's question whether they are there. */
  answer_seconds: number;
  /** How many bytes a browser gets that keeps the game from `/site/`, for times without a network; null: it can't. */
  site: number | null;
  /** Whether there are hints and reviews here. */
  study: boolean;
  /** For so many days after somebody's last visit their figures are kept. */
  figures_days: number;
}

/** Somebody new: no account, just a name. */
export interface NewPerson {
  /** 1 to 20 visible characters, and others where spelling or an emoji needs them; it can't look like `bot:…`. */
  name: string;
}

/** Keep the token, and show it to nobody: whoever has it is this person. */
export interface PersonMade {
  person: string;
  token: string;
}

/**
 * All that the server holds about you, with `GET /api/me/figures`. What you played is in the records of these tables.
 */
export interface Me {
  person: string;
  name: string;
  /** In seconds since 1970. */
  created: number;
  /** When each of your tokens was made. */
  tokens: number[];
  /** The one that was active last comes first. */
  tables: MyTable[];
  /** The one that you chose. Without one you get another at each table, which nobody else has there. */
  stone: Stone | null;
}

/** A table where somebody has been. */
export interface MyTable {
  table: string;
  /** The path of its link on this server. */
  link: string;
  created: number;
  /** When something happened there last, in seconds since 1970. */
  active: number;
  /** `waiting`, `running` or `over` (closed). */
  stage: string;
  /** How it stands, for the 50 tables that were active last. */
  game: Game | null;
}

/** How a table stands. */
export interface Game {
  /** For each seat a person's name, a bot (`bot:club`), or null for an open seat. */
  players: (string | null)[];
  /** Yours, if you have one. */
  seat: number | null;
  rules: string;
  /** `gathering`, `dealing`, `playing`, `scores` or `over`. */
  phase: Phase;
  /** Of the deals that are over, a number for each seat. */
  totals: number[];
  /** Whether it is your turn. */
  turn: boolean;
  /** Each seat's place by these totals, from 1; who is equal shares one. */
  places: number[];
  /** Null, unless the match was broken off: then what each seat had of the deal that wasn't over. */
  unfinished: number[] | null;
  /** Whether a win counts: one person against bots, who had no hint, took no card back and chose each of their own. */
  counts: boolean;
  /** For each seat that of a person. */
  stones: (Stone | null)[];
}

/** How you play: sums, and no games. */
export interface Figures {
  /** The first comes first. */
  weeks: WeekShown[];
  /** For so many days after your last visit they are kept. */
  days: number;
}

/** How you played in a week, in some company: sums of the deals whose reviews you had. */
export interface WeekShown {
  /** Such as `2026-W47`. */
  week: string;
  /** The bot in the middle of the others by strength, or `people`. */
  company: string;
  /** Their points are the results. */
  deals: Sum;
  /** Their points were lost. */
  choices: Sum;
  /** The squares of what each choice lost, added up: for an interval. */
  squares: number;
  /** Luck: what the cards dealt were worth. */
  dealt: number;
  /** Skill: what your cards changed. */
  own: number;
  others: number;
  /** By grade; the points were lost. */
  grades: Record<string, Sum>;
  /** By the kind of the reason that weighs most against the card, of what was worse than fine. */
  reasons: Record<string, Sum>;
}

/** How many, and what they came to in points. */
export interface Sum {
  count: number;
  points: number;
}

/** Another token for you: it does what the one does by which you asked. */
export interface TokenMade {
  token: string;
}

/** Whoever was connected by one of them is no longer. */
export interface Revoked {
  /** How many tokens were taken back. */
  revoked: number;
}

/** The link that makes another browser you: it holds the token by which you asked, behind `#`. */
export interface PersonalLink {
  link: string;
  /** As in `Link`. */
  reach: Reach;
  /** The link as a QR code, in SVG. */
  qr: string;
}

/** Who can open a link. */
export type Reach = "computer" | "network" | "public";

/** What somebody was told: six letters, large or small, with spaces and dashes as they like. */
export interface Code {
  code: string;
}

/** The table that waits under a code. */
export interface TableFound {
  table: string;
}

/** At most 50 tables. */
export interface TableList {
  /** The one that was active last comes first. */
  tables: ListedTable[];
}

/** A table that anyone may join. */
export interface ListedTable {
  table: string;
  /** The host's name. */
  host: string;
  players: number;
  open_seats: number;
  rules: string;
  /** When something happened there last, in seconds since 1970. */
  active: number;
  /** Whether there are hints: whoever sits down agrees. */
  hints: boolean;
}

/** A table, whose maker is its host and gets its first open seat. */
export interface NewTable {
  /** Bots by name (`club`), and null for open seats: 3 to 6, at least one of them open. */
  seats: (string | null)[];
  /** A preset, and options behind it: `classic deals=2`. */
  rules?: string;
  /** How long a turn may take, from 1 to 3600; null is no clock. */
  turn_seconds?: number | null;
  /** Whether newcomers may take the seat of a bot in a running match. */
  takeover?: boolean;
  /** Whether the server's list may show it while it has an open seat; some servers have no list. */
  public?: boolean;
  /** Whether there are hints at this table also among several people, for whoever is to play. */
  hints?: boolean;
}

/** The table's id, by which everyone finds it. */
export interface TableMade {
  table: string;
}

/** What anyone may know of a table. */
export interface TableShown {
  players: number;
  rules: string;
  /** `gathering`, `dealing`, `playing`, `scores` or `over`. */
  phase: Phase;
  /** Of the deals that are over, a number for each seat. */
  totals: number[];
  /** The number of the last event. */
  seq: number;
  locked: boolean;
  /** Whether there are hints: whoever sits down agrees. */
  hints: boolean;
}

/** What to send to others who should come to a table. */
export interface Link {
  link: string;
  /** Who can open it: `computer` (nobody elsewhere), `network` (whoever is in the same network) or `public`. */
  reach: Reach;
  /** Six letters to read out, for `POST /api/codes`; null once the match has begun. */
  code: string | null;
}

/** What happened at a table, up to the end of the last deal that is over. */
export interface Replay {
  /** As over the WebSocket. */
  welcome: Welcome;
  names: Record<string, string>;
  /** As in `batch`, from the first on; `dealt` has the hands of all. */
  events: Told[];
  stones: Record<string, Stone>;
}

/** Which reviews you may have. */
export interface ReviewList {
  reviews: ReviewState[];
  /** Whether everyone who has the table's link may see those of your hands. */
  is_shared: boolean;
  /** By bot: the points that it loses per choice, by this judge and with so many players; empty while it loads. */
  ladder: Record<string, Between>;
}

/** A review that you may have. */
export interface ReviewState {
  /** From 1. */
  deal: number;
  seat: number;
  /** `none` if nobody has asked for it yet. */
  stage: ReviewStage;
  /** Whether it is your own hand: then it is for your eyes alone, unless you share it. */
  is_yours: boolean;
}

/** How far a review is. */
export type ReviewStage = "none" | "waiting" | "improving" | "final";

/** A mean, and between what it lies. */
export interface Between {
  value: number;
  low: number;
  high: number;
}

/** Of which deal, and of whose hand. */
export interface ReviewWanted {
  /** From 1. */
  deal: number;
  seat: number;
}

/** A review as far as it is: ask again until it is `final`. */
export interface ReviewShown {
  /** `waiting` for its turn, `improving` while better figures come, or `final`. */
  stage: ReviewStage;
  /** How much of the work is done, from 0 to 1. */
  done: number;
  /** Null before there is a first result. */
  review: ReviewBody | null;
}

/** What is to be said of one seat in one deal. */
export interface ReviewBody {
  /** From 1. */
  deal: number;
  seat: number;
  choices: ChoiceShown[];
  ledger: LedgerShown | null;
  /** Points; null where there was no choice. */
  lost_per_choice: number | null;
  low: number | null;
  high: number | null;
  /** Who judged: others would give other numbers. */
  judge: string;
}

/** A card that was played where there were several. */
export interface ChoiceShown {
  /** From 1. */
  trick: number;
  played: string;
  best: string;
  loss: number;
  low: number;
  high: number;
  grade: Grade;
  /** All that could have been played, the best first. */
  cards: Worth[];
  reasons: Why[];
}

/** How a result came about, by the value of all cards as if they were open. The first three add up to the last. */
export interface LedgerShown {
  /** What the cards dealt were worth. */
  dealt: number;
  /** What the own cards changed. */
  own: number;
  /** What the others' cards gave or took. */
  others: number;
  result: number;
  /** The value after the deal and after each card: the last is the result. */
  steps: number[];
}

/** Whether everyone who has the table's link may see the reviews of your hands there. */
export interface Sharing {
  is_shared: boolean;
}

/** What a bot knew, and when. */
export interface KnowledgeWanted {
  /** From 1. */
  deal: number;
  seat: number;
  /** How many cards of the deal were played by then. */
  place: number;
}

/** What a seat knew at a moment of a deal, from nothing but what it saw. */
export interface KnowledgeShown {
  /** Its own, a set of cards. */
  hand: string;
  /** One for each other seat, in the order of play after it. */
  guesses: Guess[];
  /** If it was its turn and it had a choice: what its cards were worth to it, the best first. */
  cards: Worth[];
  judge: string;
}

/** What a seat could tell of another's hand. */
export interface Guess {
  seat: number;
  /** By colour, red first: how many cards it could expect there. */
  cards: number[];
}

/** Why a request can't be: with a status from 400 to 499. */
export interface Refusal {
  reason: Reason;
  /** What the sentence needs. */
  arguments: Record<string, number | string>;
  /** The sentence, in the language that the client prefers (`Accept-Language`). */
  text: string;
}
