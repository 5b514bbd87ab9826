// Requests to the JSON API, see docs/view-api.md.
import { serverTime } from "./format.js";

/** After this time, in milliseconds, an answer doesn't come any more. */
const PATIENCE = 20_000;

export class Problem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The answer at view/v1/…, or a Problem. */
export async function get(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  }
  let response;
  try {
    response = await fetch("view/v1/" + path + (query.size > 0 ? "?" + query : ""), { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Problem(0, "The core does not answer. Does it run, and is its port still forwarded?");
  }
  let body;
  try {
    body = await response.json();
  } catch {
    throw new Problem(response.status, "The answer is no JSON (status " + response.status + ").");
  }
  if (!response.ok) {
    throw new Problem(response.status, body.error?.message ?? "status " + response.status);
  }
  if (body.time) serverTime(body.time);
  return body;
}

export function workload(namespace, name) {
  return get(pathOf(namespace, name));
}

/** When it gets quota; takes up to some seconds. */
export function when(namespace, name) {
  return get(pathOf(namespace, name) + "/when");
}

function pathOf(namespace, name) {
  return "namespaces/" + encodeURIComponent(namespace) + "/workloads/" + encodeURIComponent(name);
}
