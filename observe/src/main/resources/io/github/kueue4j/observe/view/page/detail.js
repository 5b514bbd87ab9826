// One Workload in a dialog: why it isn't running, what its checks said, what happened to it.
import { when, workload } from "./api.js";
import { change, read } from "./address.js";
import { h, show } from "./dom.js";
import { ago, amount, date, left, words } from "./format.js";
import { strip, stateLegend } from "./strip.js";
import { phase } from "./views.js";

/** How often an explanation is asked for anew at most, in milliseconds: it is dearer than a list. */
const EVERY = 15_000;
/** Waiting for explanations takes at most this part of the time, while nothing happens. */
const SHARE = 1 / 100;

/** How often a forecast is asked for anew, in milliseconds: the core computes for up to some seconds. */
const FORECAST_EVERY = 60_000;
/** After a refusal, since another one is being computed. */
const FORECAST_AGAIN = 5_000;

const dialog = document.getElementById("detail");
let shown = null;
let body = null;
let asked = 0;
let took = 0;
let evidenceOpen = false;
/** The element with the forecast, which stays while the rest is drawn anew, and when to ask for it. */
let forecast = null;
let forecastDue = 0;
let foreseeing = false;

dialog.addEventListener("close", () => {
  if (dialog.open || !shown) return;
  const closed = shown;
  shown = null;
  if (read().filters.has("open")) change({ open: "" });
  // What had the focus before may have been drawn anew since.
  const link = [...document.querySelectorAll("main [data-key]")].find((each) => each.dataset.key === closed);
  (link?.closest('[role="row"]') ?? link)?.focus({ preventScroll: true });
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

/** Opens the Workload "namespace/name", or closes the dialog if there is none. */
export async function open(key) {
  if (!key?.includes("/")) {
    if (dialog.open) dialog.close();
    return;
  }
  if (key !== shown) {
    shown = key;
    evidenceOpen = false;
    forecast = h("dd", { class: "forecast" }, h("span", { class: "dim" }, "Is being foreseen …"));
    forecastDue = 0;
    body = h("div", { class: "detail-body", tabindex: 0, "data-key": "body", role: "group", "aria-label": "About this Workload" }, h("p", { class: "dim" }, "Loading …"));
    show(dialog, head(key), body);
    if (!dialog.open) dialog.showModal();
  }
  await refresh(true);
}

/** Something happened to a Workload. */
export function happened(event) {
  if (event.namespace + "/" + event.workload === shown) {
    asked = 0;
    forecastDue = 0;
  }
}

/** Asks anew if a Workload is shown, and it is time to or something happened to it; or at once. */
export async function refresh(atOnce) {
  const key = shown;
  if (!key || (!atOnce && Date.now() - asked < Math.max(EVERY, took / SHARE))) return;
  const begin = Date.now();
  asked = begin;
  const slash = key.indexOf("/");
  try {
    const answer = await workload(key.slice(0, slash), key.slice(slash + 1));
    took = Date.now() - begin;
    if (key !== shown) return;
    show(body, content(answer));
    if (waits(answer.workload)) foresee(answer.workload);
  } catch (problem) {
    if (key === shown && body.textContent !== problem.message) show(body, h("p", { class: "notice", role: "alert" }, problem.message));
  }
}

/** Whether it waits for quota, or for its checks. */
function waits(workload) {
  return workload.phase === "QUEUED" || workload.phase === "BACKOFF" || workload.phase === "RESERVED";
}

/** Asks when a Workload gets quota, unless it was asked lately; one answer is awaited at a time. */
async function foresee(workload) {
  if (foreseeing || Date.now() < forecastDue) return;
  const place = forecast;
  foreseeing = true;
  // An event that comes meanwhile makes it due.
  forecastDue = Date.now() + FORECAST_EVERY;
  try {
    const found = await when(workload.namespace, workload.name);
    show(place, h("span", { class: "strong" }, found.answer), found.basis.map((line) => h("p", { class: "dim small" }, line)), found.remarks.map((line) => h("p", { class: "dim small" }, line)));
  } catch (problem) {
    if (problem.status === 503 && place === forecast) forecastDue = Date.now() + FORECAST_AGAIN;
    show(place, h("span", { class: "dim" }, problem.message));
  }
  foreseeing = false;
  if (place !== forecast) refresh(true);
}

function head(key) {
  const slash = key.indexOf("/");
  return h(
    "header",
    { class: "detail-head" },
    h("div", {}, h("h2", { id: "detail-title" }, key.slice(slash + 1)), h("p", { class: "dim" }, "Workload in namespace " + key.slice(0, slash))),
    h("button", { type: "button", class: "quiet", "data-key": "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕"),
  );
}

function content({ workload, explanation, strips, notAsked = [], transitions }) {
  const running = workload.phase === "ADMITTED" || workload.phase === "FINISHED";
  return [
    h(
      "section",
      { class: "why " + (running ? "" : "waiting") },
      h("p", { class: "why-line" }, phase(workload.phase), h("span", { class: "strong" }, explanation.reason)),
      h("p", {}, explanation.summary),
      h(
        "dl",
        {},
        h("dt", {}, "Who acts"),
        h("dd", {}, h("span", { class: "strong" }, explanation.actor), ". ", explanation.action),
        waits(workload) ? [h("dt", {}, "When"), forecast] : null,
        explanation.nextWake
          ? [h("dt", {}, "Next wake-up"), h("dd", {}, h("time", { class: "countdown", "data-until": explanation.nextWake, datetime: explanation.nextWake }, left(explanation.nextWake)), h("span", { class: "dim" }, " at " + date(explanation.nextWake)))]
          : null,
      ),
    ),
    explanation.evidence.length > 0
      ? h(
          "details",
          { open: evidenceOpen, ontoggle: (event) => { evidenceOpen = event.target.open; } },
          h("summary", { "data-key": "evidence" }, "Evidence (" + explanation.evidence.length + ")"),
          h("dl", { class: "evidence" }, explanation.evidence.map((fact) => [h("dt", {}, fact.object, " ", h("span", { class: "dim" }, fact.field)), h("dd", {}, fact.value)])),
        )
      : null,
    h(
      "section",
      {},
      h("h3", {}, "Place and requests"),
      h(
        "dl",
        { class: "facts" },
        fact("Place", workload.place ? "no. " + workload.place + " in ClusterQueue " + workload.clusterQueue + ", no. " + workload.localPlace + " of its LocalQueue" : null),
        fact("ClusterQueue", workload.clusterQueue),
        fact("LocalQueue", workload.localQueue),
        fact("Job", workload.owner),
        fact("Priority", String(workload.priority)),
        fact("Requests", Object.entries(workload.requests).map(([resource, value]) => amount(resource, value) + " " + resource).join(", ")),
        fact("Flavors", Object.entries(workload.flavors).map(([resource, flavor]) => resource + " in " + flavor).join(", ")),
        fact("Created", workload.created ? ago(workload.created) + " ago" : null),
        fact("Evictions", workload.evictions > 0 ? String(workload.evictions) : null),
      ),
    ),
    strips.length + notAsked.length > 0
      ? h(
          "section",
          {},
          h("h3", {}, "Admission checks"),
          stateLegend(),
          strips.map((each) => {
            const last = each.spans.at(-1);
            return h("div", { class: "check" }, h("p", {}, h("span", { class: "strong" }, each.check), " ", last.state, h("span", { class: "dim" }, ", attempt " + last.attempts + (last.message ? ": " + last.message : ""))), strip(each.spans, each.check));
          }),
          notAsked.map((each) => h("p", {}, h("span", { class: "strong" }, each.check), " not asked yet", h("span", { class: "dim" }, ", after " + (each.after.join(", ") || "others")))),
        )
      : null,
    transitions.length > 0
      ? h(
          "section",
          {},
          h("h3", {}, "What happened"),
          h("ol", { class: "history" }, transitions.toReversed().slice(0, 50).map((each) => h("li", {}, h("time", { datetime: each.time }, date(each.time)), " ", h("span", { class: "strong" }, each.check ? each.check + " " + each.state : words(each.kind)), " ", h("span", { class: "dim" }, each.message || each.reason)))),
        )
      : null,
    h("p", { class: "dim small" }, "The same in a terminal: ", h("code", {}, "./kueue4j explain -n " + workload.namespace + " workload/" + workload.name)),
  ];
}

function fact(name, value) {
  return value ? [h("dt", {}, name), h("dd", {}, value)] : null;
}
