/*! citemark.js, optional: previews where browsers have no interestfor, and a side panel. */
(() => {
  "use strict";

  const SHOW = 300; // ms that a pointer or the focus has to rest on a reference
  const HIDE = 200; // ms for the way from a reference to its preview
  const OPEN = ":popover-open";

  const find = (id) => (id ? document.getElementById(id) : null);
  const within = (target, selector) => target.closest?.(selector) ?? null;
  const previewOf = (ref) => find(ref.getAttribute("interestfor"));
  const noteOf = (ref) => {
    const href = ref.getAttribute("href");
    return href?.startsWith("#") ? find(href.slice(1)) : null;
  };
  const isPlain = (event) =>
    !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  let ended = null; // reference that gets the focus back: no reason to show its preview again
  const giveBack = (ref) => {
    ended = ref.isConnected ? ref : find(ref.id);
    ended?.focus();
  };

  /* Side panel: <aside data-cite-panel="Close" hidden></aside> */

  let opener = null; // reference whose source is in the panel
  const panelOf = () => document.querySelector("[data-cite-panel]");

  const bodyOf = (panel) => {
    const there = panel.querySelector(".cite-panel-body");
    if (there) return there;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cite-panel-close";
    button.textContent = panel.dataset.citePanel || "Close";
    const body = document.createElement("div");
    body.className = "cite-panel-body";
    if (!panel.hasAttribute("role")) panel.setAttribute("role", "complementary");
    panel.classList.add("cite-panel");
    panel.tabIndex = -1;
    panel.append(button, body);
    return body;
  };

  const openPanel = (panel, ref, from) => {
    const copy = from.cloneNode(true);
    for (const part of copy.querySelectorAll("[popovertarget], .cite-backs")) part.remove();
    for (const part of copy.querySelectorAll("[id]")) part.removeAttribute("id");
    bodyOf(panel).replaceChildren(...copy.childNodes);
    panel.setAttribute("aria-label", ref.getAttribute("aria-label") || ref.textContent);
    panel.hidden = false;
    panel.scrollTop = 0;
    panel.focus();
    opener = ref;
  };

  const closePanel = (panel) => {
    const active = document.activeElement;
    const isOurs = panel.contains(active) || active === document.body;
    panel.hidden = true;
    if (opener && isOurs) giveBack(opener);
    opener = null;
  };

  document.addEventListener("click", (event) => {
    const panel = panelOf();
    if (!panel || event.defaultPrevented || !isPlain(event)) return;
    if (panel.contains(within(event.target, ".cite-panel-close"))) {
      closePanel(panel);
      return;
    }
    const ref = within(event.target, "a.cite-ref");
    const preview = ref && previewOf(ref);
    const from = preview || (ref && noteOf(ref));
    if (!from) return;
    event.preventDefault();
    openPanel(panel, ref, from);
    if (preview?.matches(OPEN)) preview.hidePopover();
  });

  /* Previews */

  if (
    "showPopover" in HTMLElement.prototype &&
    !("interestForElement" in HTMLAnchorElement.prototype)
  ) {
    let timer = 0;
    let card = null; // that is shown
    let owner = null; // reference that it is shown for
    let isTouch = false;
    let isSecond = false; // press on the reference whose preview is shown

    const refOf = (target) => within(target, "a.cite-ref[interestfor]");
    const isShown = () => card !== null && card.matches(OPEN);
    const later = (work, ms) => {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
    };
    const hide = () => {
      clearTimeout(timer);
      if (isShown()) card.hidePopover();
      card = null;
    };
    const show = (ref) => {
      const next = previewOf(ref);
      if (!next?.popover || (next === card && ref === owner && isShown())) return;
      hide();
      next.showPopover({ source: ref });
      card = next;
      owner = ref;
    };
    const isHeld = () => {
      const active = document.activeElement;
      if (card.contains(active) || card.matches(":hover") || owner.matches(":hover")) return true;
      return active === owner && owner.matches(":focus-visible");
    };
    const leave = () => {
      later(() => {
        if (isShown() && !isHeld()) hide();
      }, HIDE);
    };

    document.addEventListener("pointerover", (event) => {
      const ref = refOf(event.target);
      if (ref && event.pointerType !== "touch") later(() => show(ref), SHOW);
    });
    document.addEventListener("pointerout", leave);

    document.addEventListener("focusin", (event) => {
      const ref = refOf(event.target);
      if (ref && ref !== ended && ref.matches(":focus-visible")) later(() => show(ref), SHOW);
    });
    document.addEventListener("focusout", (event) => {
      if (event.target === ended) ended = null;
      leave();
    });

    document.addEventListener("pointerdown", (event) => {
      isTouch = event.pointerType === "touch";
      // Asked here: a browser may close the preview itself before the click.
      isSecond = isShown() && refOf(event.target) === owner;
      // Browsers that do not know popover="hint" leave it open until it is closed.
      if (isShown() && !isSecond && !card.contains(event.target)) hide();
    });
    // A finger cannot hover: its first tap shows the preview, the next one follows the link.
    document.addEventListener("click", (event) => {
      const ref = refOf(event.target);
      if (!ref || !isTouch || !event.detail || event.defaultPrevented) return;
      if (isSecond) {
        hide();
        return;
      }
      show(ref);
      if (!isShown()) return;
      event.preventDefault();
      card.tabIndex = -1;
      card.focus({ preventScroll: true });
    });

    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented || !isShown()) return;
      event.preventDefault();
      const isInside = card.contains(document.activeElement);
      if (isInside) ended = owner; // closing may give the focus back by itself
      hide();
      if (isInside) giveBack(owner);
    });
  }

  // After the previews: one Escape closes one thing.
  document.addEventListener("keydown", (event) => {
    const panel = panelOf();
    if (event.key !== "Escape" || event.defaultPrevented || !panel || panel.hidden) return;
    event.preventDefault();
    closePanel(panel);
  });
})();
