// Searches and folds cards. Loads nothing.
(() => {
  const tools = document.querySelector(".tools");
  if (tools === null) return;
  const cards = [...document.querySelectorAll(".card")];
  const search = tools.querySelector("input");
  const textOf = (element) => element.textContent.toLowerCase();
  const mark = (card, words, marks) => {
    const nodes = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      const text = node.data.toLowerCase();
      for (const word of words) {
        for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
          const ends = { startOffset: at, endOffset: at + word.length };
          marks.add(new StaticRange({ startContainer: node, endContainer: node, ...ends }));
        }
      }
    }
  };
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = cards.filter((card) => words.every((word) => textOf(card).includes(word)));
    for (const card of cards) card.hidden = true;
    for (const card of found) card.hidden = false;
    const total = `${cards.length} courses`;
    const isAll = found.length === cards.length;
    tools.querySelector("output").textContent = isAll ? total : `${found.length} of ${total}`;
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
  tools.hidden = false;
  // A browser keeps the text of the search when it reloads a page.
  if (search.value !== "") show();
  search.addEventListener("input", show);
  tools.querySelector("button").addEventListener("click", () => {
    const all = [...document.querySelectorAll(".card:not([hidden]) details")];
    const opens = all.some(({ open }) => !open);
    for (const details of all) details.open = opens;
  });
})();
