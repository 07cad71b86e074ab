// What is drawn again and again, the faces of the cards above all, is a picture: a browser lays a drawing in the page
// out anew for each card, and a picture once. Their tones stand in them, so there is one for each suit, by day and by
// night.

/** @type {Map<string, { box: string, drawn: string }>} by the id of the symbol */
const symbols = new Map();
/** @type {Map<string, string>} by symbol, suit and theme */
const addresses = new Map();
const text = new XMLSerializer();

/** Remembers the symbols of a document of art. Faces are nothing but pictures, and leave it. @param {Element} art */
export function takePictures(art) {
  addresses.clear(); // another deck draws the same value in another way
  for (const symbol of art.querySelectorAll("symbol")) {
    symbols.set(symbol.id, {
      box: symbol.getAttribute("viewBox") ?? "",
      drawn: Array.from(symbol.children, (part) => text.serializeToString(part)).join(""),
    });
    if (symbol.id.startsWith("face-")) symbol.remove();
  }
}

/**
 * The address of a picture, once its drawing is there.
 * @param {string} id @param {string} suit @param {boolean} [startled]  a face with its eyes wide open
 */
export function picture(id, suit, startled = false) {
  const name = `${id} ${suit} ${document.documentElement.dataset.theme} ${startled}`;
  return addresses.get(name) ?? painted(name, id, suit, startled);
}

/** Without lids, which alone in a face are arcs, and with small pupils. @param {string} face */
const eyesWide = (face) =>
  face
    .replace(/<path[^>]* d="M[^"]*a[^>]*>/g, "")
    .replace(/(<circle[^>]* r=")([^"]+)/g, (_, before, radius) => before + 0.55 * radius);

/** @type {Map<string, string>} by theme, suit and name: to ask the browser in the middle of a render costs time */
const tones = new Map();

/**
 * What isn't of a suit's is grey, but for the tones that it has of its own.
 * @param {string} suit
 * @param {string} tone
 */
function toneOf(suit, tone) {
  const name = `${document.documentElement.dataset.theme} --${suit}-${tone}`;
  const style = getComputedStyle(document.documentElement);
  const known =
    tones.get(name) ?? (style.getPropertyValue(`--${suit}-${tone}`) || style.getPropertyValue(`--grey-${tone}`));
  tones.set(name, known);
  return known;
}

/** @param {string} name @param {string} id @param {string} suit @param {boolean} startled */
function painted(name, id, suit, startled) {
  const symbol = symbols.get(id);
  if (!symbol) return null;
  const drawn = (startled ? eyesWide(symbol.drawn) : symbol.drawn).replace(/var\(--([\w-]+)\)/g, (_, tone) =>
    toneOf(suit, tone),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${symbol.box}">${drawn}</svg>`;
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  addresses.set(name, address);
  return address;
}

/** @type {HTMLImageElement[]} pictures that the browser has made ready */
let ready = [];

/**
 * Has the pictures of a deck made before they are needed, one by one, when there is nothing else to do.
 * @param {string[]} suits
 */
export function prepare(suits) {
  ready = [];
  const faces = [...symbols.keys()]
    .filter((id) => id.startsWith("face-"))
    .flatMap((id) => suits.map((suit) => [id, suit]));
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, 50));
  const next = () => {
    const [id, suit] = faces.pop() ?? [];
    if (!id || !suit) return;
    const made = new Image();
    made.src = picture(id, suit) ?? "";
    ready.push(made);
    idle(next);
  };
  idle(next);
}
