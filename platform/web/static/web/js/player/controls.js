// Keys, links, swipes, and playing by itself.

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  "Shift ArrowLeft": "trick-back",
  "Shift ArrowRight": "trick-on",
  "Shift ArrowUp": "deal-back",
  "Shift ArrowDown": "deal-on",
  "Shift Home": "first",
  "Shift End": "last",
};

const TYPED_INTO = "input:not([type=range]), select, textarea, [contenteditable]";
const PRESSED = "a, button, summary, pre";
const SWIPE_PX = 40;
const KEPT_SPEED = "santase-speed";

export function listen(root, player) {
  const speed = root.querySelector("[data-speed]");
  const pause_ms = () => Number(speed.value);
  const toggle = () => (player.playing ? player.pause() : player.play(pause_ms));

  for (const part of root.querySelectorAll("[data-script], [data-play]")) part.hidden = false;
  root.querySelector("[data-play]").addEventListener("click", toggle);
  player.show(false);

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-at], a[data-view]");
    if (link === null || opensElsewhere(event)) return;
    event.preventDefault();
    player.pause();
    if (link.dataset.view !== undefined) player.look(link.dataset.view);
    else player.go(Number(link.dataset.at));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPED_INTO)) return;
    if (event.key === " " && !event.shiftKey) {
      if (event.target.closest(PRESSED)) return;
      event.preventDefault();
      toggle();
      return;
    }
    const jump = KEYS[`${event.shiftKey ? "Shift " : ""}${event.key}`];
    if (jump === undefined) return;
    event.preventDefault();
    player.pause();
    player.jump(jump);
  });

  const scrub = root.querySelector("[data-scrub]");
  scrub.addEventListener("input", () => {
    player.pause();
    player.go(Number(scrub.value));
  });

  swipes(root.querySelector("[data-felt]"), (jump) => {
    player.pause();
    player.jump(jump);
  });

  keepSpeed(speed);
  share(root);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) player.pause();
  });
}

function swipes(felt, jump) {
  let from = null;
  felt.addEventListener("touchstart", (event) => {
    from = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  felt.addEventListener("touchend", (event) => {
    if (from === null) return;
    const to = event.changedTouches[0];
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) jump(x < 0 ? "on" : "back");
  }, { passive: true });
}

function keepSpeed(speed) {
  try {
    const kept = localStorage.getItem(KEPT_SPEED);
    if ([...speed.options].some((option) => option.value === kept)) speed.value = kept;
    speed.addEventListener("change", () => localStorage.setItem(KEPT_SPEED, speed.value));
  } catch {
    // a browser that keeps nothing
  }
}

// Such a click is the browser's: it opens a tab, a window, or saves.
function opensElsewhere(event) {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
}

function share(root) {
  const copied = root.querySelector("[data-copied]");
  root.querySelector("[data-share]").addEventListener("click", async (event) => {
    // Without a clipboard the link is followed, and stands in the bar.
    if (navigator.clipboard === undefined || opensElsewhere(event)) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      await navigator.clipboard.writeText(href);
    } catch {
      location.assign(href);
      return;
    }
    copied.textContent = copied.dataset.done;
    setTimeout(() => (copied.textContent = ""), 3000);
  });
}
