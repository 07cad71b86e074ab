// Cards as they are written: "R9" is the red nine.

export const COLOURS = ["R", "Y", "G", "B", "V"];

/** @param {string} card */
export const cardValue = (card) => Number(card.slice(1));
/** @param {string} card */
export const cardColour = (card) => card[0];

/** A set of cards by its notation, "R1,9 Y5". @param {string} text @returns {string[]} */
export function cards(text) {
  if (text === "-") return [];
  return text.split(" ").flatMap((group) =>
    group
      .slice(1)
      .split(",")
      .map((value) => group[0] + value),
  );
}
