// Keeps the parts of a page marked data-live="<address>" fresh. The page is whole without it.
// Each part is fetched again every few seconds with its ETag; only what changed is replaced.

const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60000;

function keepFresh(part) {
  let etag = null;
  let pause = PAUSE_MS;

  async function refresh() {
    if (!document.hidden) {
      try {
        const headers = etag === null ? {} : { "If-None-Match": etag };
        const answer = await fetch(part.dataset.live, { headers, cache: "no-store" });
        if (answer.status === 200) {
          const text = await answer.text();
          if (!part.contains(document.activeElement)) {
            part.innerHTML = text;
            etag = answer.headers.get("ETag");
          }
        } else if (answer.status === 404 || answer.status === 403) {
          return; // gone: what is shown stays
        }
        pause = answer.ok || answer.status === 304 ? PAUSE_MS : longer(pause);
      } catch {
        pause = longer(pause); // the server is away: ask less and less often
      }
    }
    setTimeout(refresh, pause);
  }

  setTimeout(refresh, pause);
}

function longer(pause) {
  return Math.min(pause * 2, LONGEST_PAUSE_MS);
}

document.querySelectorAll("[data-live]").forEach(keepFresh);
