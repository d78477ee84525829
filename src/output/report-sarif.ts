/** Writes the result of a check as SARIF 2.1.0, as GitHub code scanning accepts it. */
import { sep } from "node:path";
import type { Location, Log, Notification, ReportingDescriptor, Result } from "sarif";
import { type CatalogError, HOME_PAGE } from "../base/errors.ts";
import { escapeLine, pluralize } from "../base/text.ts";
import { RULE_GUIDE } from "../course/guide.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import type { Diagnostic, FileRange } from "../files/diagnostic.ts";
import { VERSION } from "../version.ts";
import { plain } from "./color.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  joinSentences,
  splitBySeverity,
  suggestionText,
} from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";
import { rulePageText } from "./guide-pages.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** GitHub rejects a log with more results. If there are more problems, the errors come first. */
const MAX_RESULTS = 25_000;

/**
 * One run of the tool `catalog` with all rules and one result per problem. Results have no fingerprints:
 * GitHub's `upload-sarif` computes the only fingerprint that GitHub reads, and warns about others.
 */
export function sarifReport(report: CheckReport): Log {
  const { diagnostics, notices = [], failures = [], time } = report;
  const { errors, warnings } = splitBySeverity(diagnostics);
  const isTooMuch = diagnostics.length > MAX_RESULTS;
  const shown = isTooMuch ? [...errors, ...warnings].slice(0, MAX_RESULTS) : diagnostics;
  const more = diagnostics.length - shown.length;
  const notifications = [
    ...failures.map(failureNotification),
    ...notices.map(noteText),
    ...(more === 0 ? [] : [omittedNotification(more)]),
  ];
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "catalog",
            fullName: `catalog ${VERSION}`,
            version: VERSION,
            informationUri: HOME_PAGE,
            rules: RULES.map(describeRule),
          },
        },
        // By this id, GitHub separates the results of different commands.
        automationDetails: { id: `${commandOf(report).replaceAll(" ", "-")}/` },
        columnKind: "utf16CodeUnits",
        properties: {
          ...(report.target && { target: describeTarget(report.target) }),
          counts: countAll(report),
        },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            ...(time && {
              startTimeUtc: new Date(time.start).toISOString(),
              endTimeUtc: new Date(time.start + time.duration).toISOString(),
            }),
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        results: shown.map(toResult),
      },
    ],
  };
}

/** The counts of problems and courses, which tools/action/outputs.mjs reads. */
function countAll({ diagnostics, failures = [], results = [] }: CheckReport) {
  const { errors, warnings } = splitBySeverity(diagnostics);
  const changed = (wanted: string): number =>
    results.filter(
      ({ action, status }) => action === wanted && (status === "done" || status === "planned"),
    ).length;
  const ended = (wanted: string): number =>
    results.filter(({ status }) => status === wanted).length;
  return {
    errors: errors.length + failures.length,
    warnings: warnings.length,
    created: changed("create"),
    updated: changed("update"),
    deleted: changed("delete"),
    unchanged: ended("unchanged"),
    failed: ended("failed"),
  };
}

function omittedNotification(count: number): Notification {
  const text = `${pluralize(count, "more problem")} not shown, to limit the size of this report.`;
  return { level: "warning", message: { text } };
}

function failureNotification(failure: CatalogError): Notification {
  const { advice } = failure.facts;
  const text = joinSentences([failureSummary(failure), advice]);
  return {
    level: "error",
    descriptor: { id: failure.kind },
    message: { text: escapeMessage(escapeLine(text)) },
  };
}

function noteText(text: string): Notification {
  return { level: "note", message: { text: escapeMessage(escapeLine(text)) } };
}

function toResult(diagnostic: Diagnostic): Result {
  const { rule, severity, related = [] } = diagnostic;
  return {
    ruleId: rule,
    ruleIndex: RULES.indexOf(rule),
    level: severity,
    message: { text: messageText(diagnostic) },
    locations: [toLocation(diagnostic)],
    ...(related.length > 0 && {
      relatedLocations: related.map((other, index) => ({
        id: index + 1,
        ...toLocation(other),
        message: { text: escapeMessage(escapeLine(other.message)) },
      })),
    }),
  };
}

function toLocation({ file, line, column, endLine, endColumn }: FileRange): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriReference(file) },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

/** The problem, links to related positions, which GitHub shows only as links, and the notes. */
function messageText(diagnostic: Diagnostic): string {
  const { related = [], notes = [] } = diagnostic;
  const links = related.map(
    ({ message }, index) => `[${escapeLinkText(escapeMessage(escapeLine(message)))}](${index + 1})`,
  );
  const problem = escapeMessage(escapeLine(diagnostic.message));
  const first = links.length === 0 ? problem : `${problem}: ${links.join(", ")}`;
  const others = [suggestionText(diagnostic), ...notes.map(escapeLine)];
  return joinSentences([first, ...others.map((text) => text && escapeMessage(text))]);
}

/** The text without what SARIF interprets: links, and placeholders, which are numbers in braces. */
function escapeMessage(text: string): string {
  const unlinked = text.replaceAll("](", "] (");
  return /\{\d+\}|\{\{|\}\}/.test(unlinked) ? unlinked.replace(/[{}]/g, "$&$&") : unlinked;
}

function escapeLinkText(text: string): string {
  return text.replace(/[\\[\]]/g, "\\$&");
}

function describeRule(id: RuleId): ReportingDescriptor {
  const guide = RULE_GUIDE[id];
  const { severity, summary, explanation, markdown } = guide;
  return {
    id,
    // SARIF requires that a name differs from the id, and not only in case.
    ...(id.includes("-") && {
      name: id.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    }),
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: { text: rulePageText(id, guide, plain), markdown },
    defaultConfiguration: { level: severity },
    // GitHub shows problems of this precision by default, and first.
    properties: { precision: "very-high", "problem.severity": severity },
  };
}

/**
 * A file's name as a URI reference: relative as `courses/a%20b.yaml`, absolute as `file:///…`. No
 * part of a name becomes a scheme, a query or a fragment.
 *
 * @param windows whether backslashes separate folders, and drives and shares begin a path
 */
export function uriReference(name: string, windows = sep === "\\"): string {
  const path = windows ? name.replaceAll("\\", "/") : name;
  const [, share, inShare = ""] = /^\/\/(\w[\w.-]*)\/(.*)$/s.exec(path) ?? [];
  const [, drive, inDrive = ""] = /^([A-Za-z]:)\/(.*)$/s.exec(path) ?? [];
  if (windows && share !== undefined) return `file://${share}/${encodePath(inShare)}`;
  if (windows && drive !== undefined) return `file:///${drive}/${encodePath(inDrive)}`;
  if (path.startsWith("/")) return `file:///${encodePath(path)}`;
  return encodePath(path) || ".";
}

/** The path without empty and `.` segments: `./a//b` becomes `a/b`. */
function encodePath(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}
