/** Runs the commands of a year, and writes what they print, send and change as a document. */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Provider } from "../../src/course/provider.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { StoredCourse } from "../../src/sandbox/store.ts";
import { memoryStore, type Store } from "../../src/sandbox/store.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import {
  type Catalog,
  type Changes,
  compareCatalogs,
  compareFiles,
  countComments,
  type Files,
} from "./year-changes.ts";

/** Longer outputs are shortened to their first and last lines. */
const FIRST_LINES = 6;
const LAST_LINES = 4;
/** Where to break lines of the document. */
const WRAP = /(?=.{109})(.{1,108})\s/g;
/** The commands that write course files. */
const WRITES_FILES = /--write-ids| pull /;
const NO_FILES: Files = new Map();

/** What a command is expected to do: its exit code, and how many requests it writes with. */
export interface Expected {
  readonly code?: number;
  readonly POST?: number;
  readonly PATCH?: number;
  readonly DELETE?: number;
}

/** The result of a command, with what it changed in the catalog. */
export interface Ran extends RunResult {
  readonly changes: Changes;
  /** The same for the course files; only commands that write files are examined. */
  readonly files: Changes;
}

/** A catalog on a test rig, and the document of what happens to it. */
export class Year {
  readonly rig: Rig;
  readonly store: Store;
  /** How many comments the authors have written: no command may remove one. */
  comments = 0;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #lines: string[];

  private constructor(rig: Rig, store: Store, lines: string[], environment = {}) {
    this.rig = rig;
    this.store = store;
    this.#lines = lines;
    this.#environment = environment;
  }

  /** Starts with an empty catalog of these providers, and an empty folder. */
  static async start(providers: readonly Provider[]): Promise<Year> {
    const store = storeFor(providers);
    return new Year(await rig({ store }), store, []);
  }

