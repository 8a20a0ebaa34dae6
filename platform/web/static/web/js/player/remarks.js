// What the viewer's own bot said with an action: its note and its stderr. Others have no address
// to fetch it from.

export class Remarks {
  static async fetch(root) {
    const seats = {};
    for (const seat of [0, 1]) {
      const address = root.dataset[`remarks${seat}`];
      if (address !== undefined) seats[seat] = await fetched(address);
    }
    return new Remarks(root, seats);
  }

  // `seats`: by seat what its bot said, null where the server did not say.
  constructor(root, seats) {
    this.seats = seats;
    this.place = root.querySelector("[data-beside]");
    this.nothing = root.querySelector("[data-nothing]");
    this.unread = root.querySelector("[data-unread]");
    this.printed = { at: Number(root.dataset.at), said: [...(this.place?.childNodes ?? [])] };
    this.players = [0, 1].map((seat) => root.querySelector(`[data-side="${seat}"] .who strong`)?.innerHTML);
  }

  draw(frame) {
    if (this.place === null) return;
    const asked = frame.at === 0 ? Object.keys(this.seats).map((seat) => [seat, 0]) : [[frame.seat, frame.request]];
    let said = asked.flatMap(([seat, request]) => {
      const remark = this.seats[seat]?.[request];
      return remark === undefined ? [] : this.written(seat, ...remark);
    });
    let unread = asked.some(([seat]) => this.seats[seat] === null);
    if (unread && frame.at === this.printed.at) [said, unread] = [this.printed.said, false];
    this.place.replaceChildren(...said);
    this.nothing.hidden = unread || said.length > 0;
    this.unread.hidden = !unread;
  }

  written(seat, note, stderr) {
    const name = document.createElement("h3");
    name.innerHTML = this.players[seat];
    const made = [name];
    if (note) made.push(text("p", note, { className: "note" }));
    if (stderr) made.push(text("pre", stderr, { tabIndex: 0 }));
    return made;
  }
}

async function fetched(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function text(name, textContent, properties) {
  return Object.assign(document.createElement(name), { ...properties, textContent });
}
