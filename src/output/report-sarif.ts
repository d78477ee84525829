/** Writes what a check came to as SARIF 2.1.0, as GitHub's code scanning takes it. */
import type { Location, Log, Notification, Region, Result } from "sarif";
import { escapeLine, pluralize } from "../base/text.ts";
import { RULES } from "../course/problem.ts";
import type { CheckReport, Diagnostic } from "./diagnostic.ts";
import { replacementOf } from "./report-sarif-fix.ts";
import { sarifRules } from "./report-sarif-rules.ts";
import { uriReference } from "./report-uri.ts";
import { findingText } from "./report-words.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** GitHub refuses a log with more results than this. */
const MOST_RESULTS = 25_000;

/**
 * One run of the tool `catalog` with a result per finding. It has no fingerprints: GitHub's
 * `upload-sarif` makes the only one that GitHub reads from the file's own lines, and complains of
 * any other.
 */
export function sarifReport({ diagnostics }: CheckReport, version: string): Log {
  const results = mostImportant(diagnostics).map(resultOf);
  const more = diagnostics.length - results.length;
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "catalog", version, rules: sarifRules() } },
        columnKind: "utf16CodeUnits",
        invocations: [
          {
            executionSuccessful: true,
            ...(more === 0 ? {} : { toolExecutionNotifications: [leftOut(more)] }),
          },
        ],
        results,
      },
    ],
  };
}

/** All findings, or as many as GitHub takes, errors first. */
function mostImportant(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= MOST_RESULTS) return diagnostics;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  return [...errors, ...warnings].slice(0, MOST_RESULTS);
}

function leftOut(more: number): Notification {
  const text = `There was no room here for ${pluralize(more, "more finding")}.`;
  return { level: "warning", message: { text } };
}

function resultOf(diagnostic: Diagnostic): Result {
  const { rule, severity, related = [] } = diagnostic;
  const replacement = replacementOf(diagnostic);
  return {
    ruleId: rule,
    ruleIndex: RULES.indexOf(rule),
    level: severity,
    message: { text: messageOf(diagnostic) },
    locations: [locationOf(diagnostic)],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((place, index) => ({
            id: index + 1,
            ...locationOf(place),
            message: { text: withoutMarkup(escapeLine(place.message)) },
          })),
        }),
    ...(replacement === undefined ? {} : { fixes: [fixOf(diagnostic, replacement)] }),
  };
}

/** A place in a file: a finding's own, or another that it speaks of. */
type Place = Pick<Diagnostic, "file" | "line" | "column" | "endLine" | "endColumn">;

function locationOf(place: Place): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriReference(place.file) },
      region: regionOf(place),
    },
  };
}

function regionOf({ line, column, endLine, endColumn }: Place): Region {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function fixOf(place: Place, text: string): NonNullable<Result["fixes"]>[number] {
  const replacements = [{ deletedRegion: regionOf(place), insertedContent: { text } }];
  const artifactLocation = { uri: uriReference(place.file) };
  return { artifactChanges: [{ artifactLocation, replacements }] };
}

/** The finding, then links to the other places, which GitHub shows only so, then what helps. */
function messageOf(diagnostic: Diagnostic): string {
  const { related = [], notes = [] } = diagnostic;
  const links = related.map(
    ({ message }, index) => `[${linkText(withoutMarkup(escapeLine(message)))}](${index + 1})`,
  );
  const finding = withoutMarkup(findingText(diagnostic));
  const first = links.length === 0 ? finding : `${finding}: ${links.join(", ")}`;
  if (notes.length === 0) return first;
  return [`${first}.`, ...notes.map((note) => withoutMarkup(escapeLine(note)))].join(" ");
}

/**
 * A message without what SARIF reads in one: links of the text's own, and numbers in braces, which
 * stand for arguments. Braces that nobody can misread are left as they are.
 */
function withoutMarkup(text: string): string {
  const unlinked = text.replaceAll("](", "] (");
  return /\{\d+\}|\{\{|\}\}/.test(unlinked) ? unlinked.replace(/[{}]/g, "$&$&") : unlinked;
}

function linkText(text: string): string {
  return text.replace(/[\\[\]]/g, "\\$&");
}
