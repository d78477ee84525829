/** Chooses the command line of a run, what happens during it, and what the simulator does around it. */
import { chooseEvents } from "./colleague.ts";
import type { Probe, RunStep } from "./history.ts";
import { commandOf } from "./promises/run.ts";
import type { Scene } from "./scene.ts";
import { nextToPages, PROVIDERS, randomId, randomUrl, respell } from "./world.ts";

function chooseFile({ random, paths }: Scene): string {
  return paths.length > 0 ? random.pick(paths) : "courses";
}

function chooseUrl({ random }: Scene): string {
  return randomUrl(random, PROVIDERS[0] ?? random.pick(PROVIDERS));
}

function chooseDrift({ random }: Scene): string {
  return random.pick(["", "", " --on-drift keep", " --on-drift overwrite"]);
}

function findBase({ files }: Scene): string {
  return [...files.keys()].some((path) => path.startsWith("base/")) ? " --base base" : "";
}

/** Words that a person chooses, with the space before them if they may be left out. Undefined if there is nothing to choose. */
const WORDS: Readonly<Record<string, (scene: Scene) => string | undefined>> = {
  file: chooseFile,
  files: (scene) => (scene.random.chance(0.25) ? chooseFile(scene) : "courses"),
  table: ({ paths }) => paths.find((each) => each.endsWith(".csv")),
  book: ({ random, books }) => (books.length > 0 ? random.pick(books) : undefined),
  plan: ({ random, plans }) => (plans.length > 0 ? random.pick(plans) : undefined),
  course: ({ random, courses }) => {
    const near = nextToPages(courses);
    const none = { id: randomId(random), url: "https://alpha.example/bread" };
    const { id, url } = near.length > 0 ? random.pick(near) : none;
    return random.pick([String(id), String(url), respell(random, String(url))]);
  },
  stdin: ({ courses }) => (courses.length > 0 ? "-" : undefined),
  url: chooseUrl,
  respelled: (scene) => respell(scene.random, chooseUrl(scene)),
  value: ({ random }) =>
    random.pick(["name=Set", "short_description=Said", "image_url=https://img.example/9.png"]) +
    random.below(3),
  newBook: ({ random, courses, count }) =>
    courses.length > 0 ? random.pick(["book.xlsx", `book${count}.xlsx`]) : undefined,
  columns: ({ random }) =>
    random.pick(["", "", "", " --fields id,name", " --fields id,url,level,prices[0].price"]),
  drift: chooseDrift,
  base: findBase,
  basedDrift: (scene) => (findBase(scene) === "" ? "" : findBase(scene) + chooseDrift(scene)),
  prune: ({ random }) => (random.chance(0.4) ? " --prune --max-deletes 100%" : ""),
  limit: ({ random }) => random.pick(["100%", "100%", "1"]),
  provider: ({ random, simulation }) =>
    random.chance(0.3) ? ` --provider ${random.pick(simulation.world.providers).slug}` : "",
  publish: ({ random }) => random.pick(["publish", "unpublish"]),
  count: ({ count }) => String(count),
  undo: ({ simulation, who }) => (simulation.history(who).length > 0 ? "undo" : undefined),
  run: ({ random, simulation, who }) =>
    `$run${1 + random.below(Math.min(3, simulation.history(who).length))}`,
  force: ({ random }) => (random.chance(0.3) ? " --force" : ""),
  format: ({ random }) =>
    random.pick(["", "", " --format json", " --format csv", " --format ndjson"]),
  export: ({ files }) =>
    files.has("export.csv") && files.has("map.jsonata") ? "export.csv" : undefined,
};

