/** Writes courses in many styles and records the position of each key and value. */

/** Lines and columns start at 1; columns count UTF-16 code units; the end is exclusive. */
export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The position of a value, and of its key if it has one. */
export interface Location {
  readonly key?: Range;
  readonly value: Range;
}

type Steps = readonly (string | number)[];

/** A file's text and the positions in it. */
export interface PositionedText {
  readonly text: string;
  /** The location at a path in the course with that index; undefined if there is nothing. */
  readonly find: (course: number, steps: Steps) => Location | undefined;
}

/** How a style writes a file. */
export interface Layout {
  /** YAML block style, or the brackets of JSON and YAML flow style. */
  readonly form: "blocks" | "brackets";
  readonly key: (name: string) => string;
  /** Formats a scalar; in blocks, an empty string has the position of its key or dash. */
  readonly scalar: (value: unknown) => string;
  /** How a file contains several courses; by default it has one. */
  readonly several?: "list" | "documents";
  /** Whether the file starts with a byte order mark. */
  readonly marked?: boolean;
  /** The line ending; a line feed by default. */
  readonly newline?: string;
  /** In brackets: one level of indentation; without it everything is on one line. */
  readonly indent?: string;
  /** In brackets: what follows a colon, and a comma within a line. */
  readonly gap?: string;
  /** In blocks: the text before a scalar, after one space. */
  readonly before?: (value: unknown) => string;
  /** In blocks: the comment after each scalar, and the lines after it. */
  readonly after?: readonly [comment: string, ...lines: string[]];
  /** In blocks: keys are written `? key` on a separate line. */
  readonly explicitKeys?: boolean;
}

/** Writes courses and records the position of each part. */
export function writeWithPositions(courses: readonly unknown[], layout: Layout): PositionedText {
  const writer = new Writer(layout);
  if (layout.several === "list") {
    writer.value(courses, []);
  } else {
    for (const [index, course] of courses.entries()) {
      if (index > 0) writer.separate();
      writer.value(course, [index]);
    }
  }
  const { locations } = writer;
  return {
    text: `${layout.marked === true ? "\ufeff" : ""}${writer.end()}`,
    find: (course, steps) => locations.get(JSON.stringify([course, ...steps])),
  };
}

type Position = readonly [line: number, column: number];

function rangeOf([line, column]: Position, [endLine, endColumn]: Position): Range {
  return { line, column, endLine, endColumn };
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A file under construction, with the current position. */
class Writer {
  readonly locations = new Map<string, Location>();
  readonly #layout: Layout;
  #text = "";
  #line = 1;
  #column = 1;
  /** A comment that ends the current line; not part of a value. */
  #comment = "";
  /** The end of the last value; anything written since is layout. */
  #valueEnd: Position = [1, 1];

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Writes a value at the current position. */
  value(value: unknown, steps: Steps): void {
    this.#value(value, steps, "", undefined);
  }

  /** Ends a document and begins another. */
  separate(): void {
    this.#newLine("---");
    this.#newLine("");
  }

  /** Ends the last line. @returns the complete text */
  end(): string {
    this.#newLine("");
    return this.#text;
  }

  #value(value: unknown, steps: Steps, indent: string, key: Range | undefined): void {
    const start = this.#position();
    if (!isNested(value)) {
      this.#write(this.#scalar(value));
      this.#valueEnd = this.#position();
    } else if (this.#layout.form === "blocks") {
      this.#block(value, steps, indent);
    } else {
      this.#brackets(value, steps, indent);
    }
    this.#record(steps, key, rangeOf(start, this.#valueEnd));
  }

  #record(steps: Steps, key: Range | undefined, value: Range): void {
    this.#valueEnd = [value.endLine, value.endColumn];
    this.locations.set(JSON.stringify(steps), key === undefined ? { value } : { key, value });
  }

  #scalar(value: unknown): string {
    if (Array.isArray(value)) return "[]";
    return typeof value === "object" && value !== null ? "{}" : this.#layout.scalar(value);
  }

  #block(value: object, steps: Steps, indent: string): void {
    const deeper = `${indent}  `;
    const ofList = Array.isArray(value);
    for (const [index, [name, item]] of Object.entries(value).entries()) {
      if (index > 0) this.#newLine(indent);
      const key = ofList ? undefined : this.#key(name, indent);
      const start = this.#position();
      this.#write(ofList ? "-" : ":");
      const lead = key ?? rangeOf(start, this.#position());
      const nested = isNested(item);
      const path = [...steps, ofList ? index : name];
      if (!nested && this.#scalar(item) === "") {
        this.#record(path, key, lead);
      } else {
        if (nested && !ofList) this.#newLine(deeper);
        else this.#write(` ${nested ? "" : (this.#layout.before?.(item) ?? "")}`);
        this.#value(item, path, deeper, key);
      }
      if (!nested) this.#writeComment(deeper);
    }
  }

  #writeComment(indent: string): void {
    const [comment = "", ...lines] = this.#layout.after ?? [];
    this.#comment = comment;
    for (const line of lines) this.#newLine(line === "" ? "" : indent + line);
  }

  #brackets(value: object, steps: Steps, indent: string): void {
    const { gap = "" } = this.#layout;
    const onOneLine = this.#layout.indent === undefined;
    const deeper = indent + (this.#layout.indent ?? "");
    const ofList = Array.isArray(value);
    this.#write(ofList ? "[" : "{");
    for (const [index, [name, item]] of Object.entries(value).entries()) {
      if (index > 0) this.#write(onOneLine ? `,${gap}` : ",");
      if (!onOneLine) this.#newLine(deeper);
      const key = ofList ? undefined : this.#key(name, deeper);
      if (!ofList) this.#write(`:${gap}`);
      this.#value(item, [...steps, ofList ? index : name], deeper, key);
    }
    if (!onOneLine) this.#newLine(indent);
    this.#write(ofList ? "]" : "}");
    this.#valueEnd = this.#position();
  }

  #key(name: string, indent: string): Range {
    const explicit = this.#layout.explicitKeys === true;
    if (explicit) this.#write("? ");
    const start = this.#position();
    this.#write(this.#layout.key(name));
    const range = rangeOf(start, this.#position());
    if (explicit) this.#newLine(indent);
    return range;
  }

  #position(): Position {
    return [this.#line, this.#column];
  }

  /** Writes a string without line breaks. */
  #write(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }

  #newLine(start: string): void {
    this.#text += this.#comment + (this.#layout.newline ?? "\n");
    this.#comment = "";
    this.#line += 1;
    this.#column = 1;
    this.#write(start);
  }
}
