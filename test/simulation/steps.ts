/** Chooses the next step of a history, from the files and the catalog as they are. */
import { parseAllDocuments, stringify } from "yaml";
import {
  type Course,
  type Described,
  describeFiles,
  findConflicts,
  normalUrl,
  readCourses,
} from "./model.ts";
import { commandOf } from "./promises.ts";
import {
  type Change,
  type Event,
  FAULTS,
  type Person,
  type Probe,
  type RunStep,
  readSheet,
  type Simulation,
  type Step,
} from "./simulation.ts";
import {
  describe,
  EDITED,
  PROVIDERS,
  type Random,
  randomCourse,
  randomId,
  randomUrl,
  randomValue,
  respell,
  writeCourses,
} from "./world.ts";

/** What a person has, from which a step is chosen. */
interface Scene {
  readonly random: Random;
  readonly habits: Habits;
  readonly who: Person;
  readonly files: ReadonlyMap<string, string>;
  /** The paths of course files, without those of the base. */
  readonly paths: readonly string[];
  readonly books: readonly string[];
  readonly plans: readonly string[];
  readonly courses: readonly Course[];
  /** How many steps there were, for names of new files. */
  readonly count: number;
  readonly simulation: Simulation;
}

/** How often something is chosen. */
type Weights = Readonly<Record<string, number>>;

/** What the people of one history often do: other histories have other habits, so that rare steps meet often. */
export interface Habits {
  readonly steps: Weights;
  readonly runs: Weights;
  readonly events: Weights;
}

const STEPS = {
  ...{ edit: 24, add: 10, remove: 4, colleague: 10, run: 60, cell: 8, snapshot: 3 },
  ...{ defaults: 1, foreign: 2 },
};
const EVENTS = { none: 55, fault: 22, colleague: 14, signal: 4, kill: 4, full: 2 };

/** Ways to work in which steps meet that are rare otherwise. */
const WAYS: readonly Partial<Habits>[] = [
  {
    steps: { cell: 50, colleague: 14, run: 25 },
    runs: { export: 3, book: 30, undo: 3, updateBook: 2, rm: 1 },
    events: { none: 80, fault: 8, colleague: 6, kill: 2 },
  },
  {
    steps: { edit: 20, colleague: 25, run: 60 },
    runs: { move: 18, undo: 14, undoNamed: 4, plan: 14, apply: 18, rm: 8, push: 4 },
  },
  { runs: { base: 30, pullBase: 8, undo: 4, prune: 4 }, steps: { ...STEPS, snapshot: 12 } },
  { steps: { ...STEPS, foreign: 40 }, runs: { import: 30, push: 20, pullForce: 4 } },
];

export function randomHabits(random: Random): Habits {
  const some = (weights: Weights): Weights =>
    Object.fromEntries(
      Object.entries(weights).map(([name, weight]) => [
        name,
        random.chance(0.35) ? weight * 4 : weight / 4,
      ]),
    );
  const runs = Object.fromEntries(Object.entries(RUNS).map(([name, [weight]]) => [name, weight]));
  return {
    steps: { ...some(STEPS), run: 60 },
    runs: some(runs),
    events: { ...some(EVENTS), none: random.pick([10, 55, 300]) },
    ...(random.chance(0.4) ? random.pick(WAYS) : {}),
  };
}