/** Commands as a person types them, with the words that are chosen, and how often they are chosen. */
export const RUNS: Readonly<Record<string, readonly [weight: number, command: string]>> = {
  push: [30, "push {files}"],
  prune: [10, "push {files} --prune --yes --max-deletes {limit}{provider}"],
  complete: [4, "push {files} --complete"],
  base: [7, "push {files}{basedDrift}{prune} --yes"],
  plan: [4, "diff {files} --out plan{count}.ndjson{prune}"],
  apply: [8, "push --plan {plan} --yes"],
  create: [6, "create {file}"],
  createFlags: [
    3,
    "create --name Flags --url {url} --short-description S --long-description L --audio en --provider alpha --pace self_paced",
  ],
  update: [5, "update {course} --set {value}"],
  move: [2, "update {course} --set url={respelled}"],
  updateFile: [2, "update {file}"],
  updateInput: [2, "update {stdin}"],
  publish: [2, "{publish} {course}"],
  rm: [6, "rm {course} --yes"],
  undo: [9, "{undo} --yes"],
  undoNamed: [4, "{undo} {run} --yes{force}"],
  pull: [4, "pull courses"],
  pullFresh: [2, "pull pulled{count}{format}"],
  pullForce: [1.5, "pull courses --force"],
  pullPrune: [1.5, "pull courses --force --prune --yes --max-deletes 100%"],
  pullBase: [2, "pull courses{base}"],
  writeIds: [3, "push {files} --write-ids"],
  fix: [2, "check {files} --fix"],
  book: [5, "push {book}{drift}"],
  updateBook: [0.5, "update {book}{drift}"],
  newBook: [2, "ls --all --out {newBook}{columns}"],
  import: [2, "import {export} --map map.jsonata --out courses"],
  importTable: [0.7, "import {table} --out courses"],
  diff: [2, "diff {files}"],
  diffPrune: [1, "diff {files} --prune"],
  list: [0.5, "ls --all"],
};

/** The words of a command. Undefined if there is nothing to choose from. */
function fill(command: string, scene: Scene): string[] | undefined {
  let isComplete = true;
  const words = command.replace(/\{(\w+)\}/g, (_, name: string) => {
    const chosen = isComplete ? WORDS[name]?.(scene) : "";
    isComplete &&= chosen !== undefined;
    return chosen ?? "";
  });
  return isComplete ? words.split(" ") : undefined;
}

/** Courses of the catalog with another text, on standard input. */
function inputOf({ random, courses }: Scene): string {
  const described = [random.pick(courses), random.pick(courses)].map(({ id }) => ({
    id,
    short_description: `Typed ${random.below(3)}`,
  }));
  return described.map((each) => `${JSON.stringify(each)}\n`).join("");
}

const CHANGING = ["push", "create", "update", "rm", "publish", "unpublish", "undo"];

/** A run of a command, or of another if there is nothing to choose for it. */
export function chooseRun(
  scene: Scene,
  command = RUNS[scene.random.weighted(scene.habits.runs)]?.[1] ?? "",
): RunStep {
  const { random, who, count, paths } = scene;
  const usual = paths.length > 0 ? "push {files}" : "ls --all";
  const others = command.includes("{book}") ? [RUNS.newBook?.[1] ?? usual, usual] : [usual];
  const words = fill(command, scene) ?? others.map((each) => fill(each, scene)).find(Boolean) ?? [];
  const full = words[0] === "undo" ? words : ["courses", ...words];
  const kind = commandOf(full);
  const changes = CHANGING.includes(kind);
  const mayBeAsked = who !== "ci" && words.includes("--yes");
  const isOftenAsked = mayBeAsked && random.chance(0.25);
  const typed = [...full];
  if (random.chance(0.3)) typed.push("--concurrency", "1");
  if (changes && random.chance(0.05)) typed.push("--record", `record${count}.ndjson`);
  if (changes && random.chance(0.05)) typed.push("--dry-run");
  if (kind !== "ls" && random.chance(0.9)) typed.push("--json");
  const events = chooseEvents(scene, words);
  const isAsked = isOftenAsked || (mayBeAsked && events.some(({ at }) => at === "question"));
  const probes: Probe[] = [];
  if (changes && random.chance(0.35)) probes.push("shown");
  if (kind === "push" && random.chance(0.35)) probes.push("again");
  if (changes && kind !== "undo" && random.chance(0.35)) probes.push("undone");
  return {
    do: "run",
    who,
    words: isAsked ? typed.filter((word) => word !== "--yes") : typed,
    ...(words.join(" ") === "update -" ? { input: inputOf(scene) } : {}),
    ...(isAsked ? { answer: "yes" } : {}),
    ...(events.length > 0 ? { events } : {}),
    ...(probes.length > 0 ? { probes } : {}),
  };
}
