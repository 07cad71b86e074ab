// What is drawn again and again, the faces of the cards above all, is a picture: a browser lays a drawing in the page out anew
// for each card, and a picture once. Their tones stand in them, so there is one for each suit, by day and by night.

/** @type {Map<string, { box: string, drawn: string }>} by the id of the symbol */
const symbols = new Map();
/** @type {Map<string, string>} by symbol, suit and theme */
const addresses = new Map();
const text = new XMLSerializer();

/** Remembers the symbols of a document of art. Faces are nothing but pictures, and leave it. @param {Element} art */
export function takePictures(art) {
  addresses.clear(); // another deck draws the same value in another way
  for (const symbol of art.querySelectorAll("symbol")) {
    symbols.set(symbol.id, { box: symbol.getAttribute("viewBox") ?? "", drawn: Array.from(symbol.children, (part) => text.serializeToString(part)).join("") });
    if (symbol.id.startsWith("face-")) symbol.remove();
  }
}

/** The address of a picture, once its drawing is there. @param {string} id @param {string} suit */
export function picture(id, suit) {
  const name = `${id} ${suit} ${document.documentElement.dataset.theme}`;
  return addresses.get(name) ?? painted(name, id, suit);
}

/** @param {string} name @param {string} id @param {string} suit */
function painted(name, id, suit) {
  const symbol = symbols.get(id);
  if (!symbol) return null;
  const tones = getComputedStyle(document.documentElement);
  const drawn = symbol.drawn.replace(/var\(--([\w-]+)\)/g, (_, tone) => tones.getPropertyValue(`--${suit}-${tone}`));
  const address = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${symbol.box}">${drawn}</svg>`)}`;
  addresses.set(name, address);
  return address;
}