/** The next step. @param last the exit code of the last run: a refused push is often repaired */
export function chooseStep(
  random: Random,
  habits: Habits,
  simulation: Simulation,
  steps: readonly Step[],
  last: unknown,
): Step {
  const previous = steps.at(-1);
  const isTyping = previous?.do === "cell" && random.chance(0.6);
  const who = isTyping ? previous.who : (random.weighted({ ada: 6, ben: 2, ci: 1 }) as Person);
  const scene = see(random, habits, simulation, steps.length, who);
  if (isTyping) return chooseRun(scene, () => `push ${previous.path}${drift(scene)}`);
  const { files, paths, books, plans, courses } = scene;
  // Between a plan and its application, somebody changes the catalog.
  const isPlanned = previous?.do === "run" && previous.words.some((word) => /^plan\d/.test(word));
  if (isPlanned && random.chance(0.4)) return { do: "colleague", change: colleague(scene) };
  if (previous?.do === "colleague" && plans.length > 0 && random.chance(0.3))
    return chooseRun(scene, RUNS.apply?.[1]);
  const [conflict] = last === 3 ? findConflicts(describeCourses(scene), courses) : [];
  if (conflict !== undefined && random.chance(0.8)) return { do: "remove", who, path: conflict };
  const kind = random.weighted(habits.steps);
  if (kind === "edit" && paths.length > 0) return sensible(scene, editFile);
  if (kind === "add" || (paths.length === 0 && kind !== "cell" && random.chance(0.4)))
    return sensible(scene, addFile);
  if (kind === "remove" && paths.length > 0) return { do: "remove", who, path: random.pick(paths) };
  if (kind === "colleague") return { do: "colleague", change: colleague(scene) };
  if (kind === "snapshot" && paths.length > 0) return { do: "snapshot", who };
  if (kind === "defaults") return sensible(scene, writeDefaults);
  if (kind === "foreign") return writeForeign(scene, files.has("map.jsonata"));
  if (kind === "cell" && books.length > 0 && courses.length > 0)
    return editBook(scene, random.pick(books));
  if (kind === "cell" && plans.length === 0) return chooseRun(scene, RUNS.book?.[1]);
  if (kind === "cell")
    return { do: "drop", who, path: random.pick(plans), line: 1 + random.below(3) };
  return chooseRun(scene);
}

export function see(
  random: Random,
  habits: Habits,
  simulation: Simulation,
  count: number,
  who: Person,
): Scene {
  const files = simulation.files(who);
  const named = (pattern: RegExp): string[] =>
    [...files.keys()].filter((path) => pattern.test(path));
  return {
    ...{ random, habits, who, files, count, simulation },
    paths: named(/^courses\/.*\.(yaml|json|ndjson|csv)$/).filter(
      (path) => !path.endsWith("catalog.defaults.yaml"),
    ),
    books: named(/^\w+\.xlsx$/),
    plans: named(/^plan\d+\.ndjson$/),
    courses: [...simulation.courses().values()],
  };
}

/** The courses of the folder, perhaps after a file was written. */
function describeCourses({ files, simulation }: Scene, step?: Step): readonly Described[] {
  const written = step?.do === "write" ? [[step.path, step.text] as const] : [];
  const all = new Map([...files, ...written].filter(([path]) => path.startsWith("courses/")));
  return describeFiles(all, simulation.world.providers) ?? [];
}

/** A step after which the files can be pushed, in most cases. */
function sensible(scene: Scene, choose: (scene: Scene) => Step): Step {
  const isBad = (step: Step): boolean =>
    findConflicts(describeCourses(scene, step), scene.courses).length > 0;
  const first = choose(scene);
  if (!isBad(first) || scene.random.chance(0.1)) return first;
  const others = Array.from({ length: 4 }, () => choose(scene));
  return others.find((step) => !isBad(step)) ?? { do: "colleague", change: colleague(scene) };
}

/** Edits a workbook as an editor does: mostly cells, of which some are set back to what they were. */
export function editBook({ random, who, courses, files, count }: Scene, path: string): Step {
  const cell = { do: "cell", who, path } as const;
  const kind = random.weighted({ cell: 20, empty: 2, row: 1, column: 1.5, new: 1 });
  if (kind === "column")
    return { ...cell, column: random.pick(["long_description", "audio", "pace", "image_url"]) };
  const [header = [], ...rows] = readSheet(Buffer.from(files.get(path) ?? "", "latin1"));
  const ids = rows.map((row) => String(row[header.indexOf("id")] ?? "").toLowerCase());
  const id = random.pick([String(courses[0]?.id), ...ids.filter(Boolean)].slice(0, 3));
  if (kind === "row") return { ...cell, id };
  if (kind === "new") {
    const provider = PROVIDERS[0] ?? random.pick(PROVIDERS);
    const { prices, ...course } = randomCourse(random, provider, `${provider.url}/row${count}`);
    const texts = Object.entries(course).filter(([, value]) => typeof value === "string");
    return { ...cell, value: JSON.stringify({ ...Object.fromEntries(texts), audio: "en" }) };
  }
  if (kind === "empty")
    return { ...cell, id, column: random.pick(["image_url", "level"]), value: "" };
  const column = random.pick([
    "name",
    "short_description",
    "image_url",
    ...Array(3).fill("prices[0].price"),
  ]);
  const number = random.below(3);
  const value =
    column === "prices[0].price"
      ? `${number + 10}.50`
      : column === "image_url"
        ? `https://img.example/cell${number}.png`
        : `Cell ${number}`;
  return { ...cell, id, column, value };
}

