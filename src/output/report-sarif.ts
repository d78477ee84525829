/** Writes the result of a check as SARIF 2.1.0, as GitHub code scanning accepts it. */
import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Log, ReportingDescriptor, Result } from "sarif";
import { VERSION } from "../base/errors.ts";
import { escapeLine } from "../base/text.ts";
import { countOutcomes } from "../core/apply.ts";
import { RULE_GUIDE } from "../course/guide.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  joinSentences,
  type ReportEntry,
  reportEntries,
  splitBySeverity,
} from "./diagnostics.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/**
 * One run of the tool `catalog` with all rules and one result per problem, notice and failure. Results have no
 * fingerprints: GitHub's `upload-sarif` computes the only fingerprint that GitHub reads, and warns about others.
 */
export function sarifReport(report: CheckReport): Log {
  const { target, failures = [] } = report;
  const driver = {
    name: "catalog",
    version: VERSION,
    rules: RULES.map(describeRule),
  };
  const run = {
    tool: { driver },
    // By this id, GitHub separates the results of different commands.
    automationDetails: { id: `${commandOf(report).replaceAll(" ", "-")}/` },
    columnKind: "utf16CodeUnits" as const,
    properties: {
      ...(target && { target: describeTarget(target) }),
      counts: countAll(report),
    },
    invocations: [{ executionSuccessful: failures.length === 0 }],
    results: reportEntries(report).map(toResult),
  };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}

/** The counts of problems and courses, which tools/action/outputs.mjs reads. */
function countAll({ diagnostics, failures = [], results = [], plan }: CheckReport) {
  const { errors, warnings } = splitBySeverity(diagnostics);
  const { created, updated, deleted, unchanged, failed } = countOutcomes(
    results.map(({ action, status }) => ({ step: { action }, status })),
  );
  return {
    errors: errors.length + failures.length,
    warnings: warnings.length,
    created,
    updated,
    deleted,
    unchanged,
    drifted: (plan?.steps ?? []).filter(({ inCatalog }) => inCatalog !== undefined).length,
    failed,
  };
}

function toResult(entry: ReportEntry): Result {
  const { id, level, text, advice, file = ".", line = 1, column, endLine, endColumn } = entry;
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return {
    ruleId: id,
    level: level === "notice" ? "note" : level,
    message: { text: escapeMessage(escapeLine(joinSentences([text, advice]))) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriReference(file) }, region } }],
  };
}

/** The text without what SARIF interprets: links, and placeholders, which are numbers in braces. */
function escapeMessage(text: string): string {
  const unlinked = text.replaceAll("](", "] (");
  return /\{\d+\}|\{\{|\}\}/.test(unlinked) ? unlinked.replace(/[{}]/g, "$&$&") : unlinked;
}

function describeRule(id: RuleId): ReportingDescriptor {
  const { severity, summary, explanation, markdown } = RULE_GUIDE[id];
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: { text: `${summary} ${explanation}`, markdown },
    defaultConfiguration: { level: severity },
  };
}

/** A file's name as a URI reference, such as `courses/a%20b.yaml`: no part of a name becomes a scheme or a query. */
export function uriReference(name: string): string {
  if (isAbsolute(name)) return pathToFileURL(name).href;
  const segments = name.replaceAll(sep, "/").split("/");
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/");
}
