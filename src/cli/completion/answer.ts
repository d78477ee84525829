/** What the program answers a shell that completes a word, and how it is written. */
import { escapeLine } from "../../base/text.ts";

/** A string that the word may become. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * What the shell does besides offering the candidates.
 *
 * - `end`: nothing
 * - `nospace`: it adds no space, because the word continues
 * - `files`: it offers files with these extensions (all if there are none), after the prefix
 * - `folders`: it offers folders, after the prefix
 * - `command`: it completes another command line, which starts after that many words
 */
export type Directive =
  | { readonly kind: "end" | "nospace" }
  | { readonly kind: "files"; readonly extensions: readonly string[]; readonly prefix: string }
  | { readonly kind: "folders"; readonly prefix: string }
  | { readonly kind: "command"; readonly start: number };

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

export const FOLDERS: Answer = { candidates: [], directive: { kind: "folders", prefix: "" } };

export function files(extensions: readonly string[] = []): Answer {
  return { candidates: [], directive: { kind: "files", extensions, prefix: "" } };
}

/** Candidates without descriptions. */
export function plainCandidates(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }));
}

/** The answer for a word with this prefix, given the answer for the rest of the word. */
export function withPrefix(prefix: string, { candidates, directive }: Answer): Answer {
  return {
    candidates: candidates.map((each) => ({ ...each, value: prefix + each.value })),
    directive:
      "prefix" in directive ? { ...directive, prefix: prefix + directive.prefix } : directive,
  };
}

/**
 * The answer for the scripts: candidates with their descriptions after a tab, then the directive.
 */
export function answerText({ candidates, directive }: Answer): string {
  const lines = candidates
    .filter(({ value }) => escapeLine(value) === value)
    .map(({ value, description = "" }) =>
      description === "" ? value : `${value}\t${description}`,
    );
  // A line break before an `=` would end the answer early.
  const isUnsafe = "prefix" in directive && escapeLine(directive.prefix) !== directive.prefix;
  return `${[...lines, directiveLine(isUnsafe ? NOTHING.directive : directive)].join("\n")}\n`;
}

function directiveLine(directive: Directive): string {
  switch (directive.kind) {
    case "files":
      return `:files\t${directive.extensions.join(" ")}\t${directive.prefix}`;
    case "folders":
      return `:folders\t${directive.prefix}`;
    case "command":
      return `:command\t${directive.start}`;
    case "end":
    case "nospace":
      return `:${directive.kind}`;
  }
}
