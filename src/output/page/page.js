// Searches and folds cards. Loads nothing.
(() => {
  const tools = document.querySelector(".tools");
  if (tools === null) return;
  const search = tools.querySelector("input");
  // The changes of a course are in the table.
  const table = [...document.querySelectorAll("tbody")];
  const rows = new Map(table.map((row) => [row.querySelector("a").hash, row]));
  const courses = [...document.querySelectorAll(".card")].map((card) =>
    [card, rows.get(`#${card.id}`)].filter(Boolean),
  );
  const textOf = (elements) =>
    elements
      .map((each) => each.textContent)
      .join(" ")
      .toLowerCase();
  const mark = (element, words, marks) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let start = 0; walker.nextNode(); start += walker.currentNode.length) {
      nodes.push([walker.currentNode, start]);
    }
    const text = textOf([element]);
    for (const word of words) {
      let index = 0;
      const place = (at) => {
        while (nodes[index + 1]?.[1] <= at) index += 1;
        return [nodes[index][0], at - nodes[index][1]];
      };
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const [startContainer, startOffset] = place(at);
        const [endContainer, endOffset] = place(at + word.length);
        marks.add(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
      }
    }
  };
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = courses.filter(
      (parts) =>
        words.every((word) => textOf(parts).includes(word)) &&
        filters.every(
          ({ select, read }) => select.value === "" || read(parts[0]).includes(select.value),
        ),
    );
    for (const part of courses.flat()) part.hidden = true;
    for (const part of found.flat()) part.hidden = false;
    const total = `${courses.length} courses`;
    const isAll = found.length === courses.length;
    tools.querySelector("output").textContent = isAll ? total : `${found.length} of ${total}`;
    // Details are open while they contain what is searched for.
    for (const details of document.querySelectorAll("details:not([hidden] *)")) {
      const isFound = words.some((word) => textOf([details]).includes(word));
      if (isFound && !details.open) details.dataset.found = "";
      if (isFound || "found" in details.dataset) details.open = isFound;
      if (!isFound) delete details.dataset.found;
    }
    if (typeof Highlight === "undefined") return;
    const marks = new Highlight();
    // Marking takes long on many cards.
    for (const part of found.slice(0, 200).flat()) mark(part, words, marks);
    CSS.highlights.set("found", marks);
  };
  // Each filter with what it reads from a card.
  const filters = [];
  const addFilter = (title, read, describe) => {
    const counts = new Map();
    for (const [card] of courses) {
      for (const value of read(card)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    const select = document.createElement("select");
    select.ariaLabel = title;
    select.add(new Option(title, ""));
    for (const [value, count] of [...counts].sort()) {
      select.add(new Option(describe(value, count), value));
    }
    select.addEventListener("input", show);
    tools.querySelector("output").before(select);
    filters.push({ select, read });
  };
  const textsIn = (selector) => (card) =>
    [...card.querySelectorAll(selector)].map(({ textContent }) => textContent);
  if (document.querySelector(".many") !== null) {
    const countOf = (value, count) => `${value} (${count})`;
    addFilter("All providers", textsIn(".provider"), countOf);
    addFilter("All states", textsIn(".badge"), countOf);
    addFilter(
      "Missing fields",
      ({ dataset }) => dataset.lacks.split("|").filter(Boolean),
      (value, count) => `${count} of ${courses.length} have no ${value}`,
    );
  }
  tools.hidden = false;
  // A browser keeps the text of the search when it reloads a page.
  if (search.value !== "") show();
  search.addEventListener("input", show);
  tools.querySelector("button").addEventListener("click", ({ currentTarget }) => {
    const all = [...document.querySelectorAll("details:not([hidden] *)")];
    const opens = all.some(({ open }) => !open);
    for (const details of all) details.open = opens;
    currentTarget.textContent = opens ? "Collapse all" : "Expand all";
  });
})();
