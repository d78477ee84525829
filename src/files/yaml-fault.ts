/** Says where a text stops being YAML, as a person would: the parser has often read on. */
import type { YAMLException } from "js-yaml";
import type { Span } from "./position.ts";

/** The place of what the parser refused. */
export function yamlFault({ reason, mark }: YAMLException, text: string): Span {
  const end = text.trimEnd().length;
  const at = Math.min(mark?.position ?? 0, text.length);
  if (reason.startsWith("unidentified alias")) return oneAt(at - 1);
  if (/YAML (?:directive|version)|TAG directive/.test(reason)) return oneAt(lineBefore(text, at));
  if (reason.includes("multiline key"))
    return oneAt(at >= end ? lineOf(text, end) : lineBefore(text, at));
  return at >= end ? { start: end, end } : oneAt(at);
}

/** What the parser refused, in words that say what to do, where its own do not. */
export function yamlReason({ reason, mark }: YAMLException, text: string): string {
  const found = text[mark?.position ?? 0] ?? "";
  if (found === "\t") return "a tab stands where only blanks may";
  if (reason === "deficient indentation") {
    return "what goes on in quotation marks or brackets is indented further than its key, and so is the end of it";
  }
  if (/[@`]/.test(found)) return `a text that begins with ${found} needs quotation marks`;
  if (found === ":" && reason.startsWith("bad indentation")) {
    return "a text that holds a colon and a blank needs quotation marks, and a key stands as far in as its neighbours";
  }
  if (reason.includes("complex keys")) return "a key is a text, not a list or a mapping";
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}

/** The parser's words may quote the text. */
const LONGEST_REASON = 200;

/** The opening of the mapping or list in which the parser was when it had enough. */
export function openingBefore({ mark }: YAMLException, text: string): Span {
  const at = Math.min(mark?.position ?? 0, text.length);
  const opening = text.slice(0, at).trimEnd().length - 1;
  return oneAt(/[[{-]/.test(text[opening] ?? "") ? opening : at);
}

function oneAt(start: number): Span {
  return { start, end: start + 1 };
}

/** The first character of the last line before this one that is not blank. */
function lineBefore(text: string, at: number): number {
  return lineOf(text, text.slice(0, startOf(text, at)).trimEnd().length);
}

function lineOf(text: string, at: number): number {
  const start = startOf(text, at);
  return start + (/^[ \t]*/.exec(text.slice(start, at))?.[0].length ?? 0);
}

function startOf(text: string, at: number): number {
  return Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
}
