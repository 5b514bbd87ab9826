// The views. Each gives { title, element, refresh(fromStart) }.
import * as address from "./address.js";
import { get } from "./api.js";
import { h, s, show } from "./dom.js";
import { ago, amount, clock, duration, left, number, words } from "./format.js";
import { History } from "./history.js";
import { VirtualList } from "./list.js";
import { legend, nodeRows, tree } from "./quota.js";
import { strip, stateLegend } from "./strip.js";

const PHASES = ["QUEUED", "BACKOFF", "HELD", "RESERVED", "ADMITTED", "EVICTING", "DEACTIVATED", "FINISHED"];
const KINDS = ["ADMITTED", "QUOTA_RESERVED", "CHECK", "EVICTED", "PREEMPTED", "REQUEUED", "FINISHED"];

export function phase(name) {
  return h("span", { class: "badge phase-" + name.toLowerCase() }, words(name));
}

export function table(label, heads, rows, empty) {
  return rows.length === 0
    ? h("p", { class: "empty" }, empty)
    : h(
        "div",
        { class: "scroll", role: "region", "aria-label": label, tabindex: 0, "data-key": label },
        h(
          "table",
          {},
          h("caption", { class: "hidden" }, label),
          h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col", class: head.startsWith("#") ? "n" : null }, head.replace("#", ""))))),
          h("tbody", {}, rows),
        ),
      );
}

function countdown(until) {
  return h("time", { class: "countdown", "data-until": until, datetime: until }, left(until));
}

function openLink(item) {
  const { view, filters } = address.read();
  return address.link(view, { ...Object.fromEntries(filters), open: item.namespace + "/" + item.name });
}

function workloadLink(item) {
  return h("a", { href: openLink(item), "data-key": item.namespace + "/" + item.name }, item.name);
}

// Quota

const closed = new Set();

export function quota() {
  const element = h("div", {});
  let data = null;
  const isOpen = (name) => !closed.has(name);
  const toggle = (name) => {
    if (!closed.delete(name)) closed.add(name);
    draw();
  };
  const draw = () => {
    if (!data.clusterWide) {
      show(element, h("p", { class: "empty" }, "You may not list ClusterQueues, so that quota can't be shown. Your LocalQueues are under Queues."));
      return;
    }
    const rows = tree(data, isOpen);
    show(
      element,
      legend(),
      table("Quota by Cohort and ClusterQueue", ["Cohort, ClusterQueue", "Resource", "Use", "#Used", "#Nominal", "#Borrowed", "#Lent"], rows.flatMap((row) => nodeRows(row, isOpen, toggle)), "There is no ClusterQueue yet. Create one, and its quota is shown here."),
    );
  };
  return {
    title: "Quota",
    element,
    async refresh() {
      data = await get("queues", { namespace: address.namespace() });
      draw();
    },
  };
}

// Queues

function state(row) {
  return row.active ? h("span", { class: "badge ok" }, "Active") : h("span", { class: "badge bad", title: row.message }, row.reason);
}

/** An active queue says more than one clause where a setting has no effect, or its head blocks it. */
function why(row) {
  return row.active && !/[.,]/.test(row.message) ? null : h("p", { class: "dim small wrap" }, row.message);
}

function counts(row) {
  return [row.counts.pending, row.counts.reserving, row.counts.admitted].map((count) => h("td", { class: "n" }, number(count)));
}

