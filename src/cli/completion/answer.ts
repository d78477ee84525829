/** What the program tells a shell that completes a word, and how it is written down. */

import { escapeLine } from "../../base/text.ts";

/** A text that the word may become. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/**
 * What the shell does beside offering the candidates.
 *
 * - `end`: nothing
 * - `nospace`: it puts no blank behind the word, which goes on
 * - `files`: it offers files of these extensions, all where there are none, behind a part of the word
 * - `folders`: it offers folders, behind a part of the word
 * - `command`: it completes a command line of its own, which begins behind that many words
 */
export type Directive =
  | { readonly kind: "end" | "nospace" }
  | { readonly kind: "files"; readonly extensions: readonly string[]; readonly behind: string }
  | { readonly kind: "folders"; readonly behind: string }
  | { readonly kind: "command"; readonly begins: number };

/** An answer to a shell. */
export interface Answer {
  readonly candidates: readonly Candidate[];
  readonly directive: Directive;
}

/** Candidates after which the word has ended. */
export function whole(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "end" } };
}

/** Candidates that are only the beginning of a word. */
export function begun(candidates: readonly Candidate[]): Answer {
  return { candidates, directive: { kind: "nospace" } };
}

/** Nothing to offer, and no files either. */
export const NOTHING: Answer = whole([]);

/** Files of these extensions, or all. */
export function files(extensions: readonly string[] = []): Answer {
  return { candidates: [], directive: { kind: "files", extensions, behind: "" } };
}

/** Folders. */
export const FOLDERS: Answer = { candidates: [], directive: { kind: "folders", behind: "" } };

/** The answer for a word that has another text in front. */
export function behind(front: string, { candidates, directive }: Answer): Answer {
  return {
    candidates: candidates.map((candidate) => ({
      ...candidate,
      value: `${front}${candidate.value}`,
    })),
    directive:
      "behind" in directive ? { ...directive, behind: front + directive.behind } : directive,
  };
}

/** The answer without what the word that is typed so far cannot become. */
export function fitting(word: string, { candidates, directive }: Answer): Answer {
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), directive };
}

/**
 * The answer as the scripts read it: a candidate a line, its description behind a tab; last the
 * directive behind a colon. A value with control characters is left out, and so are files behind one.
 */
export function answerText({ candidates, directive }: Answer): string {
  const lines = candidates
    .filter(({ value }) => escapeLine(value) === value)
    .map(({ value, description = "" }) =>
      description === "" ? value : `${value}\t${description}`,
    );
  // What is typed before an `=` may hold anything, and a line end would be the end of the answer.
  const isOdd = "behind" in directive && escapeLine(directive.behind) !== directive.behind;
  return `${[...lines, directiveLine(isOdd ? NOTHING.directive : directive)].join("\n")}\n`;
}

function directiveLine(directive: Directive): string {
  switch (directive.kind) {
    case "files":
      return `:files\t${directive.extensions.join(" ")}\t${directive.behind}`;
    case "folders":
      return `:folders\t${directive.behind}`;
    case "command":
      return `:command\t${directive.begins}`;
    case "end":
    case "nospace":
      return `:${directive.kind}`;
  }
}
