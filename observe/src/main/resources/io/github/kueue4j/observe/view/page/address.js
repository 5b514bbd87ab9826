// The state of the page is its address, so that a link shows what its sender saw.

/** The view and its filters, from #/workloads?phase=QUEUED. */
export function read() {
  const text = location.hash.startsWith("#/") ? location.hash.slice(2) : "";
  const mark = text.indexOf("?");
  return {
    view: (mark < 0 ? text : text.slice(0, mark)) || "quota",
    filters: new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1)),
  };
}

/** The address of a view with these filters; empty ones are left out. */
export function link(view, filters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters ?? {})) {
    if (value) query.set(name, value);
  }
  return "#/" + view + (query.size > 0 ? "?" + query : "");
}

/** Changes filters of the current view; a step back in the history undoes it. */
export function change(filters, replace) {
  const { view, filters: known } = read();
  const address = link(view, { ...Object.fromEntries(known), ...filters });
  if (replace) {
    history.replaceState(null, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = address;
  }
}

/** The filter that all views share. */
export function namespace() {
  return read().filters.get("namespace") ?? "";
}
