// Draws a position on the felt: cards in their places, and what is written there.

const MARKS = { "": "", "+": "new", "!": "melded", "*": "takes" };
const TOKEN = /^(..)(\??)([+!*]?)$/;
const MOVE_MS = 260;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Table {
  constructor(root, film) {
    this.root = root;
    this.film = film;
    this.felt = root.querySelector("[data-felt]");
    this.cards = new Map();
    for (const card of this.felt.querySelectorAll("[data-card]")) this.cards.set(card.dataset.card, card);
  }

  draw(frame, seat, moves) {
    const before = moves && !still.matches ? this.places() : null;
    for (const card of this.cards.values()) for (const way of card.getAnimations()) way.cancel();
    this.felt.dataset.turn = frame.turn ?? "";
    this.felt.toggleAttribute("data-closed", frame.closed);
    for (const zone of this.felt.querySelectorAll("[data-zone]")) {
      const place = zone.dataset.zone;
      const laid = tokens(frame[`zone ${place}`]).map((token) => this.lay(token, place, seat));
      zone.replaceChildren(...laid);
    }
    for (const pile of this.felt.querySelectorAll("[data-pile]")) {
      pile.replaceChildren(...tokens(frame[`pile ${pile.dataset.pile}`]).map((trick) => this.trick(trick)));
    }
    for (const text of this.root.querySelectorAll("[data-text]")) {
      write(text, frame[`text ${text.dataset.text}`]);
    }
    if (before !== null) this.move(before);
  }

  lay(token, place, seat) {
    const [, code, covered, sign] = token.match(TOKEN);
    const others = seat !== "" && place === `hand${1 - seat}`;
    const faceDown = covered !== "" && (place === "talon" || others);
    const card = this.card(code);
    const [name, address] = faceDown ? this.film.back : this.film.face(code, this.root.dataset.deck);
    if (sign === "") card.removeAttribute("class");
    else card.className = MARKS[sign];
    show(card.firstElementChild, name, address);
    return card;
  }

  card(code) {
    let card = this.cards.get(code);
    if (card === undefined) {
      card = document.createElement("li");
      card.dataset.card = code;
      card.append(image());
      this.cards.set(code, card);
    }
    return card;
  }

  trick(text) {
    const [number, at, ...codes] = text.split(":");
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.rel = "nofollow";
    link.dataset.at = at;
    link.textContent = number;
    item.append(link);
    for (const code of codes) {
      const face = image();
      show(face, ...this.film.face(code, this.root.dataset.deck));
      item.append(face);
    }
    return item;
  }

  places() {
    const found = new Map();
    for (const [code, card] of this.cards) if (card.isConnected) found.set(code, centre(card));
    return found;
  }

  // Each card goes from where it was seen, perhaps on its way, to where it is; the page never moves.
  move(before) {
    for (const [code, card] of this.cards) {
      const from = before.get(code);
      if (from === undefined || !card.isConnected) continue;
      const to = centre(card);
      const [x, y] = [from[0] - to[0], from[1] - to[1]];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      card.animate({ translate: [`${x}px ${y}px`, "0 0"], zIndex: [5, 5] }, { duration: MOVE_MS, easing: "ease-out" });
    }
  }
}

// What an element was told last: read back, an entity such as &quot; may be written otherwise.
const written = new WeakMap();

export function write(element, html = "") {
  if ((written.get(element) ?? element.innerHTML) !== html) element.innerHTML = html;
  written.set(element, html);
}

function tokens(text) {
  return text === "" ? [] : text.split(" ");
}

function image() {
  const made = document.createElement("img");
  [made.width, made.height] = [240, 336];
  return made;
}

function show(face, name, address) {
  face.alt = name;
  if (face.getAttribute("src") !== address) face.src = address;
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
