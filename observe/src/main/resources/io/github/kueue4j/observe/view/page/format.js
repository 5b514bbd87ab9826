// Numbers and times for people.
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const UNLIMITED = 9e15;

let offset = 0;

/** Takes in the time of the server: countdowns go by its clock. */
export function serverTime(text) {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) offset = time - Date.now();
}

export function now() {
  return Date.now() + offset;
}

/** An amount of a resource: cores, bytes or pieces. */
export function amount(resource, value) {
  if (value >= UNLIMITED) return "unlimited";
  const bytes = resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
  if (!bytes) return NUMBER.format(value);
  let unit = 0;
  while (value >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit++;
  }
  return NUMBER.format(value) + BINARY[unit];
}

export function number(value) {
  return value >= 1e300 ? "∞" : NUMBER.format(value);
}

/** A duration in milliseconds, such as 2h 5m. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  if (first < 0) return "0s";
  let rest = seconds;
  return parts
    .slice(first, first + 2)
    .map(([size, unit]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count > 0 ? count + unit : "";
    })
    .filter((part) => part)
    .join(" ");
}

export function ago(text) {
  return text ? duration(now() - Date.parse(text)) : "";
}

export function clock(text) {
  return CLOCK.format(new Date(text));
}

export function date(text) {
  return DATE.format(new Date(text));
}

/** What is left until an instant; "due" if it has passed. */
export function left(text) {
  const until = Date.parse(text) - now();
  return until > 0 ? "in " + duration(until) : "due";
}

/** ADMITTED as Admitted, QUOTA_RESERVED as Quota reserved. */
export function words(name) {
  const text = name.replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
