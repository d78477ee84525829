// Collects the decisions of a reviewer. Sends and stores nothing: Save downloads the plan without what is not OK.
(() => {
  const bar = document.querySelector(".review");
  const [status, others, by, save] = bar.querySelectorAll("output, button, input");
  const [header, ...lines] = decodeURIComponent(bar.dataset.plan).split("\n").slice(0, -1);
  const plan = new Map(lines.map((line) => [JSON.parse(line).id, line]));
  // In the order of the page.
  const changes = [...document.querySelectorAll("tbody")].flatMap((group, index) => {
    const line = plan.get(group.dataset.id);
    if (line === undefined) return [];
    const cell = group.insertRow().insertCell();
    cell.colSpan = 3;
    cell.append(document.querySelector("#decision").content.cloneNode(true));
    const name = group.querySelector("bdi").cloneNode(true);
    cell.querySelector("legend").append(group.querySelector(".badge").textContent, ": ", name);
    const [ok, no] = cell.querySelectorAll("input");
    ok.name = `decision${index}`;
    no.name = ok.name;
    return { line, group, ok, no, remark: cell.querySelector("textarea") };
  });
  const isOpen = ({ ok, no }) => !ok.checked && !no.checked;
  const isRefused = ({ no }) => no.checked;
  let isSaved = true;
  const say = (text = "") => {
    const decided = changes.length - changes.filter(isOpen).length;
    const refused = changes.filter(isRefused).length;
    status.textContent =
      `${decided} of ${changes.length} decided, ${refused} not OK. ${text}`.trim();
  };
  const update = () => {
    isSaved = false;
    say();
  };
  // The lines of the plan as they are, in its order. The review is in ASCII, and contains no command of a log.
  const makeFile = () => {
    const refused = changes.filter(isRefused).map(({ line, remark }) => {
      const { body, before, shared, ...facts } = JSON.parse(line);
      return { ...facts, remark: remark.value.trim() };
    });
    const review = { by: by.value.trim(), at: new Date().toISOString(), refused };
    const escapeOf = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const json = JSON.stringify(review).replace(/[^ -~]|#/g, escapeOf);
    const left = new Set(changes.filter(isRefused).map(({ line }) => line));
    const kept = lines.filter((line) => !left.has(line));
    return [`${header.slice(0, -1)},"review":${json}}`, ...kept, ""].join("\n");
  };
  others.addEventListener("click", () => {
    for (const { ok, group } of changes.filter(isOpen)) {
      ok.checked = !group.classList.contains("first");
    }
    update();
  });
  save.addEventListener("click", () => {
    const open = changes.find(isOpen);
    if (open !== undefined) {
      // The search may hide it.
      open.group.hidden = false;
      open.ok.focus();
      return say("This one is open.");
    }
    if (by.value.trim() === "") {
      by.focus();
      return say("Enter your name.");
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([makeFile()], { type: "application/x-ndjson" }));
    link.download = "reviewed.ndjson";
    link.click();
    isSaved = true;
    say("Saved reviewed.ndjson: send it back.");
  });
  addEventListener("input", ({ target }) => {
    if (target.closest(".decision, .review")) update();
  });
  addEventListener("beforeunload", (event) => {
    if (!isSaved) event.preventDefault();
  });
  bar.hidden = false;
  say();
})();
