/*! citemark-demo.js: plays an answer again without loading the page again. */
(() => {
  "use strict";

  const form = document.getElementById("again");
  const player = document.getElementById("player");
  let plays = 0;

  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = new URL(player.getAttribute("src"), location.href);
    plays += 1;
    address.searchParams.set("speed", new FormData(form).get("speed"));
    address.searchParams.set("play", plays); // another address starts it, even at the same speed
    player.setAttribute("src", address.pathname + address.search);
  });
})();
