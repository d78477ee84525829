/** How people edit their files and workbooks. */
import { parseAllDocuments, stringify } from "yaml";
import type { Step } from "./history.ts";
import { type Course, cellOf, readCourses } from "./model.ts";
import type { Scene } from "./scene.ts";
import { readSheet } from "./workbook.ts";
import {
  describe,
  EDITED,
  PROVIDERS,
  randomCourse,
  randomUrl,
  randomValue,
  respell,
  writeCourses,
} from "./world.ts";

/** Edits a workbook as an editor does: mostly cells, often the same again, of which some are set back. */
export function editBook(scene: Scene, path: string): Step {
  const { random, who, courses, files, count, lastCell, simulation } = scene;
  const cell = { do: "cell", who, path } as const;
  const kind = random.weighted({ cell: 24, empty: 2, row: 1, column: 0.5, new: 0.7 });
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
  const { id: lastId, column: lastColumn, path: lastPath } = lastCell ?? {};
  const isAgain = lastPath === path && random.chance(0.6);
  const place =
    isAgain && lastId && lastColumn
      ? { id: lastId, column: lastColumn }
      : { id, column: random.pick(CELLS) };
  const first = simulation.world.courses.find((course) => String(course.id) === place.id);
  const back = first && cellOf(first, place.column);
  const values: Readonly<Record<string, string>> = {
    "prices[0].price": `${10 + count}.50`,
    image_url: `https://img.example/cell${count}.png`,
  };
  const isBack = typeof back === "string" && random.chance(isAgain ? 0.5 : 0.1);
  return { ...cell, ...place, value: isBack ? back : (values[place.column] ?? `Cell ${count}`) };
}

/** The columns that editors change, prices most often. */
const CELLS = [
  "name",
  "short_description",
  "image_url",
  ...Array<string>(3).fill("prices[0].price"),
];

/** Values that files leave out. */
export function writeDefaults({ random, who }: Scene): Step {
  const values = {
    provider: "alpha",
    ...(random.chance(0.5) ? { level: ["beginner"] } : {}),
    ...(random.chance(0.5) ? { published: random.chance(0.5) } : {}),
    ...(random.chance(0.5) ? { image_url: `https://img.example/${random.below(3)}.png` } : {}),
  };
  return { do: "write", who, path: "courses/catalog.defaults.yaml", text: stringify(values) };
}

/** The export of another system, or first its mapping. */
export function writeForeign({ random, who, files }: Scene): Step {
  if (!files.has("map.jsonata")) return { do: "write", who, path: "map.jsonata", text: MAPPING };
  const rows = Array.from({ length: 1 + random.below(4) }, (_, index) => {
    const price = random.pick(["12,00 €", "1.299,00 €", "20 EUR", "auf Anfrage", ""]);
    return `Kurs ${index} ${random.below(2)};https://alpha.example/${random.pick(["kurs", "Kurs/"])}${index};${price}\n`;
  });
  return { do: "write", who, path: "export.csv", text: `Titel;Link;Preis\n${rows.join("")}` };
}

/** A mapping of columns of another system. */
const MAPPING = `{
  "name": Titel, "url": Link, "short_description": "Kurz", "long_description": Titel & ", lang",
  "audio": ["de"], "provider": "alpha", "pace": "self_paced",
  "prices": [$price(Preis, "EUR").{ "type": "single_course", "price": $, "currency": "EUR" }]
}
`;

/** Changes a value of a course of a file; comments and everything else stay. */
export function editFile({ random, habits, who, files, paths }: Scene): Step {
  const path = random.pick(paths);
  const text = files.get(path) ?? "";
  const courses = readCourses(path, text) ?? [];
  const index = random.below(Math.max(1, courses.length));
  const old = courses[index];
  if (old === undefined) return { do: "remove", who, path };
  const provider = PROVIDERS.find(
    ({ slug, id }) => slug === old.provider || id === old.provider_id,
  );
  const isMoving = random.chance(old.key || (habits.runs.move ?? 0) > 10 ? 0.5 : 0.15);
  const field = isMoving ? "url" : random.pick(EDITED);
  const other = (): string =>
    random.chance(0.5) ? String(old.url) : randomUrl(random, provider ?? random.pick(PROVIDERS));
  const value = isMoving ? respell(random, other()) : randomValue(random, field);
  const documents = path.endsWith(".yaml") ? parseAllDocuments(text) : [];
  if (documents.length === courses.length) {
    documents[index]?.set(field, value);
    return { do: "write", who, path, text: documents.map(String).join("") };
  }
  courses[index] = { ...old, [field]: value };
  return { do: "write", who, path, text: writeCourses(random, path, courses) };
}

/** A new file: of new courses, of those of the catalog, or of those of other files under other spellings of their urls. */
export function addFile({ random, who, paths, files, courses, count, simulation }: Scene): Step {
  const provider = random.pick(simulation.world.providers);
  const path = `courses/n${count}.${random.pick(["yaml", "yaml", "json", "csv", "ndjson"])}`;
  const respelled = (url: unknown): string => respell(random, String(url));
  const make = (): Course => {
    const kind = random.weighted({ new: 5, catalog: 4, again: 1.5 });
    const how = random.pick(["id", "url", "url", "key"] as const);
    const other = paths.length > 0 ? random.pick(paths) : "";
    const [twin] = readCourses(other, files.get(other) ?? "") ?? [];
    if (kind === "again" && twin !== undefined) {
      const { id, key, ...values } = twin;
      return { ...values, name: "Again", url: respelled(twin.url) };
    }
    if (kind === "catalog" && courses.length > 0) {
      const course = random.pick(courses);
      const url = random.chance(0.5) ? course.url : respelled(course.url);
      return describe(random, { ...course, url }, how);
    }
    const course = randomCourse(random, provider, respelled(randomUrl(random, provider)));
    return describe(random, course, how === "id" ? "url" : how);
  };
  const made = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, make);
  return { do: "write", who, path, text: writeCourses(random, path, made) };
}
