// Every position of a match, and the ways from one to another.

const JUMPS = {
  first: (film, at) => (at > 0 ? 0 : null),
  "deal-back": (film, at) => film.before(at, (frame) => frame.opens),
  "trick-back": (film, at) => film.before(at, (frame) => frame.stop),
  back: (film, at) => film.before(at, () => true),
  on: (film, at) => film.after(at, () => true),
  "trick-on": (film, at) => film.after(at, (frame) => frame.stop),
  "deal-on": (film, at) => film.after(at, (frame) => frame.opens),
  last: (film, at) => (at < film.last ? film.last : null),
};

export class Film {
  static async fetch(address) {
    try {
      const answer = await fetch(address);
      return answer.ok ? new Film(await answer.json()) : null;
    } catch {
      return null;
    }
  }

  // Each frame of the document says only what has changed since the one before.
  constructor(document) {
    this.faces = document.faces;
    this.back = document.back;
    let now = {};
    this.frames = document.frames.map((change, at) => (now = { ...now, ...change, at }));
  }

  get last() {
    return this.frames.length - 1;
  }

  jump(name, at) {
    return JUMPS[name](this, at);
  }

  before(at, wanted) {
    const found = this.frames.slice(0, at).findLast(wanted);
    return found === undefined ? null : found.at;
  }

  after(at, wanted) {
    const found = this.frames.slice(at + 1).find(wanted);
    return found === undefined ? null : found.at;
  }

  ofDeal(deal) {
    return this.frames.filter((frame) => frame.deal === deal);
  }

  // [name, address] of a card's face in a deck, or of its back.
  face(code, deck) {
    const [name, two, four] = this.faces[code];
    return [name, deck === "four" ? four : two];
  }
}
