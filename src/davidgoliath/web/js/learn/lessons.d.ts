// Made from the program's own types by `./dg docs`: the lessons of the tutorial.

/** A step of the tutorial. */
export interface Lesson {
  /** Its texts are `learn.{id}.title` and so on. */
  id: string;
  /** The highest value in the deck. */
  highest: number;
  leader: number;
  hand: string[];
  legal: string[];
  trick: Fall[];
  /** By seat and colour. */
  piles: Pile[][];
  scores: number[];
  /** What the task counts. */
  numbers: Record<string, number>;
  /** Piles to look at, for the lesson that explains what they are worth. */
  examples: Pile[];
  /** One for each card of the hand. */
  plays: Play[];
}

/** A card as it falls, and who is who then. */
export interface Fall {
  seat: number;
  card: string;
  goliath: number | null;
  david: number | null;
  /** With the last card of a trick. */
  taken: Taken | null;
}

/** A complete trick: who takes what. */
export interface Taken {
  toGoliath: string[];
  toDavid: string[];
  tie: "all" | "both" | "highest" | "lowest" | null;
  /** Everyone's points after it. */
  scores: number[];
}

/** The cards of one colour in a pile. */
export interface Pile {
  values: number[];
  worth: number;
  /** What one more card would change; null: it would count its own value. */
  next: number | null;
}

/** What becomes of a card of the hand: a refusal, or cards that fall. */
export interface Play {
  card: string;
  /** Whether this was the aim. */
  right: boolean;
  /** The key of the text that says so. */
  why: string;
  refused: Refused | null;
  falls: Fall[];
  piles: Pile[][];
  places: number[];
  /** What the text counts. */
  numbers: Record<string, number>;
}

/** Why a card may not be played. */
export interface Refused {
  reason: string;
  colour: string;
  legal: string[];
}

/** A whole trick, card by card. */
export interface Demonstration {
  players: number;
  falls: Fall[];
}
