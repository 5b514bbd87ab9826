// Numbers over time, as lines; from the core, which takes a sample per minute.
import { get } from "./api.js";
import { h, s } from "./dom.js";
import { clock, duration, number } from "./format.js";

const EVERY = 60_000;
const WIDTH = 120;
const HEIGHT = 24;
/** An infinite share is drawn as the largest that isn't. */
const INFINITE = 1e300;

/** The largest number of several lines, which are drawn to one scale. */
function largest(lines) {
  return lines.reduce((most, each) => Math.max(most, ...each.values.filter((value) => value < INFINITE)), 0);
}

/** The samples of a namespace's LocalQueues, or of all, and of Cohorts' members; asked for once a minute. */
export class History {
  #namespace = null;
  #asked = 0;
  #lines = new Map();
  #times = [];

  async refresh(namespace) {
    if (namespace === this.#namespace && Date.now() - this.#asked < EVERY) return;
    const answer = await get("history", { namespace });
    this.#namespace = namespace;
    this.#asked = Date.now();
    this.#times = answer.times;
    const shares = largest(answer.shares);
    const usage = largest(answer.usage);
    this.#lines = new Map([
      ...answer.shares.map((each) => [each.kind + " " + each.name, { values: each.values, most: shares }]),
      ...answer.usage.map((each) => [each.namespace + "/" + each.name, { values: each.values, most: usage }]),
    ]);
  }

  /** The heading of the column: how far back it goes. */
  heading() {
    return this.#times.length < 2 ? "Over time" : "Last " + duration(this.#span());
  }

  #span() {
    return Date.parse(this.#times.at(-1)) - Date.parse(this.#times[0]);
  }

  /** The line of a member ("ClusterQueue a") or a LocalQueue ("namespace/a"). */
  line(key, label) {
    if (this.#times.length < 2) return h("span", { class: "dim small" }, "from the second minute on");
    const { values, most } = this.#lines.get(key) ?? { values: this.#times.map(() => 0), most: 0 };
    const begin = Date.parse(this.#times[0]);
    const x = (index) => (WIDTH * (Date.parse(this.#times[index]) - begin)) / Math.max(1, this.#span());
    const y = (value) => HEIGHT - 1 - (most > 0 ? ((HEIGHT - 2) * Math.min(value, most)) / most : 0);
    const points = values.map((value, index) => x(index).toFixed(1) + "," + y(value).toFixed(1)).join(" ");
    const text = label + " since " + clock(this.#times[0]) + ": at first " + number(values[0]) + ", at most " + number(Math.max(...values)) + ", at last " + number(values.at(-1));
    return s(
      "svg",
      { class: "line", viewBox: "0 0 " + WIDTH + " " + HEIGHT, preserveAspectRatio: "none", role: "img", "aria-label": text },
      s("title", {}, text),
      s("polygon", { class: "line-area", points: "0," + HEIGHT + " " + points + " " + WIDTH + "," + HEIGHT }),
      s("polyline", { class: "line-top", points }),
    );
  }
}
