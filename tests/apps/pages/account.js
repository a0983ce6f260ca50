// What the page itself knows of its controls: every element with data-t, its name, and its place in device px.
"use strict";
const scale = Number(new URLSearchParams(location.search).get("scale") || 1); // device px per px of the screen's own
let origin = null; // of the viewport on the screen, device px; from any pointer event, which says both
addEventListener("mousemove", (event) => {
  const zoom = devicePixelRatio / scale;
  origin = [(event.screenX - event.clientX * zoom) * scale, (event.screenY - event.clientY * zoom) * scale];
}, true);
const events = []; // what was clicked and changed since the last look
for (const kind of ["click", "change"]) {
  addEventListener(kind, (event) => events.push([kind, event.target.dataset?.t || event.target.textContent]), true);
}

function clip(a, b) {
  const x = Math.max(a[0], b[0]), y = Math.max(a[1], b[1]);
  const right = Math.min(a[0] + a[2], b[0] + b[2]), bottom = Math.min(a[1] + a[3], b[1] + b[3]);
  return [x, y, Math.max(0, right - x), Math.max(0, bottom - y)];
}

function box(element) {
  const r = element.getBoundingClientRect();
  return [r.x, r.y, r.width, r.height];
}

function isHidden(element) {
  return !element.checkVisibility({ visibilityProperty: true }) || element.closest("[aria-hidden=true]") !== null;
}

function visible(element, view) {
  let part = clip(box(element), [0, 0, view.innerWidth, view.innerHeight]);
  for (let up = element.parentElement; up; up = up.parentElement) {
    if (up !== element.ownerDocument.body && getComputedStyle(up).overflow !== "visible" && getComputedStyle(element).position !== "fixed") {
      part = clip(part, box(up));
    }
  }
  return part;
}

function collect(root, view, dx, dy, frame, found) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) collect(element.shadowRoot, view, dx, dy, frame, found);
    if (element.tagName === "IFRAME" && !isHidden(element) && element.contentDocument) {
      const r = element.getBoundingClientRect();
      const inner = clip(visible(element, view).map((v, i) => (i < 2 ? v + [dx, dy][i] : v)), frame);
      collect(element.contentDocument, element.contentWindow, dx + r.x + element.clientLeft, dy + r.y + element.clientTop, inner, found);
    }
    if (!element.hasAttribute("data-t")) continue;
    const name = element.dataset.t || element.textContent;
    const shift = (r) => [r[0] + dx, r[1] + dy, r[2], r[3]];
    const part = isHidden(element) ? [0, 0, 0, 0] : clip(shift(visible(element, view)), frame);
    const scaled = (r) => r.map((v) => v * devicePixelRatio);
    found.push({ name, full: scaled(shift(box(element))), visible: scaled(part), isShown: part[2] >= 1 && part[3] >= 1 });
  }
}

function account() {
  const found = [];
  collect(document, window, 0, 0, [0, 0, innerWidth, innerHeight], found);
  const inner = "mozInnerScreenX" in window ? [mozInnerScreenX * devicePixelRatio, mozInnerScreenY * devicePixelRatio] : origin;
  return { controls: found, origin: inner, ratio: devicePixelRatio, size: [innerWidth, innerHeight], events: events.splice(0) };
}

async function loaded() {
  if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done));
  return document.title;
}

let destination = ""; // another page to go to, once it is answered that this one will
function leaveFor(page) {
  destination = page;
}

async function serve() {
  const page = encodeURIComponent(location.pathname + location.search);
  for (;;) {
    const { number, script } = await (await fetch("/next?page=" + page)).json();
    if (!number) continue;
    let value = null;
    try { value = await (0, eval)(script); } catch (problem) { value = { error: String(problem) }; }
    await fetch("/answer?page=" + page + "&number=" + number, { method: "POST", body: JSON.stringify(value === undefined ? null : value) });
    if (destination) return location.assign(destination);
  }
}
if (window === top) serve();
