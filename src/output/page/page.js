// Searches, filters and folds cards. Loads nothing.
(() => {
  const tools = document.querySelector(".tools");
  if (tools === null) return;
  const cards = [...document.querySelectorAll(".card")];
  const controls = [...tools.querySelectorAll("input, select")];
  const state = new URLSearchParams(location.hash.slice(1));
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map();
  const textOf = (element) => {
    if (!texts.has(element)) texts.set(element, fold(element.textContent));
    return texts.get(element);
  };
  const mark = (card, words, marks) => {
    const nodes = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      // The folded text, and the offset of the character from which each of its units comes.
      let text = "";
      const offsets = [];
      let offset = 0;
      for (const character of node.data) {
        const folded = fold(character);
        text += folded;
        offsets.push(...Array(folded.length).fill(offset));
        offset += character.length;
      }
      offsets.push(offset);
      for (const word of words) {
        for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
          const [startOffset, endOffset] = [offsets[at], offsets[at + word.length]];
          marks.add(
            new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }),
          );
        }
      }
    }
  };
  const show = () => {
    const [q, is, by] = ["q", "is", "by"].map((name) => tools.querySelector(`[name=${name}]`));
    const words = fold(q.value).split(/\s+/).filter(Boolean);
    const found = cards.filter(
      (card) =>
        (!is?.value || card.dataset.is.split(" ").includes(is.value)) &&
        (!by?.value || card.dataset.by === by.value) &&
        words.every((word) => textOf(card).includes(word)),
    );
    for (const card of cards) card.hidden = true;
    for (const card of found) card.hidden = false;
    const total = cards.length === 1 ? "1 course" : `${cards.length} courses`;
    const isAll = found.length === cards.length;
    tools.querySelector("output").textContent = isAll ? total : `${found.length} of ${total}`;
    for (const row of document.querySelectorAll(".overview tbody tr")) {
      row.hidden = document.getElementById(row.querySelector("a").hash.slice(1)).hidden;
    }
    // Details are open while they contain what is searched for.
    for (const details of document.querySelectorAll(".card:not([hidden]) details")) {
      const isFound = words.some((word) => textOf(details).includes(word));
      if (isFound && !details.open) details.dataset.found = "";
      if (isFound || "found" in details.dataset) details.open = isFound;
      if (!isFound) delete details.dataset.found;
    }
    if (typeof Highlight === "undefined") return;
    const marks = new Highlight();
    // Marking takes long on many cards.
    for (const card of found.slice(0, 200)) mark(card, words, marks);
    CSS.highlights.set("found", marks);
  };
  for (const control of controls) {
    if (state.has(control.name)) control.value = state.get(control.name);
  }
  tools.hidden = false;
  if (controls.some(({ value }) => value !== "")) show();
  tools.addEventListener("input", () => {
    for (const { name, value } of controls) {
      if (value === "") state.delete(name);
      else state.set(name, value);
    }
    history.replaceState(null, "", `#${state}`);
    show();
  });
  tools.querySelector("button").addEventListener("click", () => {
    const all = [...document.querySelectorAll(".card:not([hidden]) details")];
    const opens = all.some(({ open }) => !open);
    for (const details of all) details.open = opens;
  });
})();
