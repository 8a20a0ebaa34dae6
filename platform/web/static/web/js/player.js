// The replay player. The page is whole without it: it shows one position and links to all others.
// This fetches every position once and from then on changes the page in place, by the same links.
// Positions come from the server, rules and all; here they are only drawn.

import { Film } from "./player/film.js";
import { Table } from "./player/table.js";
import { Script } from "./player/script.js";
import { Remarks } from "./player/remarks.js";
import { listen } from "./player/controls.js";

const QUIET_MS = 200; // the address follows once one has stopped scrubbing

class Player {
  constructor(root, film, remarks) {
    this.root = root;
    this.film = film;
    this.at = Number(root.dataset.at);
    this.seat = root.dataset.seat;
    this.table = new Table(root, film);
    this.script = new Script(root, film);
    this.remarks = remarks;
    this.timer = null;
    this.quiet = null;
  }

  get playing() {
    return this.timer !== null;
  }

  address(at, seat = this.seat) {
    return `${this.root.dataset.match}?at=${at}${seat === "" ? "" : `&seat=${seat}`}#player`;
  }

  go(at) {
    const before = this.film.frames[this.at];
    this.at = Math.min(Math.max(at, 0), this.film.last);
    this.show(Math.abs(this.at - before.at) === 1 && this.film.frames[this.at].deal === before.deal);
  }

  jump(name) {
    const at = this.film.jump(name, this.at);
    if (at !== null) this.go(at);
  }

  look(seat) {
    this.seat = seat;
    this.show(false);
  }

  show(moves) {
    const frame = this.film.frames[this.at];
    this.root.dataset.at = this.at;
    this.root.dataset.seat = this.seat;
    this.table.draw(frame, this.seat, moves);
    this.script.draw(frame);
    this.remarks.draw(frame);
    this.link(frame);
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => history.replaceState(null, "", this.address(this.at)), QUIET_MS);
  }

  // Every way to a position is a link that can be opened elsewhere, whatever leads there here.
  link(frame) {
    for (const step of this.root.querySelectorAll("[data-step]")) {
      const at = this.film.jump(step.dataset.step, this.at);
      step.dataset.at = at ?? this.at;
      if (at === null) step.setAttribute("aria-disabled", "true");
      else step.removeAttribute("aria-disabled");
    }
    for (const link of this.root.querySelectorAll("a[data-at]")) {
      link.href = this.address(link.dataset.at);
    }
    for (const view of this.root.querySelectorAll("[data-view]")) {
      view.href = this.address(this.at, view.dataset.view);
      if (view.dataset.view === this.seat) view.setAttribute("aria-current", "true");
      else view.removeAttribute("aria-current");
    }
    const here = this.address(this.at);
    this.root.querySelector("[data-share]").href = here;
    const scrub = this.root.querySelector("[data-scrub]");
    scrub.value = this.at;
    const place = [frame["text deal"], frame["text trick"]].filter(Boolean);
    scrub.setAttribute("aria-valuetext", place.join(", "));
    // Whoever changes the cards or the language stays where he is.
    for (const next of document.querySelectorAll("input[name=next]")) next.value = here;
  }

  play(pause_ms) {
    if (this.at === this.film.last) this.go(0);
    this.root.toggleAttribute("data-playing", true);
    const again = () => {
      this.go(this.at + 1);
      if (this.at === this.film.last) this.pause();
      else this.timer = setTimeout(again, this.film.frames[this.at].stop ? 1.5 * pause_ms() : pause_ms());
    };
    this.timer = setTimeout(again, pause_ms() / 2);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.root.toggleAttribute("data-playing", false);
  }
}

const root = document.querySelector("[data-player]");
if (root !== null) {
  const [film, remarks] = await Promise.all([Film.fetch(root.dataset.frames), Remarks.fetch(root)]);
  // Where the server is away the links stay what they are.
  if (film !== null) listen(root, new Player(root, film, remarks));
}
