// The states of an admission check over time, as a strip.
import { h, s } from "./dom.js";
import { clock, duration, now } from "./format.js";

const WIDTH = 600;

/** From the first span until now. */
export function strip(spans, label) {
  const begin = Date.parse(spans[0].since);
  const end = Math.max(now(), begin + 1000);
  const x = (time) => (WIDTH * (Math.min(time, end) - begin)) / (end - begin);
  const text = spans
    .map((span, index) => {
      const until = index + 1 < spans.length ? Date.parse(spans[index + 1].since) : end;
      return span.state + " for " + duration(until - Date.parse(span.since)) + " (attempt " + span.attempts + ")";
    })
    .join(", then ");
  return h(
    "div",
    { class: "strip-box" },
    s(
      "svg",
      { class: "strip", viewBox: "0 0 " + WIDTH + " 14", preserveAspectRatio: "none", role: "img", "aria-label": label + ": " + text },
      spans.map((span, index) => {
        const from = x(Date.parse(span.since));
        const until = index + 1 < spans.length ? x(Date.parse(spans[index + 1].since)) : WIDTH;
        return s(
          "rect",
          { class: "state-" + span.state.toLowerCase().replace(/[^a-z]/g, ""), x: from, y: 0, width: Math.max(2, until - from), height: 14 },
          s("title", {}, span.state + " since " + clock(span.since) + ", attempt " + span.attempts + (span.message ? ": " + span.message : "")),
        );
      }),
    ),
    h("span", { class: "dim small strip-from" }, duration(end - begin) + " ago"),
  );
}

export function stateLegend() {
  return h(
    "p",
    { class: "legend" },
    ["Pending", "Retry", "Ready", "Rejected"].map((state) =>
      h("span", {}, s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { class: "state-" + state.toLowerCase(), width: 10, height: 10 })), state),
    ),
  );
}