/** Values that files leave out. */
function writeDefaults({ random, who }: Scene): Step {
  const values = {
    provider: "alpha",
    ...(random.chance(0.5) ? { level: ["beginner"] } : {}),
    ...(random.chance(0.5) ? { published: random.chance(0.5) } : {}),
    ...(random.chance(0.5) ? { image_url: `https://img.example/${random.below(3)}.png` } : {}),
  };
  return { do: "write", who, path: "courses/catalog.defaults.yaml", text: stringify(values) };
}

/** The mapping of the export of another system, or that export. */
function writeForeign({ random, who }: Scene, isMapped: boolean): Step {
  if (!isMapped) return { do: "write", who, path: "map.jsonata", text: MAPPING };
  const rows = Array.from({ length: 1 + random.below(4) }, (_, index) => {
    const price = random.pick(["12,00 €", "1.299,00 €", "20 EUR", "auf Anfrage", ""]);
    return `Kurs ${index} ${random.below(2)};https://alpha.example/${random.pick(["kurs", "Kurs/"])}${index};${price}`;
  });
  return {
    do: "write",
    who,
    path: "export.csv",
    text: `${["Titel;Link;Preis", ...rows].join("\n")}\n`,
  };
}

/** A mapping of columns of another system. */
const MAPPING = `{
  "name": Titel, "url": Link, "short_description": "Kurz", "long_description": Titel & ", lang",
  "audio": ["de"], "provider": "alpha", "pace": "self_paced",
  "prices": [$price(Preis, "EUR").{ "type": "single_course", "price": $, "currency": "EUR" }]
}
`;

/** Changes a value of a course of a file; comments and everything else stay. */
function editFile({ random, habits, who, files, paths }: Scene): Step {
  const path = random.pick(paths);
  const text = files.get(path) ?? "";
  const courses = readCourses(path, text) ?? [];
  const index = random.below(Math.max(1, courses.length));
  const old = courses[index];
  if (old === undefined) return { do: "remove", who, path };
  const provider =
    PROVIDERS.find(({ slug, id }) => slug === old.provider || id === old.provider_id) ??
    PROVIDERS[0];
  const isMoving = random.chance((habits.runs.move ?? 0) > 10 ? 0.5 : 0.15);
  const field = isMoving && provider !== undefined ? "url" : random.pick(EDITED);
  const value =
    field === "url" && provider !== undefined
      ? respell(random, random.chance(0.5) ? String(old.url) : randomUrl(random, provider))
      : randomValue(random, field);
  if (path.endsWith(".yaml")) {
    const documents = parseAllDocuments(text);
    if (documents.length === courses.length) {
      documents[index]?.set(field, value);
      return { do: "write", who, path, text: documents.map(String).join("") };
    }
  }
  courses[index] = { ...old, [field]: value };
  return { do: "write", who, path, text: writeCourses(random, path, courses) };
}

