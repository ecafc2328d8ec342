// Types of citemark-answer.js, for pages that are written in TypeScript.

/** A source, as the server sends it before the first citation of it. */
export interface CitemarkSource {
  /** Number that is shown, from 1.  It never changes; grouped sources share one. */
  number: number;
  /** One line of plain text: untrusted. */
  title?: string | null;
  /** Address.  Only http, https and mailto become links. */
  url?: string | null;
  /** Host or file name. */
  host?: string | null;
  /** Start of the passage, plain text: untrusted. */
  snippet?: string | null;
}

/** How an answer ended. */
export interface CitemarkDone {
  status: "complete" | "failed";
}

/** `<citemark-answer src="...">`: an answer that is shown while it is written. */
export interface CitemarkAnswerElement extends HTMLElement {
  addEventListener<K extends keyof CitemarkAnswerEventMap>(
    type: K,
    listener: (this: CitemarkAnswerElement, event: CitemarkAnswerEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Events of the element; both bubble. */
export interface CitemarkAnswerEventMap extends HTMLElementEventMap {
  "citemark:source": CustomEvent<CitemarkSource>;
  "citemark:done": CustomEvent<CitemarkDone>;
}

declare global {
  interface HTMLElementTagNameMap {
    "citemark-answer": CitemarkAnswerElement;
  }
}
