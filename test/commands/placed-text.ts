/** Writes courses as texts of many styles, and counts where each key and value came to stand. */

/** From 1, columns in UTF-16 units, the end past the last one. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where a value stands, and its key if it has one. */
export interface Spot {
  readonly key?: Place;
  readonly value: Place;
}

type Steps = readonly (string | number)[];

/** A text, and the spots in it. */
export interface PlacedText {
  readonly text: string;
  /** The spot at a path from the course of that number; undefined where nothing stands. */
  readonly spot: (course: number, steps: Steps) => Spot | undefined;
}

/** How one style writes a text. */
export interface Manner {
  /** Blocks of YAML, one line for each value, or the brackets of JSON and YAML. */
  readonly form: "blocks" | "brackets";
  readonly key: (name: string) => string;
  /** A value that holds no others; in blocks, an empty text has the place of its key, or of its dash. */
  readonly scalar: (value: unknown) => string;
  /** How several courses stand in one text; without it, there is one. */
  readonly several?: "list" | "documents";
  /** A byte order mark stands at the start. */
  readonly marked?: boolean;
  /** Ends every line; a line feed unless given. */
  readonly newline?: string;
  /** In brackets: one level of indentation; everything stands on one line without it. */
  readonly indent?: string;
  /** In brackets: what follows a colon, and a comma within a line. */
  readonly gap?: string;
  /** In blocks: what stands before a single value, after one blank. */
  readonly before?: (value: unknown) => string;
  /** In blocks: what follows each single value on its line, and the lines after it. */
  readonly after?: readonly [comment: string, ...lines: string[]];
  /** In blocks: keys are written `? key` on a line of their own. */
  readonly explicitKeys?: boolean;
}

/** Writes courses, and counts where their parts stand. */
export function writePlaced(courses: readonly unknown[], manner: Manner): PlacedText {
  const writer = new Writer(manner);
  if (manner.several === "list") {
    writer.value(courses, []);
  } else {
    for (const [index, course] of courses.entries()) {
      if (index > 0) writer.separate();
      writer.value(course, [index]);
    }
  }
  const { spots } = writer;
  return {
    text: `${manner.marked === true ? "\ufeff" : ""}${writer.end()}`,
    spot: (course, steps) => spots.get(JSON.stringify([course, ...steps])),
  };
}

type Point = readonly [line: number, column: number];

function between([line, column]: Point, [endLine, endColumn]: Point): Place {
  return { line, column, endLine, endColumn };
}

function holdsOthers(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A text under construction that knows where it stands. */
class Writer {
  readonly spots = new Map<string, Spot>();
  readonly #manner: Manner;
  #text = "";
  #line = 1;
  #column = 1;
  /** Ends the present line, but belongs to no value. */
  #comment = "";
  /** Where the last value ended; what was written since is layout. */
  #ended: Point = [1, 1];

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  /** Writes a value whose first line begins here. */
  value(value: unknown, steps: Steps): void {
    this.#value(value, steps, "", undefined);
  }

  /** Ends a document and begins another. */
  separate(): void {
    this.#turn("---");
    this.#turn("");
  }

  /** Ends the last line. @returns the whole text */
  end(): string {
    this.#turn("");
    return this.#text;
  }

  #value(value: unknown, steps: Steps, indent: string, key: Place | undefined): void {
    const start = this.#point();
    if (!holdsOthers(value)) {
      this.#put(this.#single(value));
      this.#ended = this.#point();
    } else if (this.#manner.form === "blocks") {
      this.#block(value, steps, indent);
    } else {
      this.#brackets(value, steps, indent);
    }
    this.#note(steps, key, between(start, this.#ended));
  }

  #note(steps: Steps, key: Place | undefined, value: Place): void {
    this.#ended = [value.endLine, value.endColumn];
    this.spots.set(JSON.stringify(steps), key === undefined ? { value } : { key, value });
  }

  #single(value: unknown): string {
    if (Array.isArray(value)) return "[]";
    return typeof value === "object" && value !== null ? "{}" : this.#manner.scalar(value);
  }

  #block(value: object, steps: Steps, indent: string): void {
    const deeper = `${indent}  `;
    const ofList = Array.isArray(value);
    for (const [index, [name, item]] of Object.entries(value).entries()) {
      if (index > 0) this.#turn(indent);
      const key = ofList ? undefined : this.#key(name, indent);
      const start = this.#point();
      this.#put(ofList ? "-" : ":");
      const lead = key ?? between(start, this.#point());
      const nested = holdsOthers(item);
      const path = [...steps, ofList ? index : name];
      if (!nested && this.#single(item) === "") {
        this.#note(path, key, lead);
      } else {
        if (nested && !ofList) this.#turn(deeper);
        else this.#put(` ${nested ? "" : (this.#manner.before?.(item) ?? "")}`);
        this.#value(item, path, deeper, key);
      }
      if (!nested) this.#remark(deeper);
    }
  }

  #remark(indent: string): void {
    const [comment = "", ...lines] = this.#manner.after ?? [];
    this.#comment = comment;
    for (const line of lines) this.#turn(line === "" ? "" : indent + line);
  }

  #brackets(value: object, steps: Steps, indent: string): void {
    const { gap = "" } = this.#manner;
    const onOneLine = this.#manner.indent === undefined;
    const deeper = indent + (this.#manner.indent ?? "");
    const ofList = Array.isArray(value);
    this.#put(ofList ? "[" : "{");
    for (const [index, [name, item]] of Object.entries(value).entries()) {
      if (index > 0) this.#put(onOneLine ? `,${gap}` : ",");
      if (!onOneLine) this.#turn(deeper);
      const key = ofList ? undefined : this.#key(name, deeper);
      if (!ofList) this.#put(`:${gap}`);
      this.#value(item, [...steps, ofList ? index : name], deeper, key);
    }
    if (!onOneLine) this.#turn(indent);
    this.#put(ofList ? "]" : "}");
    this.#ended = this.#point();
  }

  #key(name: string, indent: string): Place {
    const explicit = this.#manner.explicitKeys === true;
    if (explicit) this.#put("? ");
    const start = this.#point();
    this.#put(this.#manner.key(name));
    const place = between(start, this.#point());
    if (explicit) this.#turn(indent);
    return place;
  }

  #point(): Point {
    return [this.#line, this.#column];
  }

  /** Writes a text without line ends. */
  #put(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }

  #turn(start: string): void {
    this.#text += this.#comment + (this.#manner.newline ?? "\n");
    this.#comment = "";
    this.#line += 1;
    this.#column = 1;
    this.#put(start);
  }
}
