// Collects the decisions of a reviewer. Sends and stores nothing: Save downloads the plan without what is not OK.
(() => {
  const bar = document.querySelector(".review");
  const [status, others, by, save] = bar.querySelectorAll("output, button, input");
  const template = document.querySelector("#decision");
  const bytes = Uint8Array.from(atob(bar.dataset.plan), (character) => character.charCodeAt(0));
  const [header, ...lines] = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
  const plan = new Map(lines.map((line) => [JSON.parse(line).id, line]));
  // In the order of the page.
  const changes = [...document.querySelectorAll("tbody")].flatMap((group, index) => {
    const line = plan.get(group.dataset.id);
    if (line === undefined) return [];
    const cell = group.insertRow().insertCell();
    cell.colSpan = 3;
    cell.append(template.content.cloneNode(true));
    const name = group.querySelector("bdi").cloneNode(true);
    cell.querySelector("legend").append(group.querySelector(".badge").textContent, ": ", name);
    const [ok, no] = cell.querySelectorAll("input");
    for (const choice of [ok, no]) choice.name = `decision${index}`;
    return { line, group, ok, no, remark: cell.querySelector("textarea") };
  });
  const isOpen = ({ ok, no }) => !ok.checked && !no.checked;
  const isRefused = ({ no }) => no.checked;
  let isSaved = true;
  const say = (text) => {
    const decided = changes.length - changes.filter(isOpen).length;
    const counts = `${decided} of ${changes.length} decided, ${changes.filter(isRefused).length} not OK.`;
    status.textContent = [counts, text].join(" ").trim();
  };
  const update = () => {
    isSaved = false;
    say();
  };
  const goTo = (element, text) => {
    element.focus();
    element.scrollIntoView({ block: "center" });
    say(text);
  };
  // The lines of the plan as they are, in its order. The review is in ASCII, and contains no command of a log.
  const makeFile = () => {
    const refused = changes.filter(isRefused).map(({ line, remark }) => {
      const { action, id, name, url, file, line: number } = JSON.parse(line);
      return { action, id, name, url, file, line: number, remark: remark.value.trim() };
    });
    const review = { by: by.value.trim(), at: new Date().toISOString(), refused };
    const json = JSON.stringify(review).replace(
      /[^ -~]|#/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const left = new Set(changes.filter(isRefused).map(({ line }) => line));
    const kept = lines.filter((line) => !left.has(line));
    return [`${header.slice(0, -1)},"review":${json}}`, ...kept].map((line) => `${line}\n`);
  };
  others.addEventListener("click", () => {
    for (const change of changes.filter(isOpen)) {
      change.ok.checked = !change.group.classList.contains("first");
    }
    update();
  });
  save.addEventListener("click", () => {
    const open = changes.find(isOpen);
    if (open !== undefined) {
      // The search may hide it.
      open.group.hidden = false;
      goTo(open.ok, "This one is open.");
    } else if (by.value.trim() === "") {
      goTo(by, "Enter your name.");
    } else {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(makeFile(), { type: "application/x-ndjson" }));
      link.download = "reviewed.ndjson";
      link.click();
      isSaved = true;
      say("Saved reviewed.ndjson: send it back.");
    }
  });
  addEventListener("input", ({ target }) => {
    if (target.closest(".decision, .review")) update();
  });
  addEventListener("beforeunload", (event) => {
    if (isSaved) return;
    event.preventDefault();
    event.returnValue = "unsaved";
  });
  bar.hidden = false;
  say();
})();