  /** The same folder and document, with the catalog of another environment. */
  async production(providers: readonly Provider[]): Promise<Year> {
    const store = storeFor(providers);
    const { sandbox } = await rig({ store });
    return new Year(this.rig, store, this.#lines, { CATALOG_BASE_URL: sandbox.baseUrl });
  }

  /** The document. */
  get document(): string {
    return `${this.#lines.join("\n").trimEnd()}\n`;
  }

  /** Adds paragraphs, headings or tables to the document. */
  write(text: string): void {
    const wrap = (line: string): string =>
      line.startsWith("|") ? line : line.replaceAll(WRAP, "$1\n");
    this.#lines.push(text.split("\n").map(wrap).join("\n"), "");
  }

  /** Begins a step: a heading that starts with a month, and a paragraph. */
  async begin(heading: string, text: string): Promise<void> {
    const day = Date.parse(`10 ${heading.split(":")[0]} 2027 09:00 UTC`);
    await this.rig.clock.sleep(Math.max(0, day - this.rig.clock.now()));
    this.write(`## ${heading}`);
    this.write(text);
  }

  /** Runs a command, `catalog` and its words; `> file` at the end saves its output. */
  async run(command: string, expected: Expected = {}): Promise<Ran> {
    await this.rig.clock.sleep(1000);
    const before = this.catalog();
    const filesBefore = WRITES_FILES.test(command) ? await this.files() : NO_FILES;
    const [line = "", file] = command.split(" > ");
    const words = line.split(" ").slice(1);
    // One request at a time, so that the number of requests is always the same.
    const environment = { CATALOG_CONCURRENCY: "1", ...this.#environment };
    const ran = await this.rig.run(words, { environment });
    if (file !== undefined) await this.rig.write(file, ran.stdout);
    const changes = compareCatalogs(before, this.catalog());
    const filesAfter = WRITES_FILES.test(command) ? await this.files() : NO_FILES;
    const files = compareFiles(filesBefore, filesAfter);
    const { GET, ...writes } = countMethods(ran);
    expect({ code: ran.code, ...writes }, `${command}\n${ran.stderr}`).toEqual({
      code: 0,
      ...expected,
    });
    // Courses are added, changed and removed by requests of those kinds only, and stay approved.
    expect([changes.added, changes.changed, changes.removed].map(({ length }) => length)).toEqual(
      ["POST", "PATCH", "DELETE"].map((method) => writes[method] ?? 0),
    );
    expect(changes.details).not.toHaveProperty("approval_status");
    const output = file === undefined ? ran.stdout + ran.stderr : ran.stderr;
    const prompt = this.#environment.CATALOG_BASE_URL === undefined ? "$" : "production $";
    const exit = ran.code === 0 ? "" : ` Exit code ${ran.code}.`;
    this.#lines.push(
      ...["```console", `${prompt} ${command}`, ...shorten(this.#steady(output)), "```", ""],
      `${describeRequests({ GET, ...writes })}${exit} ${this.#describeCatalog(changes)}`,
      "",
    );
    return { ...ran, changes, files };
  }

  #describeCatalog({ added, removed, details }: Changes): string {
    const courses = [...this.catalog().values()];
    const approved = courses.filter((it) => it.approval_status === "approved").length;
    const changes = [
      ...(added.length === 0 ? [] : [`${added.length} more`]),
      ...(removed.length === 0 ? [] : [`${removed.length} fewer`]),
      ...Object.entries(details).map(([field, count]) => `\`${field}\` of ${count} changed`),
    ];
    const list = changes.length === 0 ? "nothing changed" : changes.join(", ");
    return `The catalog has ${courses.length} courses, ${approved} approved: ${list}.`;
  }

  /** Output without what differs from run to run: the port and the temporary folder. */
  #steady(text: string): string {
    return text.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010").replaceAll(this.rig.folder, "~");
  }

  /** The courses in the catalog; one that has not changed is the same object. */
  catalog(): Catalog {
    return new Map([...this.store.all()].map((course) => [String(course.id), course]));
  }

  /** Changes courses on the site, as its editors and a colleague do. */
  changeOnSite(choose: (course: StoredCourse) => Record<string, unknown> | undefined): void {
    for (const course of this.catalog().values()) {
      const changes = choose(course);
      if (changes !== undefined) this.store.put({ ...course, ...changes });
    }
  }

  /** The course files in the folder. */
  async files(): Promise<Files> {
    const root = join(this.rig.folder, "courses");
    const found = await readdir(root, { recursive: true });
    const names = found.filter((name) => /\.(?:yaml|json)$/.test(name)).sort();
    const texts = names.map(
      async (name) => [name, await readFile(join(root, name), "utf8")] as const,
    );
    return new Map(await Promise.all(texts));
  }

  /** The text of a file in the folder. */
  async read(name: string): Promise<string> {
    return await readFile(join(this.rig.folder, name), "utf8");
  }

  /** Adds a course file. */
  async add(name: string, text: string): Promise<void> {
    await this.rig.write(`courses/${name}`, text);
    this.comments += countComments(text);
  }

  /** Removes a course file. */
  async remove(name: string): Promise<void> {
    const path = `courses/${name}`;
    this.comments -= countComments(await this.read(path));
    await rm(join(this.rig.folder, path));
  }

  /** Edits course files, as an author does. */
  async edit(change: (text: string, name: string) => string): Promise<void> {
    for (const [name, text] of await this.files()) {
      const changed = change(text, name);
      if (changed === text) continue;
      await this.rig.write(`courses/${name}`, changed);
      this.comments += countComments(changed) - countComments(text);
    }
  }
}

function storeFor(providers: readonly Provider[]): Store {
  return memoryStore({ users: [{ key: DEFAULT_KEY, providers, courses: [] }] });
}

function countMethods({ requests }: RunResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const method = request.slice(0, request.indexOf(" "));
    counts[method] = (counts[method] ?? 0) + 1;
  }
  return counts;
}

function describeRequests(counts: Readonly<Record<string, number | undefined>>): string {
  const sent = Object.entries(counts).flatMap(([method, count]) =>
    count === undefined ? [] : `${count} ${method}`,
  );
  return sent.length === 0 ? "It sent no request." : `Requests: ${sent.join(", ")}.`;
}

function shorten(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const omitted = lines.length - FIRST_LINES - LAST_LINES;
  if (text === "") return [];
  if (omitted <= 1) return lines;
  return [...lines.slice(0, FIRST_LINES), `… ${omitted} more lines …`, ...lines.slice(-LAST_LINES)];
}
