// Events as they happen. The browser reconnects by itself and names the last event that it has; the
// server then sends what came after it.
const PATIENCE = 5000;
const RETRY = 5000;
const MOST = 1000;

export class Live {
  #source = null;
  #timer = 0;
  #last = new Set();
  #namespace = null;

  /** All known events, the newest first. */
  events = [];

  /** onEvent(event) after each one, without it when all are forgotten; onState(open) when the stream opens or stays away. */
  constructor(onEvent, onState) {
    this.onEvent = onEvent;
    this.onState = onState;
  }

  /** Listens to the events of a namespace; empty for all. */
  open(namespace) {
    if (this.#namespace === namespace && this.#source) return;
    this.close();
    if (this.#namespace !== namespace) this.#forget();
    this.#namespace = namespace;
    const source = new EventSource("view/v1/events" + (namespace ? "?namespace=" + encodeURIComponent(namespace) : ""));
    this.#source = source;
    source.onopen = () => this.#connected();
    source.onerror = () => this.#broken(source);
    source.addEventListener("reset", () => this.#forget());
    source.addEventListener("transition", (message) => this.#take(message));
  }

  close() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #connected() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.onState(true);
  }

  #broken(source) {
    // A stream ends now and then; only one that stays away is worth a word.
    if (this.#timer === 0) this.#timer = setTimeout(() => this.onState(false), PATIENCE);
    if (source.readyState === EventSource.CLOSED && source === this.#source) {
      // The server has refused it, for example since there are too many streams.
      this.onState(false);
      setTimeout(() => {
        if (source === this.#source) {
          this.#source = null;
          this.open(this.#namespace);
        }
      }, RETRY);
    }
  }

  #forget() {
    this.events = [];
    this.#last.clear();
    this.onEvent();
  }

  #take(message) {
    if (this.#last.has(message.lastEventId)) return;
    this.#last.add(message.lastEventId);
    const event = JSON.parse(message.data);
    event.id = message.lastEventId;
    this.events.unshift(event);
    if (this.events.length > MOST) this.#last.delete(this.events.pop().id);
    this.onEvent(event);
  }
}
