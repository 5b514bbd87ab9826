// The cohort tree with its quota.
import { h, s } from "./dom.js";
import { amount } from "./format.js";
import { link } from "./address.js";

/** A bar of what is used of a quota: within it, borrowed beyond it, and of a queue lent out of it. */
export function bar(row, cohort) {
  const whole = Math.max(row.quota, row.used, 1e-9);
  const share = (value) => Math.max(0, Math.min(100, (100 * value) / whole));
  const own = Math.min(row.used, row.quota);
  const label =
    amount(row.resource, row.used) + " of " + amount(row.resource, row.quota) + " used" +
    (row.borrowed > 0 ? ", " + amount(row.resource, row.borrowed) + " borrowed" : "") +
    (row.lent > 0 ? ", " + amount(row.resource, row.lent) + " lent" : "");
  return s(
    "svg",
    { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label },
    s("title", {}, label),
    s("rect", { class: "bar-all", x: 0, y: 0, width: 100, height: 10 }),
    s("rect", { class: "bar-used", x: 0, y: 0, width: share(own), height: 10 }),
    row.lent > 0 && !cohort
      ? s("rect", { class: "bar-lent", x: share(Math.max(own, row.quota - row.lent)), y: 0, width: share(Math.min(row.lent, row.quota - own)), height: 10 })
      : null,
    row.used > row.quota
      ? s("rect", { class: "bar-borrowed", x: share(row.quota), y: 0, width: share(row.used - row.quota), height: 10 })
      : null,
    row.used > row.quota ? s("rect", { class: "bar-mark", x: share(row.quota) - 0.4, y: 0, width: 0.8, height: 10 }) : null,
  );
}

export function legend() {
  return h(
    "p",
    { class: "legend" },
    [["used", "used"], ["borrowed", "borrowed beyond its own quota"], ["lent", "unused, and held by others who borrowed it"], ["all", "free"]].map(
      ([name, text]) => h("span", {}, s("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, s("rect", { class: "bar-" + name, width: 10, height: 10 })), text),
    ),
  );
}

/** The nodes in the order of the tree: roots first, then their members, Cohorts before queues. */
export function tree(data, isOpen) {
  const children = new Map();
  const under = (parent) => {
    if (!children.has(parent)) children.set(parent, []);
    return children.get(parent);
  };
  const known = new Set(data.cohorts.map((cohort) => cohort.name));
  for (const cohort of data.cohorts) {
    under(known.has(cohort.parent) ? cohort.parent : null).push({ ...cohort, cohort: true });
  }
  for (const queue of data.clusterQueues) {
    under(known.has(queue.cohort) ? queue.cohort : null).push({ ...queue, cohort: false });
  }
  const rows = [];
  const seen = new Set();
  const add = (parent, depth) => {
    for (const node of children.get(parent) ?? []) {
      if (node.cohort && seen.has(node.name)) continue;
      if (node.cohort) seen.add(node.name);
      const members = node.cohort ? (children.get(node.name) ?? []).length : 0;
      rows.push({ node, depth, members });
      if (node.cohort && isOpen(node.name)) add(node.name, depth + 1);
    }
  };
  add(null, 0);
  return rows;
}

/** The rows of one node in the table: one for each flavor and resource. */
export function nodeRows({ node, depth, members }, isOpen, toggle) {
  const quota = node.quota.length > 0 ? node.quota : [null];
  return quota.map((row, index) =>
    h(
      "tr",
      { class: (index === 0 ? "first " : "") + (node.cohort ? "cohort" : "queue") },
      index === 0 ? name(node, depth, members, quota.length, isOpen, toggle) : null,
      row
        ? [
            h("td", {}, row.resource, h("span", { class: "dim" }, " in " + row.flavor)),
            h("td", { class: "bar-cell" }, bar(row, node.cohort)),
            h("td", { class: "n" }, amount(row.resource, row.used)),
            h("td", { class: "n" }, amount(row.resource, row.nominal)),
            h("td", { class: "n" }, row.borrowed > 0 ? amount(row.resource, row.borrowed) : dash()),
            h("td", { class: "n" }, row.lent > 0 ? amount(row.resource, row.lent) : dash()),
          ]
        : h("td", { colspan: 6, class: "dim" }, "no quota"),
    ),
  );
}

function dash() {
  return h("span", { class: "dim", "aria-label": "none" }, "–");
}

function name(node, depth, members, span, isOpen, toggle) {
  const open = isOpen(node.name);
  const cell = h(
    "th",
    { scope: "row", rowspan: span, class: "node" },
    h(
      "div",
      { class: "node-name depth-" + Math.min(depth, 8) },
      node.cohort
        ? h(
            "button",
            {
              type: "button", class: "twist", "aria-expanded": String(open), "data-key": "cohort " + node.name,
              "aria-label": (open ? "Close" : "Open") + " Cohort " + node.name + ", " + members + " members",
              onclick: () => toggle(node.name),
            },
            s("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("path", { d: "M3 1.5 7 5 3 8.5" })),
          )
        : null,
      node.cohort
        ? h("span", { class: "strong" }, node.name)
        : h("a", { href: link("workloads", { clusterQueue: node.name }), "data-key": "queue " + node.name }, node.name),
      h("span", { class: "kind" }, node.cohort ? "Cohort" : node.active ? "" : node.reason),
    ),
    h(
      "div",
      { class: "dim small depth-" + Math.min(depth, 8) },
      node.cohort
        ? node.admitted + " admitted below"
        : node.counts.pending + " waiting, " + node.counts.admitted + " admitted",
    ),
  );
  return cell;
}