export function queues() {
  const element = h("div", {});
  return {
    title: "Queues",
    element,
    async refresh() {
      const data = await get("queues", { namespace: address.namespace() });
      const search = (address.read().filters.get("search") ?? "").toLowerCase();
      const wanted = (text) => text.toLowerCase().includes(search);
      show(
        element,
        data.clusterWide
          ? [
              h("h2", {}, "ClusterQueues"),
              table(
                "ClusterQueues",
                ["Name", "Cohort", "State", "Order", "Checks", "#Waiting", "#Not tried", "#Reserving", "#Admitted"],
                data.clusterQueues.filter((row) => wanted(row.name)).map((row) => {
                  const [pending, reserving, admitted] = counts(row);
                  return h("tr", {}, h("th", { scope: "row" }, h("a", { href: address.link("workloads", { clusterQueue: row.name }), "data-key": "cq " + row.name }, row.name)), h("td", {}, row.cohort ?? ""), h("td", {}, state(row), why(row)), h("td", {}, row.strategy), h("td", {}, row.checks.join(", ")), pending, h("td", { class: "n" }, number(row.inadmissible)), reserving, admitted);
                }),
                "There is no ClusterQueue here.",
              ),
            ]
          : null,
        h("h2", {}, "LocalQueues"),
        table(
          "LocalQueues",
          ["Namespace", "Name", "ClusterQueue", "State", "#Waiting", "#Reserving", "#Admitted"],
          data.localQueues.filter((row) => wanted(row.namespace + "/" + row.name)).map((row) =>
            h("tr", {}, h("td", {}, row.namespace), h("th", { scope: "row" }, h("a", { href: address.link("workloads", { namespace: row.namespace, localQueue: row.name }), "data-key": "lq " + row.namespace + "/" + row.name }, row.name)), h("td", {}, row.clusterQueue ?? ""), h("td", {}, state(row), why(row)), counts(row)),
          ),
          "There is no LocalQueue here.",
        ),
      );
    },
  };
}

// Workloads

export function workloads() {
  const filters = () => Object.fromEntries(address.read().filters);
  const list = new VirtualList({
    label: "Workloads",
    height: 52,
    columns: [
      { title: "Place", class: "c-place n", cell: (item) => item.place ?? "" },
      { title: "Workload", class: "c-name", cell: (item) => [workloadLink(item), h("span", { class: "dim small" }, item.namespace)] },
      { title: "Queue", class: "c-queue", cell: (item) => [h("span", {}, item.clusterQueue ?? ""), h("span", { class: "dim small" }, item.localQueue ?? "")] },
      { title: "Phase", class: "c-phase", cell: (item) => phase(item.phase) },
      { title: "Why", class: "c-why", cell: (item) => [h("span", { class: "small strong" }, item.reason), h("span", { class: "dim small", title: item.message }, item.message)] },
      { title: "Requests", class: "c-requests", cell: (item) => Object.entries(item.requests).map(([resource, value]) => h("span", { class: "small" }, amount(resource, value) + " " + resource)) },
      { title: "Next", class: "c-next n", cell: (item) => (item.nextWake ? countdown(item.nextWake) : "") },
      { title: "Age", class: "c-age n", cell: (item) => ago(item.created) },
    ],
    load: (offset, limit) => {
      const { namespace, clusterQueue, localQueue, check, phase: phases, search } = filters();
      return get("workloads", { namespace, clusterQueue, localQueue, check, phase: phases, search, offset, limit });
    },
    key: (item) => item.namespace + "/" + item.name,
    open: (item) => { location.hash = openLink(item); },
    empty: () => "No Workload matches. Remove a filter, or submit a Job with the label kueue.x-k8s.io/queue-name.",
  });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Phases" });
  const summary = h("p", { class: "dim small", role: "status" });
  const element = h("div", { class: "full" }, chips, summary, list.element);
  return {
    title: "Workloads",
    element,
    async refresh(fromStart) {
      const answer = await list.refresh(fromStart);
      const { phase: text, clusterQueue, localQueue, check } = filters();
      const chosen = new Set((text ?? "").split(",").filter((each) => each));
      show(
        chips,
        PHASES.map((name) =>
          h(
            "button",
            {
              type: "button", class: "chip", "aria-pressed": String(chosen.has(name)), "data-key": "phase " + name,
              onclick: () => {
                if (!chosen.delete(name)) chosen.add(name);
                address.change({ phase: [...chosen].join(",") });
              },
            },
            words(name), " ", h("span", { class: "count" }, number(answer.phases[name] ?? 0)),
          ),
        ),
        [["clusterQueue", clusterQueue], ["localQueue", localQueue], ["check", check]].map(([name, value]) =>
          value ? h("button", { type: "button", class: "chip filter", "aria-label": "Remove the filter " + name + " " + value, "data-key": "filter " + name, onclick: () => address.change({ [name]: "" }) }, words(name) + ": " + value + " ✕") : null,
        ),
      );
      const found = number(answer.total) + (answer.total === 1 ? " Workload" : " Workloads");
      if (summary.textContent !== found) summary.textContent = found;
    },
  };
}

// Backoff

