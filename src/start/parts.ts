/** Loads the parts of the built program, as `require` would in several times the time. */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";

/** What a part exports. */
type Exports = Record<string, unknown>;

/** A part as it is built: a module of Node.js's older format within the function that it becomes. */
type Run = (
  exports: Exports,
  require: (wanted: string) => unknown,
  module: { exports: Exports },
  folder: string,
) => void;

/** The parts that have been loaded. */
export class Parts {
  readonly #folder: string;
  readonly #require: NodeJS.Require;
  readonly #code: ReadonlyMap<string, Buffer>;
  readonly #loaded = new Map<string, { exports: Exports }>();
  readonly #scripts = new Map<string, Script>();
  /** Whether some part came without code that V8 could use. */
  isNew = false;

  /**
   * @param folder where they are
   * @param require loads what belongs to Node.js
   * @param code what V8 made of the parts before, by their names
   */
  constructor(folder: string, require: NodeJS.Require, code: ReadonlyMap<string, Buffer>) {
    this.#folder = folder;
    this.#require = require;
    this.#code = code;
  }

  /** Loads a part, once. */
  load(name: string): Exports {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#loaded.set(name, module);
    const filename = `${this.#folder}/${name}`;
    const cachedData = this.#code.get(name);
    const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData });
    this.#scripts.set(name, script);
    this.isNew ||= cachedData === undefined || script.cachedDataRejected === true;
    const run = script.runInThisContext() as Run;
    run(module.exports, (wanted) => this.#wanted(wanted), module, this.#folder);
    return module.exports;
  }

  #wanted(wanted: string): unknown {
    return wanted.startsWith("./") ? this.load(wanted.slice(2)) : this.#require(wanted);
  }

  /** What V8 has made of the parts by now, with what it made before of those not loaded. */
  code(): Map<string, Buffer> {
    const all = new Map(this.#code);
    for (const [name, script] of this.#scripts) all.set(name, script.createCachedData());
    return all;
  }
}
