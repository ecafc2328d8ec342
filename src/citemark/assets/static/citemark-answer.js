/*! citemark-answer.js: <citemark-answer src="..."> shows an answer while it is written. */
(() => {
  "use strict";

  if (customElements.get("citemark-answer")) return;

  /* Words by language, those that have an attribute: the first four are those of the renderer. */
  const NAMES = ["heading", "source", "missing", "back", "done", "failed"];
  const WORDS = {
    ar: [
      "المصادر",
      "المصدر {number}: {title}",
      "المصدر غير موجود",
      "العودة إلى الإحالة {number}-{use}",
      "اكتملت الإجابة. المصادر: {count}",
      "الإجابة غير مكتملة.",
    ],
    de: [
      "Quellen",
      "Quelle {number}: {title}",
      "Quelle nicht gefunden",
      "Zurück zum Verweis {number}-{use}",
      "Die Antwort ist vollständig. Quellen: {count}",
      "Die Antwort ist nicht vollständig.",
    ],
    en: [
      "Sources",
      "Source {number}: {title}",
      "source not found",
      "Back to reference {number}-{use}",
      "The answer is complete. Sources: {count}",
      "The answer is not complete.",
    ],
    es: [
      "Fuentes",
      "Fuente {number}: {title}",
      "fuente no encontrada",
      "Volver a la referencia {number}-{use}",
      "La respuesta está completa. Fuentes: {count}",
      "La respuesta no está completa.",
    ],
    fr: [
      "Sources",
      "Source {number}\u00a0: {title}",
      "source introuvable",
      "Retour à la référence {number}-{use}",
      "La réponse est complète. Sources\u00a0: {count}",
      "La réponse n’est pas complète.",
    ],
    ja: [
      "出典",
      "出典 {number}：{title}",
      "出典が見つかりません",
      "参照 {number}-{use} に戻る",
      "回答が完了しました。出典：{count}",
      "回答は完了していません。",
    ],
    zh: [
      "来源",
      "来源 {number}：{title}",
      "未找到来源",
      "返回引用处 {number}-{use}",
      "回答已完成。来源：{count}",
      "回答未完成。",
    ],
  };
  const REL = "noopener noreferrer nofollow ugc";
  const SCHEMES = ["http:", "https:", "mailto:"];
  const PREFIX = /^[A-Za-z][\w-]*$/;
  const TRIES = 5; // connections in a row that bring nothing
  const MAX_KEY = 80; // code points of a key without source that are shown

  let answers = 0; // on this page: each has ids of its own
  let policy; // of pages with require-trusted-types-for

  const element = (name, classes, attributes = {}, ...children) => {
    const made = document.createElement(name);
    if (classes) made.className = classes;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const filled = (words, fields) =>
    words.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
  const text = (value) => (typeof value === "string" ? value : "");
  const numberOf = (value) => (Number.isSafeInteger(value) && value > 0 ? value : null);

  /** The address if a reader may be sent there, else null.  Relative ones are none. */
  const safeUrl = (value) => {
    try {
      const url = new URL(text(value));
      return SCHEMES.includes(url.protocol) && !url.username && !url.password ? url.href : null;
    } catch {
      return null;
    }
  };

  /** Nodes of an answer that this page's own server has rendered. */
  const rendered = (html) => {
    policy ??= window.trustedTypes?.createPolicy("citemark", { createHTML: (made) => made });
    const template = document.createElement("template");
    template.innerHTML = policy ? policy.createHTML(html) : html;
    return template.content;
  };

  class CitemarkAnswer extends HTMLElement {
    static observedAttributes = ["src"];

    #events = null; // the connection, while there is one
    #src = null; // that was asked for last
    #prefix = "";
    #words = WORDS.en;
    #lastId = 0;
    #silent = 0; // connections in a row that brought nothing
    #notes = new Map(); // number: list item
    #uses = new Map(); // number: how often it was cited
    #titles = new Map(); // number: title
    #body = null;
    #section = null;
    #status = null;

    connectedCallback() {
      this.#start();
    }

    disconnectedCallback() {
      // An element that is only moved is connected again by then.
      queueMicrotask(() => {
        if (!this.isConnected && this.#events) {
          this.#close();
          this.#src = null;
        }
      });
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#start();
    }

    #start() {
      const src = this.getAttribute("src");
      if (src === this.#src) return;
      this.#close();
      this.#src = src;
      if (!src) return;
      this.#build();
      try {
        this.#listen(new EventSource(src));
      } catch {
        this.#finish({ status: "failed" }); // the address is none
      }
    }

    #listen(events) {
      this.#events = events;
      const on = (name, work) =>
        events.addEventListener(name, (event) => {
          const data = this.#read(event);
          if (data) work.call(this, data);
        });
      on("text", this.#addText);
      on("source", this.#addSource);
      on("citation", this.#addCitation);
      on("done", this.#finish);
      events.addEventListener("error", (event) => {
        // The server's event of this name has data, that of a lost connection has none.
        if ("data" in event) this.#say(text(this.#read(event)?.message), true);
        else this.#lost();
      });
    }

    /** The data of an event; null if it was seen before, or is none. */
    #read(event) {
      this.#silent = -1; // the break that ends this connection is none of those counted
      const id = Number(event.lastEventId);
      if (id) {
        if (id <= this.#lastId) return null; // a server that starts over after a break
        this.#lastId = id;
      }
      try {
        const data = JSON.parse(event.data);
        return data && typeof data === "object" ? data : null;
      } catch {
        return null;
      }
    }

    #lost() {
      this.#silent += 1;
      const isOver = this.#events?.readyState === EventSource.CLOSED || this.#silent >= TRIES;
      if (isOver) this.#finish({ status: "failed" });
    }

    #close() {
      this.#events?.close();
      this.#events = null;
    }

    #word(name, fields = {}) {
      const own = this.getAttribute(`word-${name}`);
      return filled(own ?? this.#words[NAMES.indexOf(name)], fields);
    }

    #build() {
      answers += 1;
      const prefix = this.getAttribute("id-prefix") ?? "";
      this.#prefix = PREFIX.test(prefix) ? prefix : `cite-live-${answers}`;
      const language = this.closest("[lang]")?.lang.split("-")[0].toLowerCase();
      this.#words = Object.hasOwn(WORDS, language) ? WORDS[language] : WORDS.en;
      this.#lastId = this.#silent = 0;
      for (const map of [this.#notes, this.#uses, this.#titles]) map.clear();
      const asked = Number.parseInt(this.getAttribute("heading-level"), 10) || 2;
      const level = Math.min(6, Math.max(1, asked));
      const id = `${this.#prefix}-sources`;
      const heading = element(`h${level}`, "cite-heading", { id }, this.#word("heading"));
      const label = `${id} ${this.getAttribute("labelled-by") ?? ""}`.trim();
      this.#body = element("div", "cite-body cite-body--live", { dir: "auto" });
      this.#section = element(
        "section",
        "cite-notes",
        { role: "doc-endnotes", "aria-labelledby": label, hidden: "" },
        heading,
        element("ol", "cite-list"),
      );
      this.#status = element("p", "cite-status cite-hidden", { role: "status" });
      this.setAttribute("aria-busy", "true");
      this.replaceChildren(this.#body, this.#section, this.#status);
    }

    #addText({ content }) {
      if (!text(content)) return;
      const last = this.#body.lastChild;
      if (last?.nodeType === Node.TEXT_NODE) last.appendData(content);
      else this.#body.append(content);
    }

    #addSource(source) {
      const number = numberOf(source.number ?? source.displayNumber);
      if (number === null) return;
      this.#noteOf(number).querySelector(".cite-backs").before(this.#source(number, source));
      for (const ref of this.#body.querySelectorAll(`[href="#${this.#prefix}-src-${number}"]`)) {
        ref.setAttribute("aria-label", this.#label(number)); // cited before it was known
      }
      this.dispatchEvent(new CustomEvent("citemark:source", { bubbles: true, detail: source }));
    }

    #noteOf(number) {
      const there = this.#notes.get(number);
      if (there) return there;
      const attributes = { id: `${this.#prefix}-src-${number}`, value: number, tabindex: "-1" };
      const note = element("li", "cite-note", attributes, element("div", "cite-backs"));
      const list = this.#section.querySelector("ol");
      list.insertBefore(note, [...list.children].find((item) => item.value > number) ?? null);
      this.#notes.set(number, note);
      this.#section.hidden = false;
      return note;
    }

    #source(number, { title, url, host, snippet }) {
      const href = safeUrl(url);
      const shown = text(title) || text(host) || href || String(number);
      if (!this.#titles.has(number)) this.#titles.set(number, shown);
      const name = element("bdi", "", {}, shown);
      const linked = href ? element("a", "", { href, rel: REL }, name) : name;
      const made = element("div", "cite-source", {}, element("div", "cite-title", {}, linked));
      if (text(host)) made.append(element("div", "cite-place", {}, element("bdi", "", {}, host)));
      if (text(snippet)) {
        made.append(element("blockquote", "cite-passage", { dir: "auto" }, snippet));
      }
      return made;
    }

    #addCitation({ citation }) {
      if (!citation || typeof citation !== "object") return;
      const number = numberOf(citation.displayNumber);
      const shown =
        number === null
          ? this.#missing(citation.sourceKey)
          : this.#reference(number, citation);
      this.#body.append(element("sup", "cite", {}, shown));
    }

    #missing(key) {
      const shown = [...text(key)].slice(0, MAX_KEY).join("");
      const note = element("span", "cite-hidden", {}, ` (${this.#word("missing")})`);
      return element("span", "cite-ref cite-ref--missing", {}, `[${shown}]`, note);
    }

    #reference(number, citation) {
      if (!this.#notes.has(number)) {
        if (text(citation.title)) this.#addSource({ ...citation, number });
        else this.#noteOf(number); // its source comes later
      }
      const use = (this.#uses.get(number) ?? 0) + 1;
      this.#uses.set(number, use);
      const id = `${this.#prefix}-ref-${number}-${use}`;
      const back = element("a", "cite-back", {
        role: "doc-backlink",
        href: `#${id}`,
        "aria-label": this.#word("back", { number, use }),
      });
      back.append("↩︎", ...(use > 1 ? [element("sup", "", {}, String(use))] : []));
      this.#notes.get(number).querySelector(".cite-backs").append(back);
      const attributes = {
        id,
        role: "doc-noteref",
        href: `#${this.#prefix}-src-${number}`,
        "aria-label": this.#label(number),
      };
      return element("a", "cite-ref", attributes, `[${number}]`);
    }

    #label(number) {
      return this.#word("source", { number, title: this.#titles.get(number) ?? "…" });
    }

    #finish({ html, status }) {
      this.#close();
      const isWhole = status !== "failed";
      if (text(html)) this.#replace(html);
      this.removeAttribute("aria-busy");
      const said = this.#word(isWhole ? "done" : "failed", { count: this.#notes.size });
      // What was said of the failure already is not said again.
      if (isWhole || !this.#status.textContent) this.#say(said, !isWhole);
      const detail = { status: isWhole ? "complete" : "failed" };
      this.dispatchEvent(new CustomEvent("citemark:done", { bubbles: true, detail }));
    }

    #replace(html) {
      const active = document.activeElement;
      const focused = this.contains(active) ? active.closest("[id]")?.id : "";
      const place = focused?.match(/-(?:ref|src)-[\d-]+$/)?.[0];
      try {
        this.#body.replaceWith(rendered(html));
      } catch {
        return; // refused by the page's Trusted Types: what is shown stays
      }
      this.#section.remove();
      if (place) this.querySelector(`[id$="${place}"]`)?.focus({ preventScroll: true });
    }

    #say(said, isFailure) {
      this.#status.classList.toggle("cite-hidden", !isFailure);
      this.#status.classList.toggle("cite-status--failed", isFailure);
      this.#status.textContent = said || this.#word("failed");
    }
  }

  customElements.define("citemark-answer", CitemarkAnswer);
})();
