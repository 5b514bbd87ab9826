// Elements. Text only ever becomes text: nothing here parses HTML.
const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (on…) and children; null children are left out. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for an element of SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Replaces the content; the element that had the focus gets it again if its data-key is there. */
export function show(container, ...children) {
  const focused = container.contains(document.activeElement)
    ? document.activeElement.closest("[data-key]")?.dataset.key
    : undefined;
  container.replaceChildren(...children.flat(3).filter((child) => child));
  if (focused !== undefined) {
    for (const element of container.querySelectorAll("[data-key]")) {
      if (element.dataset.key === focused) {
        element.focus({ preventScroll: true });
        return;
      }
    }
  }
}
