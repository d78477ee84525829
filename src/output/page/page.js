// Searches, filters and folds cards. Loads nothing.
(() => {
  const tools = document.querySelector(".tools");
  const cards = [...document.querySelectorAll(".card")];
  const state = new URLSearchParams(location.hash.slice(1));
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map();
  const textOf = (card) => {
    if (!texts.has(card)) texts.set(card, fold(card.textContent));
    return texts.get(card);
  };
  const show = () => {
    const [q, is, by] = ["q", "is", "by"].map((name) => tools.querySelector(`[name=${name}]`));
    const words = fold(q.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      const fits =
        (!is?.value || card.dataset.is.split(" ").includes(is.value)) &&
        (!by?.value || card.dataset.by === by.value) &&
        words.every((word) => textOf(card).includes(word));
      card.hidden = !fits;
      if (fits) count++;
    }
    const isAll = count === cards.length;
    const total = cards.length === 1 ? "1 course" : `${cards.length} courses`;
    tools.querySelector("output").textContent = isAll ? total : `${count} of ${total}`;
    for (const row of document.querySelectorAll(".overview tbody tr")) {
      const card = document.getElementById(row.querySelector("a").hash.slice(1));
      row.hidden = card.hidden;
    }
    return [q, is, by];
  };
  const remember = (controls) => {
    for (const control of controls) {
      if (control?.value) state.set(control.name, control.value);
      else if (control) state.delete(control.name);
    }
    history.replaceState(null, "", `#${state}`);
  };
  if (tools) {
    for (const control of tools.querySelectorAll("input, select")) {
      if (state.has(control.name)) control.value = state.get(control.name);
    }
    tools.hidden = false;
    if (state.size > 0) show();
    tools.addEventListener("input", () => remember(show()));
    const button = tools.querySelector("button");
    button.addEventListener("click", () => {
      const opens = button.getAttribute("aria-expanded") !== "true";
      for (const details of document.querySelectorAll(".card:not([hidden]) details")) {
        details.open = opens;
      }
      button.setAttribute("aria-expanded", String(opens));
      button.textContent = opens ? "Close all details" : "Open all details";
    });
  }
})();