/** A new file: a new course, one of the catalog, or one of another file under another spelling of its url. */
function addFile(scene: Scene): Step {
  const { random, who, paths, files, courses, count, simulation } = scene;
  const provider = random.pick(simulation.world.providers);
  const extension = random.pick(["yaml", "yaml", "json", "csv", "ndjson"]);
  const path = `courses/n${count}.${extension}`;
  const make = (): Course => {
    const kind = random.weighted({ new: 5, catalog: 4, again: 1.5 });
    const how = random.pick(["id", "url", "url", "key"] as const);
    const [twin] =
      paths.length === 0
        ? []
        : (readCourses(random.pick(paths), files.get(random.pick(paths)) ?? "") ?? []);
    if (kind === "again" && twin !== undefined)
      return {
        ...twin,
        id: undefined,
        key: undefined,
        name: "Again",
        url: respell(random, String(twin.url)),
      };
    if (kind === "catalog" && courses.length > 0) {
      const course = random.pick(courses);
      return describe(
        random,
        random.chance(0.5) ? course : { ...course, url: respell(random, String(course.url)) },
        how,
      );
    }
    return describe(
      random,
      randomCourse(random, provider, respell(random, randomUrl(random, provider))),
      how === "id" ? "url" : how,
    );
  };
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, make);
  const plain: Course[] = made.map((course) => JSON.parse(JSON.stringify(course)));
  return { do: "write", who, path, text: writeCourses(random, path, plain) };
}

/** What a colleague does: often to the urls that files and runs are about. */
export function colleague(
  { random, courses, paths, files, simulation }: Scene,
  among = courses,
): Change {
  const provider = random.pick(simulation.world.providers);
  const kind = random.weighted({ change: 6, url: 1, add: 2, twin: 0.6, delete: 1.5 });
  const described = paths.flatMap((path) => readCourses(path, files.get(path) ?? "") ?? []);
  // Urls that files have, or that courses had.
  const urls = [...described.map(({ url }) => String(url)), ...simulation.urls].filter((each) =>
    normalUrl(each).startsWith(provider.url),
  );
  const taken = new Set(courses.map((course) => normalUrl(course.url)));
  const free = urls.filter((each) => !taken.has(normalUrl(each)));
  const url =
    random.chance(0.7) && urls.length > 0
      ? random.pick(free.length > 0 && random.chance(0.8) ? free.slice(0, 4) : urls)
      : randomUrl(random, provider);
  if (kind === "add" || among.length === 0)
    return { op: "add", course: { id: randomId(random), ...randomCourse(random, provider, url) } };
  const course = random.pick(random.chance(0.4) ? among.slice(0, 4) : among);
  const id = String(course.id);
  if (kind === "delete") return { op: "delete", id };
  if (kind === "url")
    return {
      op: "change",
      id,
      fields: { url: respell(random, random.chance(0.5) ? url : String(course.url)) },
    };
  if (kind === "twin") {
    const more = random.chance(0.6) ? randomCourse(random, provider, url) : {};
    const given = Object.fromEntries(Object.entries(course).filter(([, value]) => value !== null));
    return {
      op: "add",
      course: { ...more, ...given, id: randomId(random), url: respell(random, String(course.url)) },
    };
  }
  const field = random.pick(random.chance(0.4) ? ["name", "short_description", "prices"] : EDITED);
  return { op: "change", id, fields: { [field]: randomValue(random, field) } };
}

/** What happens during a run. */
function chooseEvents(scene: Scene, words: readonly string[]): Event[] {
  const { random, courses } = scene;
  const at = (): string =>
    `${random.weighted({ POST: 3, PATCH: 3, DELETE: 2, GET: 3 })} ${1 + random.below(3)}`;
  const kind = random.weighted(scene.habits.events);
  // Courses move to other pages while a long list is read.
  if (courses.length > 100 && random.chance(0.4)) {
    const first = courses.slice(0, 90);
    const change: Change = random.chance(0.6)
      ? { op: "delete", id: String(random.pick(first).id) }
      : colleague(scene, first);
    return [{ at: `GET ${2 + random.below(3)}`, colleague: change }];
  }
  if (kind === "fault") {
    const faults = Array.from(
      { length: random.pick([1, 1, 2]) },
      (): Event => ({ at: at(), fault: random.pick(FAULTS), times: random.pick([1, 1, 2, 8]) }),
    );
    return random.chance(0.2) ? [...faults, { at: at(), colleague: colleague(scene) }] : faults;
  }
  const named = courses.filter(
    ({ id, url }) => words.includes(String(id)) || words.includes(String(url)),
  );
  if (kind === "colleague")
    return [{ at: at(), colleague: colleague(scene, named.length > 0 ? named : courses) }];
  if (kind === "signal")
    return [{ at: at(), signal: random.pick(["SIGINT", "SIGTERM", "SIGHUP"] as const) }];
  if (kind === "kill") return [{ at: at(), kill: true }];
  return kind === "full" ? [{ at: at(), full: true }] : [];
}