export function backoff() {
  const element = h("div", {});
  return {
    title: "Backoff",
    element,
    async refresh() {
      const data = await get("workloads", { namespace: address.namespace(), phase: "BACKOFF,HELD", search: address.read().filters.get("search"), limit: 500 });
      const items = data.items.toSorted((one, other) => (Date.parse(one.nextWake) || Infinity) - (Date.parse(other.nextWake) || Infinity));
      show(
        element,
        data.total > items.length ? h("p", { class: "notice" }, "The first " + items.length + " of " + data.total + " are shown; narrow them down by namespace or search.") : null,
        table(
          "Workloads in backoff",
          ["Workload", "Queue", "Goes on", "Delayed by"],
          items.map((item) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, workloadLink(item), h("p", { class: "dim small" }, item.namespace)),
              h("td", {}, item.clusterQueue ?? "", h("p", { class: "dim small" }, item.localQueue ?? "")),
              h("td", {}, item.nextWake ? [countdown(item.nextWake), h("p", { class: "dim small" }, "at " + clock(item.nextWake))] : h("span", { class: "dim" }, "when its cause is gone")),
              h(
                "td",
                { class: "wrap" },
                item.delays.length > 0
                  ? item.delays.map((delay) => h("p", {}, h("span", { class: "strong" }, delay.by), " until " + clock(delay.until) + " (", countdown(delay.until), ")", delay.message ? h("span", { class: "dim" }, ": " + delay.message) : null))
                  : h("p", {}, h("span", { class: "strong" }, item.reason), h("span", { class: "dim" }, " " + item.message)),
              ),
            ),
          ),
          "No Workload is held back: every one that waits is in its queue.",
        ),
      );
    },
  };
}

// Checks

export function checks() {
  const element = h("div", {});
  return {
    title: "Checks",
    element,
    async refresh() {
      const data = await get("checks", { namespace: address.namespace() });
      const search = (address.read().filters.get("search") ?? "").toLowerCase();
      show(
        element,
        stateLegend(),
        data.checks.length === 0 ? h("p", { class: "empty" }, "There is no AdmissionCheck.") : null,
        data.checks.map((check) =>
          h(
            "section",
            { class: "card" },
            h("h2", {}, h("a", { href: address.link("workloads", { check: check.name, namespace: address.namespace() }), "data-key": "check " + check.name }, check.name), " ", check.active ? h("span", { class: "badge ok" }, "Active") : h("span", { class: "badge bad" }, "Not active")),
            h("p", { class: "dim small" }, check.controller + (check.active ? "" : ": " + check.message)),
            h("p", { class: "small" }, Object.entries(check.states).map(([name, count]) => number(count) + " " + name).join(", ") || "No unfinished Workload has it."),
            check.strips
              .filter((each) => (each.namespace + "/" + each.workload).toLowerCase().includes(search))
              .slice(0, 25)
              .map((each) => h("div", { class: "strip-row" }, h("span", { class: "strip-name" }, workloadLink({ namespace: each.namespace, name: each.workload }), h("span", { class: "dim small" }, each.namespace)), strip(each.spans, check.name + " of " + each.workload), h("span", { class: "small strip-state" }, each.spans.at(-1).state + ", attempt " + each.spans.at(-1).attempts))),
          ),
        ),
      );
    },
  };
}

// Fair sharing

