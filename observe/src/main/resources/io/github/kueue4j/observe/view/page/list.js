// A list of any length: only the rows in sight exist, and only their pages are asked for.
import { h } from "./dom.js";

const PAGE = 100;
const MARGIN = 8;

export class VirtualList {
  #pages = new Map();
  #asked = new Set();
  #rows = new Map();
  #total = 0;
  #current = 0;
  #generation = 0;
  #frame = 0;

  /**
   * columns: [{ title, class, cell(item) }]; load(offset, limit) gives { total, items };
   * key(item) and open(item) for a row.
   */
  constructor({ label, columns, height, load, open, key, empty }) {
    Object.assign(this, { columns, height, load, open, key, empty });
    this.none = h("div", { role: "row", hidden: true }, h("div", { role: "gridcell", class: "empty" }));
    this.body = h("div", { class: "vlist-body", role: "rowgroup" }, this.none);
    this.head = h(
      "div",
      { class: "vlist-row vlist-head", role: "row", "aria-rowindex": 1 },
      columns.map((column) => h("div", { role: "columnheader", class: column.class }, column.title)),
    );
    this.element = h(
      "div",
      {
        class: "vlist", role: "grid", "aria-label": label, "aria-rowcount": 1, tabindex: 0,
        onscroll: () => this.#schedule(),
        onkeydown: (event) => this.#keys(event),
      },
      h("div", { role: "rowgroup" }, this.head),
      this.body,
    );
    new ResizeObserver(() => this.#schedule()).observe(this.element);
  }

  /** Asks anew for the pages in sight; resolves when they are there, or throws. */
  async refresh(fromStart) {
    this.#generation++;
    this.#asked.clear();
    if (fromStart) {
      this.#pages.clear();
      this.#current = 0;
      this.element.scrollTop = 0;
    }
    const [first, last] = this.#sight();
    const wanted = new Set([Math.floor(first / PAGE), Math.floor(Math.max(first, last - 1) / PAGE)]);
    const kept = [...this.#pages.keys()].filter((page) => !wanted.has(page));
    const answers = await Promise.all([...wanted].map((page) => this.#load(page)));
    kept.forEach((page) => this.#pages.delete(page));
    this.#draw();
    return answers[0];
  }

  async #load(page) {
    const generation = this.#generation;
    this.#asked.add(page);
    try {
      const answer = await this.load(page * PAGE, PAGE);
      if (generation === this.#generation) {
        this.#total = answer.total;
        this.#pages.set(page, answer.items);
      }
      return answer;
    } finally {
      if (generation === this.#generation) this.#asked.delete(page);
    }
  }

  #sight() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - MARGIN);
    const count = Math.ceil(this.element.clientHeight / this.height) + 2 * MARGIN;
    return [first, Math.min(Math.max(this.#total, 1), first + count)];
  }

  #schedule() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #item(index) {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  #draw() {
    const [first, last] = this.#sight();
    this.element.setAttribute("aria-rowcount", this.#total + 1);
    this.body.style.height = Math.max(1, this.#total) * this.height + "px";
    const focused = this.body.contains(document.activeElement);
    const end = Math.min(last, this.#total);
    for (const [index, row] of this.#rows) {
      if (index < first || index >= end) {
        row.element.remove();
        this.#rows.delete(index);
      }
    }
    this.none.hidden = this.#total > 0;
    if (this.#total === 0) this.none.firstChild.textContent = this.empty();
    let next = null;
    for (let index = end - 1; index >= first; index--) {
      next = this.#row(index, next);
      const page = Math.floor(index / PAGE);
      if (!this.#pages.has(page) && !this.#asked.has(page)) {
        this.#load(page).then(() => this.#schedule(), () => {});
      }
    }
    if (focused && !this.body.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  /** Draws a row before the next one. Its element stays, and keeps the focus: only cells change. */
  #row(index, next) {
    let row = this.#rows.get(index);
    if (!row) {
      row = { element: this.#newRow(index), item: null };
      this.#rows.set(index, row);
      this.body.insertBefore(row.element, next);
    }
    const item = this.#item(index);
    if (row.item !== item) {
      row.item = item;
      row.element.classList.toggle("loading", !item);
      row.element.replaceChildren(
        ...this.columns.map((column) =>
          h("div", { role: "gridcell", class: column.class }, item ? column.cell(item) : "…")),
      );
      // One stop for the Tab key: the arrow keys move between rows, and Enter opens.
      for (const link of row.element.querySelectorAll("a")) link.tabIndex = -1;
    }
    row.element.tabIndex = index === this.#current ? 0 : -1;
    return row.element;
  }

  #newRow(index) {
    const row = h("div", {
      class: "vlist-row", role: "row", "aria-rowindex": index + 2, "data-index": index,
      onclick: (event) => {
        const item = this.#item(index);
        if (item && !event.target.closest("a")) {
          this.#current = index;
          this.open(item);
        }
      },
      onfocus: () => {
        this.#current = index;
      },
    });
    row.style.transform = "translateY(" + index * this.height + "px)";
    return row;
  }

  #keys(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.#total, End: this.#total };
    if (event.key in steps && this.#total > 0) {
      event.preventDefault();
      this.#current = Math.min(this.#total - 1, Math.max(0, this.#current + steps[event.key]));
      const top = this.#current * this.height;
      const room = this.element.clientHeight - this.head.offsetHeight - this.height;
      if (top < this.element.scrollTop) this.element.scrollTop = top;
      if (top > this.element.scrollTop + room) this.element.scrollTop = top - room;
      this.#draw();
      this.#focus();
    } else if (event.key === "Enter" && event.target.dataset.index !== undefined) {
      const item = this.#item(Number(event.target.dataset.index));
      if (item) this.open(item);
    }
  }

  #focus() {
    this.body.querySelector('[data-index="' + this.#current + '"]')?.focus({ preventScroll: true });
  }
}