/** Another name for a course than its id. */
function nameOne({ random, courses }: Scene): string {
  const { id, url } =
    courses.length > 0
      ? random.pick(courses)
      : { id: randomId(random), url: "https://alpha.example/bread" };
  return random.pick([String(id), String(url), respell(random, String(url))]);
}

/** A file, or the folder with all. */
function someFiles({ random, paths }: Scene): string {
  return paths.length > 0 && random.chance(0.25) ? random.pick(paths) : "courses";
}

function oneFile({ random, paths }: Scene): string {
  return paths.length > 0 ? random.pick(paths) : "courses";
}

function drift({ random }: Scene): string {
  return random.pick(["", "", " --on-drift keep", " --on-drift overwrite"]);
}

/** The flags of a comparison with a base, if there is one. */
function based(scene: Scene): string {
  const isBased = [...scene.files.keys()].some((path) => path.startsWith("base/"));
  return isBased ? ` --base base${drift(scene)}` : "";
}

function pruned({ random }: Scene): string {
  return random.chance(0.4) ? " --prune --max-deletes 100%" : "";
}

function otherProvider({ random, simulation }: Scene): string {
  return random.chance(0.3) ? ` --provider ${random.pick(simulation.world.providers).slug}` : "";
}

/** A command line as a person types it, without words that have spaces. Undefined if there is nothing to do. */
type Command = (scene: Scene) => string | undefined;

const RUNS: Readonly<Record<string, readonly [weight: number, command: Command]>> = {
  push: [30, (scene) => `push ${someFiles(scene)}`],
  prune: [
    10,
    (scene) =>
      `push ${someFiles(scene)} --prune --yes --max-deletes ${scene.random.pick(["100%", "100%", "1"])}${otherProvider(scene)}`,
  ],
  complete: [4, (scene) => `push ${someFiles(scene)} --complete`],
  base: [7, (scene) => `push ${someFiles(scene)}${based(scene)}${pruned(scene)} --yes`],
  plan: [4, (scene) => `diff ${someFiles(scene)} --out plan${scene.count}.ndjson${pruned(scene)}`],
  apply: [
    8,
    ({ random, plans }) =>
      plans.length > 0 ? `push --plan ${random.pick(plans)} --yes` : undefined,
  ],
  create: [6, (scene) => `create ${oneFile(scene)}`],
  createFlags: [
    3,
    (scene) =>
      `create --name Flags --url ${randomUrl(scene.random, PROVIDERS[0] ?? scene.random.pick(PROVIDERS))} --short-description S --long-description L --audio en --provider alpha --pace self_paced`,
  ],
  update: [
    5,
    (scene) =>
      `update ${nameOne(scene)} --set ${scene.random.pick(["name=Set", "short_description=Said", "image_url=https://img.example/9.png", "number_of_lessons=4"])}${scene.random.below(3)}`,
  ],
  move: [
    2,
    (scene) =>
      `update ${nameOne(scene)} --set url=${respell(scene.random, randomUrl(scene.random, PROVIDERS[0] ?? scene.random.pick(PROVIDERS)))}`,
  ],
  updateFile: [2, (scene) => `update ${oneFile(scene)}`],
  updateInput: [2, ({ courses }) => (courses.length > 0 ? "update -" : undefined)],
  publish: [2, (scene) => `${scene.random.pick(["publish", "unpublish"])} ${nameOne(scene)}`],
  rm: [6, (scene) => `rm ${nameOne(scene)} --yes`],
  undo: [
    9,
    ({ simulation, who }) => (simulation.history(who).length > 0 ? "undo --yes" : undefined),
  ],
  undoNamed: [
    4,
    ({ random, simulation, who }) => {
      const runs = simulation.history(who).length;
      return runs > 0
        ? `undo $run${1 + random.below(Math.min(3, runs))} --yes${random.chance(0.3) ? " --force" : ""}`
        : undefined;
    },
  ],
  pull: [4, () => "pull courses"],
  pullFresh: [
    2,
    ({ random, count }) =>
      `pull pulled${count}${random.pick(["", "", " --format json", " --format csv", " --format ndjson"])}`,
  ],
  pullForce: [
    3,
    ({ random }) =>
      `pull courses --force${random.chance(0.5) ? " --prune --yes --max-deletes 100%" : ""}`,
  ],
  pullBase: [2, (scene) => `pull courses${based(scene).replace(/ --on-drift \w+/, "")}`],
  writeIds: [3, (scene) => `push ${someFiles(scene)} --write-ids`],
  fix: [2, (scene) => `check ${someFiles(scene)} --fix`],
  export: [
    1.2,
    ({ count, courses }) => (courses.length > 0 ? `ls --all --out book${count}.xlsx` : undefined),
  ],
  book: [
    5,
    (scene) =>
      scene.books.length > 0
        ? `push ${scene.random.pick(scene.books)}${drift(scene)}`
        : "ls --all --out book.xlsx",
  ],
  updateBook: [
    0.5,
    (scene) =>
      scene.books.length > 0
        ? `update ${scene.random.pick(scene.books)}${drift(scene)}`
        : undefined,
  ],
  import: [
    2,
    ({ files }) =>
      files.has("export.csv") && files.has("map.jsonata")
        ? "import export.csv --map map.jsonata --out courses"
        : undefined,
  ],
  importTable: [
    0.7,
    ({ paths }) => {
      const table = paths.find((each) => each.endsWith(".csv"));
      return table && `import ${table} --out courses`;
    },
  ],
  diff: [2, (scene) => `diff ${someFiles(scene)}${pruned(scene).replace(/ --max.*/, "")}`],
  status: [0.5, () => "ls --all"],
};

