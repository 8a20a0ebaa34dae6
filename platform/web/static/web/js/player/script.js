// The deals and the events beside the table, the current ones marked.

import { write } from "./table.js";

export class Script {
  constructor(root, film) {
    this.film = film;
    this.deals = root.querySelector("[data-deals]");
    this.events = root.querySelector("[data-events]");
    this.deal = null;
  }

  draw(frame) {
    if (frame.deal !== this.deal) {
      this.deal = frame.deal;
      this.events.replaceChildren(...this.written(this.film.ofDeal(frame.deal)));
      this.events.scrollTop = 0;
    }
    for (const link of this.events.querySelectorAll("li > a")) {
      mark(link, Number(link.dataset.at) === frame.at, "step");
    }
    for (const link of this.deals.querySelectorAll("a")) {
      mark(link, this.film.frames[link.dataset.at].deal === frame.deal, "true");
    }
    reveal(this.events, this.events.querySelector("[aria-current]")?.parentElement);
    reveal(this.deals, this.deals.querySelector("[aria-current]")?.parentElement);
  }

  *written(frames) {
    let trick = 0;
    for (const frame of frames) {
      const item = document.createElement("li");
      if (frame.trick !== trick) item.append(made("span", { className: "no" }, String(frame.trick)));
      trick = frame.trick;
      const link = made("a", { rel: "nofollow" }, frame["text words"]);
      link.dataset.at = frame.at;
      item.append(link);
      if (frame["text after"]) item.append(made("p", {}, frame["text after"]));
      yield item;
    }
  }
}

function made(name, properties, html) {
  const element = Object.assign(document.createElement(name), properties);
  write(element, html);
  return element;
}

function mark(link, current, value) {
  if (current) link.setAttribute("aria-current", value);
  else link.removeAttribute("aria-current");
}

// Scrolls the list and not the page.
function reveal(list, item) {
  if (!item) return;
  const [frame, box] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) {
    list.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }
}
