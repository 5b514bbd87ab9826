// The frame of the page: navigation, filters, refreshing, connection.
import * as address from "./address.js";
import { budgets, hasBudgets } from "./budgets.js";
import { happened, open as openDetail, refresh as refreshDetail } from "./detail.js";
import { h, show } from "./dom.js";
import { left } from "./format.js";
import { Live } from "./live.js";
import * as views from "./views.js";

const VIEWS = { quota: views.quota, queues: views.queues, workloads: views.workloads, backoff: views.backoff, checks: views.checks, sharing: views.sharing, budgets, events: views.events };
const TITLES = { quota: "Quota", queues: "Queues", workloads: "Workloads", backoff: "Backoff", checks: "Checks", sharing: "Fair sharing", budgets: "Budgets", events: "Events" };
const SEARCHABLE = new Set(["queues", "workloads", "backoff", "checks", "events"]);
const REFRESH = 5000;
const SETTLE = 1000;
/** After events, asking takes at most this part of the time. */
const SHARE = 1 / 50;

const content = document.getElementById("content");
const status = document.getElementById("connection");
const live = new Live(afterEvent, (open) => connection({ streaming: open }));
let current = null;
let name = "";
let filters = "";
let timer = 0;
let busy = false;
let again = false;
let streaming = null;
let answering = true;
let took = 0;
/** Whether the view of budgets is offered; asked again until it is. */
let budgeted = false;

// Theme

const themeButton = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");

function stored() {
  try {
    return localStorage.getItem("theme") ?? "";
  } catch {
    return "";
  }
}

function theme(chosen) {
  const is = chosen || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = is;
  themeButton.textContent = is === "dark" ? "Light" : "Dark";
  themeButton.setAttribute("aria-label", "Change to " + (is === "dark" ? "light" : "dark") + " colours");
}

themeButton.addEventListener("click", () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  theme(next);
});
dark.addEventListener("change", () => theme(stored()));
theme(stored());

// Views

const search = h("input", {
  type: "search", id: "search", placeholder: "Search", "aria-label": "Search by name", "aria-keyshortcuts": "Control+K Meta+K", maxlength: 200,
  oninput: () => address.change({ search: search.value }, true),
});
const namespace = h("input", {
  type: "text", id: "namespace", placeholder: "All namespaces", "aria-label": "Namespace", autocomplete: "off", spellcheck: "false", maxlength: 63,
  onchange: () => address.change({ namespace: namespace.value.trim() }),
});
const title = h("h1", {}, "");
const problem = h("div", {});
const place = h("div", { class: "view" });
const bar = h("div", { class: "filters" }, title, h("div", { class: "inputs" }, namespace, search));
content.append(bar, problem, place);

function route() {
  const now = address.read();
  const known = Object.hasOwn(VIEWS, now.view) ? now.view : "quota";
  const kept = now.filters.get("namespace") ?? "";
  const changed = known !== name;
  if (changed) {
    name = known;
    current = VIEWS[known](live);
    title.textContent = TITLES[known];
    document.title = TITLES[known] + " – kueue4j";
    place.replaceChildren(current.element);
    place.dataset.view = known;
    search.hidden = !SEARCHABLE.has(known);
  }
  links(kept);
  if (!budgeted) offerBudgets();
  if (document.activeElement !== search) search.value = now.filters.get("search") ?? "";
  namespace.value = kept;
  live.open(kept);
  openDetail(now.filters.get("open"));
  now.filters.delete("open");
  const wanted = now.filters.toString();
  const fresh = changed || wanted !== filters;
  filters = wanted;
  if (fresh) refresh(true);
}

function links(kept) {
  show(
    document.getElementById("nav"),
    Object.keys(VIEWS)
      .filter((view) => view !== "budgets" || budgeted || name === "budgets")
      .map((view) => h("a", { href: address.link(view, { namespace: kept }), "data-key": view, "aria-current": view === name ? "page" : null }, TITLES[view])),
  );
}

async function offerBudgets() {
  try {
    budgeted = await hasBudgets();
    if (budgeted) links(address.namespace());
  } catch {
    // As if there were none.
  }
}

async function refresh(fromStart) {
  if (busy) {
    again = again || (fromStart ? "start" : "same");
    return;
  }
  busy = true;
  clearTimeout(timer);
  timer = 0;
  const view = current;
  const begin = performance.now();
  try {
    await Promise.all([view.refresh(fromStart), refreshDetail(false)]);
    if (view === current) problem.replaceChildren();
    connection({ answering: true });
  } catch (cause) {
    if (view === current) fail(cause);
  }
  took = performance.now() - begin;
  busy = false;
  if (again) {
    const start = again === "start";
    again = false;
    refresh(start);
  } else if (document.visibilityState === "visible") {
    timer = setTimeout(() => refresh(false), REFRESH);
  }
}

function fail(cause) {
  const text = cause.message ?? String(cause);
  if (cause.status === 0) connection({ answering: false });
  // Announced once, not at each attempt.
  if (problem.querySelector("p")?.textContent === text) return;
  show(problem, h("div", { class: "notice", role: "alert" }, h("p", {}, text), h("button", { type: "button", "data-key": "retry", onclick: () => refresh(true) }, "Try again")));
}

/** After an event: soon, and less often where answers take long. */
let settled = 0;
function afterEvent(event) {
  if (event) happened(event);
  if (settled) return;
  settled = setTimeout(() => {
    settled = 0;
    if (document.visibilityState === "visible") refresh(false);
  }, Math.min(REFRESH, Math.max(SETTLE, took / SHARE)));
}

/** Says whether requests are answered, and whether events come as they happen. */
function connection(now) {
  streaming = now.streaming ?? streaming;
  answering = now.answering ?? answering;
  let text = "";
  if (!answering) text = "Disconnected, trying again";
  else if (streaming !== null) text = streaming ? "Live" : "Updated every " + REFRESH / 1000 + " s";
  status.className = "connection" + (answering ? "" : " lost");
  if (status.textContent !== text) status.textContent = text;
  document.documentElement.classList.toggle("stale", !answering);
}

addEventListener("hashchange", route);
document.querySelector(".skip").addEventListener("click", (event) => {
  // The fragment of the address is the view, so that it can't name an element.
  event.preventDefault();
  content.focus();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") {
    refreshDetail(true);
    refresh(false);
  } else {
    clearTimeout(timer);
  }
});
document.addEventListener("keydown", (event) => {
  // With a modifier: a single character would also come from speech input (WCAG 2.1.4).
  if (event.key === "k" && (event.ctrlKey || event.metaKey) && !event.target.closest("dialog") && !search.hidden) {
    event.preventDefault();
    search.focus();
  }
});
setInterval(() => {
  for (const each of document.querySelectorAll(".countdown[data-until]")) {
    each.textContent = left(each.dataset.until);
  }
}, 1000);
route();
