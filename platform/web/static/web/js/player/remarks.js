// What the viewer's own bot said with an action: its note and its stderr. Others have no address
// to fetch it from.

export class Remarks {
  static async fetch(root) {
    const seats = {};
    for (const seat of [0, 1]) {
      const address = root.dataset[`remarks${seat}`];
      if (address === undefined) continue;
      try {
        const answer = await fetch(address, { cache: "no-store" });
        if (answer.ok) seats[seat] = await answer.json();
      } catch {
        // the log below the player has it all
      }
    }
    return new Remarks(root, seats);
  }

  constructor(root, seats) {
    this.seats = seats;
    this.place = root.querySelector("[data-beside]");
    this.nothing = root.querySelector("[data-nothing]");
    this.players = [0, 1].map((seat) => root.querySelector(`[data-side="${seat}"] .who strong`)?.innerHTML);
  }

  draw(frame) {
    if (this.place === null) return;
    const asked = frame.at === 0 ? Object.keys(this.seats).map((seat) => [seat, 0]) : [[frame.seat, frame.request]];
    const said = asked.flatMap(([seat, request]) => {
      const remark = this.seats[seat]?.[request];
      return remark === undefined ? [] : this.written(seat, ...remark);
    });
    this.place.replaceChildren(...said);
    this.nothing.hidden = said.length > 0;
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

function text(name, textContent, properties) {
  return Object.assign(document.createElement(name), { ...properties, textContent });
}