function share(value, most, label) {
  return s("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label }, s("title", {}, label), s("rect", { class: "bar-all", width: 100, height: 10 }), s("rect", { class: "bar-used", width: most > 0 ? Math.min(100, (100 * value) / most) : 0, height: 10 }));
}

export function sharing() {
  const element = h("div", {});
  const history = new History();
  return {
    title: "Fair sharing",
    element,
    async refresh() {
      const [data] = await Promise.all([get("queues", { namespace: address.namespace() }), history.refresh(address.namespace())]);
      const nodes = [...data.cohorts.filter((node) => node.parent).map((node) => ({ ...node, above: node.parent, kind: "Cohort" })), ...data.clusterQueues.filter((node) => node.cohort).map((node) => ({ ...node, above: node.cohort, kind: "ClusterQueue" }))];
      nodes.sort((one, other) => one.above.localeCompare(other.above) || other.share.weighted - one.share.weighted || one.name.localeCompare(other.name));
      const most = Math.max(1, ...nodes.map((node) => node.share.weighted).filter((value) => value < 1e300));
      const used = data.localQueues.filter((queue) => queue.pastUsage);
      const mostUsed = Math.max(1e-9, ...used.map((queue) => queue.pastUsage.compared).filter((value) => value < 1e300));
      show(
        element,
        h("h2", {}, "Shares now"),
        h("p", { class: "dim" }, "What each member borrows, in thousandths of what its Cohort could lend, divided by its weight. Where the configuration has fairSharing, the member with the largest share is preempted first."),
        table("Shares", ["Member", "Of Cohort", "Share", "#Weighted", history.heading(), "#Weight", "Resource"], nodes.map((node) => h("tr", {}, h("th", { scope: "row" }, node.name, h("span", { class: "kind" }, node.kind === "Cohort" ? "Cohort" : "")), h("td", {}, node.above), h("td", { class: "bar-cell" }, share(node.share.weighted, most, "share " + number(node.share.weighted))), h("td", { class: "n" }, number(node.share.weighted)), h("td", {}, history.line(node.kind + " " + node.name, "share of " + node.name)), h("td", { class: "n" }, number(node.share.weight)), h("td", {}, node.share.resource))), data.clusterWide ? "No ClusterQueue belongs to a Cohort, so that there is nothing to share." : "You may not list ClusterQueues."),
        h("h2", {}, "Past usage"),
        h("p", { class: "dim" }, "With admission fair sharing, the LocalQueue with the least usage is served first."),
        table("Past usage of LocalQueues", ["LocalQueue", "ClusterQueue", "Usage", "#Compared", history.heading(), "Consumed", "Sampled"], used.toSorted((one, other) => other.pastUsage.compared - one.pastUsage.compared).map((queue) => h("tr", {}, h("th", { scope: "row" }, queue.name, h("p", { class: "dim small" }, queue.namespace)), h("td", {}, queue.clusterQueue ?? ""), h("td", { class: "bar-cell" }, share(queue.pastUsage.compared, mostUsed, "usage " + number(queue.pastUsage.compared))), h("td", { class: "n" }, number(queue.pastUsage.compared)), h("td", {}, history.line(queue.namespace + "/" + queue.name, "usage of " + queue.name)), h("td", {}, Object.entries(queue.pastUsage.consumed).map(([resource, value]) => value + " " + resource).join(", ")), h("td", {}, queue.pastUsage.sampled ? ago(queue.pastUsage.sampled) + " ago" : ""))), "Past usage isn't counted: the configuration has no admissionFairSharing."),
      );
    },
  };
}

// Events

export function events(live) {
  const element = h("div", {});
  return {
    title: "Events",
    element,
    live: true,
    async refresh() {
      const filters = address.read().filters;
      const chosen = new Set((filters.get("kind") ?? "").split(",").filter((each) => each));
      const search = (filters.get("search") ?? "").toLowerCase();
      const found = live.events.filter((event) => (chosen.size === 0 || chosen.has(event.kind)) && (event.namespace + "/" + event.workload + " " + event.message).toLowerCase().includes(search));
      show(
        element,
        h(
          "div",
          { class: "chips", role: "group", "aria-label": "Kinds" },
          KINDS.map((kind) =>
            h(
              "button",
              {
                type: "button", class: "chip", "aria-pressed": String(chosen.has(kind)), "data-key": "kind " + kind,
                onclick: () => {
                  if (!chosen.delete(kind)) chosen.add(kind);
                  address.change({ kind: [...chosen].join(",") });
                },
              },
              words(kind),
            ),
          ),
        ),
        table(
          "Events, the newest first",
          ["Time", "What", "Workload", "Queue", "Why"],
          found.slice(0, 300).map((event) =>
            h("tr", {}, h("td", { class: "n left" }, h("time", { datetime: event.time }, clock(event.time))), h("td", {}, h("span", { class: "badge event-" + event.kind.toLowerCase() }, event.kind === "CHECK" ? event.check + ": " + event.state : words(event.kind))), h("th", { scope: "row" }, workloadLink({ namespace: event.namespace, name: event.workload }), h("p", { class: "dim small" }, event.namespace)), h("td", {}, event.clusterQueue), h("td", { class: "wrap small" }, event.message || event.reason)),
          ),
          live.events.length === 0 ? "Nothing has happened since the core started. Events appear here as they happen." : "No event matches the filters.",
        ),
      );
    },
  };
}
