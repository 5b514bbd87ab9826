// Budgets: what each namespace, LocalQueue and user has used of them, what is foreseen, and what was before.
import * as address from "./address.js";
import { get } from "./api.js";
import { h, s, show } from "./dom.js";
import { date, number } from "./format.js";
import { table } from "./views.js";

/** How often they are asked for, in milliseconds: the core reads them no more often. */
const EVERY = 30_000;

/** Whether the cluster has budgets. */
export async function hasBudgets() {
  return (await get("budgets/offered")).offered;
}

/** What is used, reserved and foreseen, against the limit. */
function bar(use, label) {
  const whole = Math.max(use.limit ?? 0, use.used + use.reserved, use.forecast ?? 0, 1e-9);
  const x = (value) => Math.max(0, Math.min(100, (100 * value) / whole));
  const limit = use.limit ?? Infinity;
  const within = Math.min(use.used, limit);
  const text =
    label + ": " + number(use.used) + " used, " + number(use.reserved) + " reserved" +
    (use.limit === undefined ? ", no limit" : " of " + number(use.limit)) +
    (use.forecast === undefined ? "" : ", " + number(use.forecast) + " foreseen");
  return s(
    "svg",
    { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": text },
    s("title", {}, text),
    s("rect", { class: "bar-all", x: 0, y: 0, width: 100, height: 10 }),
    s("rect", { class: "bar-used", x: 0, y: 0, width: x(within), height: 10 }),
    use.used > limit ? s("rect", { class: "bar-borrowed", x: x(limit), y: 0, width: x(use.used - limit), height: 10 }) : null,
    s("rect", { class: "bar-lent", x: x(use.used), y: 0, width: x(use.reserved), height: 10 }),
    use.forecast === undefined ? null : s("rect", { class: "bar-forecast", x: Math.max(0, x(use.forecast) - 0.8), y: 3, width: 0.8, height: 4 }),
    use.limit === undefined ? null : s("rect", { class: "bar-mark", x: Math.max(0, x(use.limit) - 0.4), y: 0, width: 0.8, height: 10 }),
  );
}

function legend() {
  return h(
    "p",
    { class: "legend" },
    [["used", "used"], ["lent", "reserved for what may still run"], ["borrowed", "used beyond the limit"], ["mark", "limit"], ["forecast", "foreseen for the end of the window"]].map(
      ([name, text]) => h("span", {}, s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { class: "bar-" + name, width: 10, height: 10 })), text),
    ),
  );
}

function row(use, name, part) {
  const known = (value) => h("td", { class: "n" }, value === undefined ? h("span", { class: "dim" }, "–") : number(value));
  return h("tr", {}, h("th", { scope: "row", class: part ? "part" : null }, name), h("td", { class: "bar-cell" }, bar(use, name)), known(use.used), known(use.reserved), known(use.forecast), known(use.limit));
}

const HEADS = ["Use", "#Used", "#Reserved", "#Foreseen", "#Limit"];

/** A namespace, and below it its LocalQueues where they say more than it does. */
function rows(budget) {
  return budget.namespaces.flatMap((use) => {
    const queues = budget.queues.filter((queue) => queue.namespace === use.namespace);
    const shown = queues.length > 1 || queues.some((queue) => queue.limit !== undefined) ? queues : [];
    return [row(use, use.namespace, false), ...shown.map((queue) => row(queue, queue.queue || "(no LocalQueue)", true))];
  });
}

function userName(user) {
  return user === "" ? "(no label)" : user === "*" ? "(others)" : user;
}

function users(budget) {
  return budget.users.length === 0
    ? null
    : [
        h("h3", {}, "Users"),
        table("Users of " + budget.policy, ["User", ...HEADS], budget.users.map((use) => row(use, userName(use.user) + " in " + use.namespace + "/" + use.queue, false)), ""),
        h("p", { class: "dim small" }, "Users are what a label says: the word of the one who submits, unless the cluster checks it."),
      ];
}

/** One column for each window that has passed. */
function past(budget) {
  if (budget.past.length === 0) return null;
  const most = Math.max(1e-9, ...budget.past.map((each) => each.used));
  const width = 100 / Math.max(12, budget.past.length);
  const text = budget.past.map((each) => date(each.from) + ": " + number(each.used)).join("; ");
  return [
    h("h3", {}, "Windows before"),
    s(
      "svg",
      { class: "columns", viewBox: "0 0 100 20", preserveAspectRatio: "none", role: "img", "aria-label": "Used in windows before. " + text },
      budget.past.map(({ from, used }, index) => s("rect", { class: "bar-used", x: index * width, y: 19.8 - (19 * used) / most, width: width * 0.8, height: (19 * used) / most + 0.2 }, s("title", {}, date(from) + ": " + number(used)))),
    ),
    h("p", { class: "dim small" }, "From " + date(budget.past[0].from) + " on, as far as ledgers keep their sums; the highest column is " + number(most) + (budget.unit ? " " + budget.unit : "") + "."),
  ];
}

export function budgets() {
  const element = h("div", {});
  let asked = 0;
  let about = null;
  return {
    title: "Budgets",
    element,
    async refresh() {
      const namespace = address.namespace();
      if (namespace === about && Date.now() - asked < EVERY) return;
      const found = (await get("budgets", { namespace })).budgets;
      asked = Date.now();
      about = namespace;
      show(
        element,
        found.length === 0 ? h("p", { class: "empty" }, "The cluster has no BudgetPolicy, so that nothing is booked.") : legend(),
        found.map((budget) =>
          h(
            "section",
            { class: "card" },
            h("h2", {}, budget.policy, budget.unit ? h("span", { class: "kind" }, "in " + budget.unit) : null),
            budget.since ? h("p", { class: "dim small" }, "Since " + date(budget.since) + (budget.until ? ", until " + date(budget.until) : ", a rolling window")) : null,
            budget.notes.map((note) => h("p", { class: "small" }, note)),
            table("Use of " + budget.policy, ["Namespace, LocalQueue", ...HEADS], rows(budget), "Nothing has been booked yet."),
            users(budget),
            past(budget),
          ),
        ),
      );
    },
  };
}
