/** Runs the commands of a year, and compares what they send and change. */
import { readdir, readFile } from "node:fs/promises";
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

/** The commands that write course files. */
const WRITES_FILES = /--write-ids| pull /;
const NO_FILES: Files = new Map();

/** How many requests a command is expected to write with. */
export interface Expected {
  readonly POST?: number;
  readonly PATCH?: number;
}

/** The result of a command, with what it changed in the catalog. */
export interface Ran extends RunResult {
  readonly changes: Changes;
  /** The same for the course files; only commands that write files are examined. */
  readonly files: Changes;
}

/** A catalog on a test rig, and a folder with its course files. */
export class Year {
  readonly rig: Rig;
  readonly store: Store;
  /** How many comments the authors have written: no command may remove one. */
  comments = 0;

  private constructor(rig: Rig, store: Store) {
    this.rig = rig;
    this.store = store;
  }

  /** Starts with an empty catalog of these providers, and an empty folder. */
  static async start(providers: readonly Provider[]): Promise<Year> {
    const store = memoryStore({ users: [{ key: DEFAULT_KEY, providers, courses: [] }] });
    return new Year(await rig({ store }), store);
  }

  /** Runs a command, `catalog` and its words; `> file` at the end saves its output. */
  async run(command: string, expected: Expected = {}): Promise<Ran> {
    await this.rig.clock.sleep(1000);
    const before = this.catalog();
    const filesBefore = WRITES_FILES.test(command) ? await this.files() : NO_FILES;
    const [line = "", file] = command.split(" > ");
    const words = line.split(" ").slice(1);
    // One request at a time, so that the number of requests is always the same.
    const environment = { CATALOG_CONCURRENCY: "1" };
    const ran = await this.rig.run(words, { environment });
    if (file !== undefined) await this.rig.write(file, ran.stdout);
    const changes = compareCatalogs(before, this.catalog());
    const filesAfter = WRITES_FILES.test(command) ? await this.files() : NO_FILES;
    const files = compareFiles(filesBefore, filesAfter);
    const { GET: _, ...writes } = countMethods(ran);
    expect({ code: ran.code, ...writes }, `${command}\n${ran.stderr}`).toEqual({
      code: 0,
      ...expected,
    });
    // Courses are added, changed and removed by requests of those kinds only, and stay approved.
    expect([changes.added, changes.changed, changes.removed].map(({ length }) => length)).toEqual(
      ["POST", "PATCH", "DELETE"].map((method) => writes[method] ?? 0),
    );
    expect(changes.details).not.toHaveProperty("approval_status");
    return { ...ran, changes, files };
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

function countMethods({ requests }: RunResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const method = request.slice(0, request.indexOf(" "));
    counts[method] = (counts[method] ?? 0) + 1;
  }
  return counts;
}
