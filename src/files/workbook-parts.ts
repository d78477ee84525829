/** Unpacks the parts of a workbook (Office Open XML), up to a limit, and reads their XML while unpacking. */
import { Parser } from "htmlparser2";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { type CatalogError, unreadError } from "../base/errors.ts";
import { MAX_ELEMENTS, MAX_UNPACKED } from "./limits.ts";

/** Receives the elements of a part, by their names without prefixes: `row` for `<x:row>`. */
interface ElementReader {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  /** @param text the text directly in the element */
  readonly close?: (name: string, text: string) => void;
}

/** The element with phonetic hints, which are not part of the text. */
const HINT = "rPh";

/** The parts of a workbook by their names, such as `xl/workbook.xml`. */
export class WorkbookParts {
  readonly #file: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = MAX_UNPACKED;

  private constructor(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Reads the list of parts. @throws CatalogError of kind `file` if the bytes are not a ZIP archive */
  static async open(file: string, bytes: Buffer): Promise<WorkbookParts> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await fromBufferPromise(bytes, { autoClose: false });
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new WorkbookParts(file, zip, entries);
    } catch (cause) {
      throw damaged(file, `the archive is damaged (${Object(cause).message})`);
    }
  }

  /** The error for a workbook that breaks the rules of its format. @param reason a clause */
  damaged(reason: string): CatalogError {
    return damaged(this.#file, reason);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Reads the elements of a part, if the part exists. @throws CatalogError of kind `file` */
  async read(name: string, reader: ElementReader): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    // A small archive may unpack to any size. yauzl refuses entries that unpack to more than they declare.
    this.#left -= entry.uncompressedSize;
    if (this.#left < 0) throw tooLarge(this.#file);
    let depth = 0;
    let text = "";
    let hints = 0;
    const parser = new Parser(
      {
        onopentag: (tag, attributes) => {
          if (++depth > MAX_ELEMENTS) throw this.damaged("it has too many nested elements");
          text = "";
          if (localName(tag) === HINT) hints++;
          if (hints === 0) reader.open?.(localName(tag), attributes);
        },
        ontext: (part) => {
          text += part;
        },
        onclosetag: (tag) => {
          depth--;
          if (hints === 0) reader.close?.(localName(tag), text);
          if (localName(tag) === HINT) hints--;
          text = "";
        },
        // Spreadsheet programs write no document type; its entities could expand to text of any length.
        onprocessinginstruction: (_, instruction) => {
          if (/^!doctype/i.test(instruction)) {
            throw this.damaged("it has a document type definition");
          }
        },
      },
      { xmlMode: true },
    );
    for await (const chunk of this.#unpack(entry)) parser.write(chunk);
    parser.end();
  }

  async *#unpack(entry: Entry): AsyncGenerator<string, void> {
    try {
      yield* (await this.#zip.openReadStreamPromise(entry)).setEncoding("utf8");
    } catch (cause) {
      throw this.damaged(`${entry.fileName} cannot be unpacked (${Object(cause).message})`);
    }
  }
}

function damaged(file: string, reason: string): CatalogError {
  const advice = "Open the workbook in a spreadsheet program, and save it again as .xlsx.";
  return unreadError(file, "unreadable", `cannot read the workbook ${file}: ${reason}`, advice);
}

function tooLarge(file: string): CatalogError {
  const most = MAX_UNPACKED / 1024 / 1024;
  const message = `${file} is larger than ${most} MiB when unpacked, the limit for a workbook`;
  const advice = "Delete sheets that you do not need, or split the workbook.";
  return unreadError(file, "too-large", message, advice);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