/** Courses of the catalog with another text, on standard input. */
function inputOf({ random, courses }: Scene): string {
  const described = [random.pick(courses), random.pick(courses)].map(({ id }) => ({
    id,
    short_description: `Typed ${random.below(3)}`,
  }));
  return described.map((each) => `${JSON.stringify(each)}\n`).join("");
}

function chooseRun(
  scene: Scene,
  command: Command = RUNS[scene.random.weighted(scene.habits.runs)]?.[1] ?? (() => undefined),
): RunStep {
  const { random, who, courses, count, paths } = scene;
  const usual = paths.length > 0 ? `push ${someFiles(scene)}` : "ls --all";
  const words = (command(scene) ?? usual).split(" ");
  const full = words[0] === "undo" ? words : ["courses", ...words];
  const input = words.join(" ") === "update -" ? { input: inputOf(scene) } : {};
  const isAsked = who !== "ci" && words.includes("--yes") && random.chance(0.25);
  const typed = isAsked ? full.filter((word) => word !== "--yes") : [...full];
  const kind = commandOf(full);
  const changes = ["push", "create", "update", "rm", "publish", "unpublish", "undo"].includes(kind);
  if (random.chance(0.3)) typed.push("--concurrency", "1");
  if (changes && random.chance(0.05)) typed.push("--record", `record${count}.ndjson`);
  if (changes && random.chance(0.05)) typed.push("--dry-run");
  if (kind !== "ls" && random.chance(0.9)) typed.push("--json");
  const events = chooseEvents(scene, words);
  if (isAsked && random.chance(0.3) && courses.length > 0)
    events.push({ at: "question", colleague: colleague(scene) });
  const probes: Probe[] = [];
  if (changes && random.chance(0.35)) probes.push("shown");
  if (kind === "push" && random.chance(0.35)) probes.push("again");
  if (changes && kind !== "undo" && random.chance(0.35)) probes.push("undone");
  const run = {
    do: "run",
    who,
    words: typed,
    ...input,
    ...(isAsked ? { answer: "yes" } : {}),
  } as const;
  return {
    ...run,
    ...(events.length > 0 ? { events } : {}),
    ...(probes.length > 0 ? { probes } : {}),
  };
}
