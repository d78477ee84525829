/** The answer of completion to the shell. */
import { escapeLine } from "../../base/text.ts";

/** A word that completion offers. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * What the shell does besides offering the candidates.
 *
 * - `end`: nothing
 * - `nospace`: the shell adds no space, because the word continues
 * - `files`: the shell offers files with these extensions, or all files if there are none, after the prefix
 * - `folders`: the shell offers folders, after the prefix
 */
type Directive =
  | { readonly kind: "end" | "nospace" }
  | { readonly kind: "files"; readonly extensions: readonly string[]; readonly prefix: string }
  | { readonly kind: "folders"; readonly prefix: string };

export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly directive: Directive;
}

/** Offers complete words. */
export function finished(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "end" } };
}

/** Offers beginnings of words. */
export function partial(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "nospace" } };
}

/** Offers nothing, not even files. */
export const NOTHING: Answer = finished([]);

/** Lets the shell offer files: with these extensions, or all files if there are none. */
export function files(extensions: readonly string[] = []): Answer {
  return { candidates: [], directive: { kind: "files", extensions, prefix: "" } };
}

/** Candidates without descriptions. */
export function plainCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** Adds a prefix to the answer for the rest of a word: `--output=` to the answer for `js`. */
export function withPrefix(prefix: string, { candidates, directive }: Answer): Answer {
  return {
    candidates: candidates.map((each) => ({ ...each, value: prefix + each.value })),
    directive:
      "prefix" in directive ? { ...directive, prefix: prefix + directive.prefix } : directive,
  };
}

/**
 * The answer as the shell scripts read it: one candidate per line, with its description after a tab, then the
 * directive.
 */
export function answerText({ candidates, directive }: Answer): string {
  const lines = candidates
    .filter(({ value }) => escapeLine(value) === value)
    .map(({ value, description = "" }) =>
      description === "" ? value : `${value}\t${description}`,
    );
  // A prefix with a line break would end the answer early.
  const isUnsafe = "prefix" in directive && escapeLine(directive.prefix) !== directive.prefix;
  return `${[...lines, directiveLine(isUnsafe ? NOTHING.directive : directive)].join("\n")}\n`;
}

function directiveLine(directive: Directive): string {
  if (directive.kind === "files") {
    return `:files\t${directive.extensions.join(" ")}\t${directive.prefix}`;
  }
  return directive.kind === "folders" ? `:folders\t${directive.prefix}` : `:${directive.kind}`;
}

/** The answer for a list such as `a,b,c`: completes its last entry, without entries that the list has already. */
export function listAnswer(typed: string, values: readonly string[]): Answer {
  const prefix = typed.slice(0, typed.lastIndexOf(",") + 1);
  const used = prefix.split(",").map((entry) => entry.trim());
  return withPrefix(
    prefix,
    partial(plainCandidates(values.filter((each) => !used.includes(each)))),
  );
}
