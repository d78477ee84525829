/** Prints the findings of `check` in the formats of `--output`. */
import type { Context } from "../../command-support/context.ts";
import { type FieldTree, NO_FIELDS } from "../../command-support/fields-flag.ts";
import {
  checkNamedFormat,
  rendererFor,
  requireMoreThanIds,
  type Showing,
} from "../../command-support/show.ts";
import { plain } from "../../output/color.ts";
import {
  type CheckReport,
  type Diagnostic,
  jsonReport,
  summaryText,
} from "../../output/diagnostics.ts";
import { capabilitiesOf, type Format } from "../../output/formats.ts";

const COLUMNS = ["file", "line", "column", "severity", "rule", "message", "suggestion"];
const HIDDEN = ["endLine", "endColumn", "path"];

const INSIDE: Readonly<Record<string, FieldTree>> = {
  ...Object.fromEntries([...COLUMNS, ...HIDDEN].map((key) => [key, NO_FIELDS])),
  path: { element: NO_FIELDS },
};

/** One row per finding. */
const ROWS: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: COLUMNS,
  hidden: HIDDEN,
  inside: INSIDE,
  optional: ["suggestion"],
  isLocal: true,
};

const DOCUMENT_KEYS = ["files", "courses", "errors", "warnings", "diagnostics"];

/** The complete report, as `--report json` writes it. */
const DOCUMENT: Showing = {
  kind: "single",
  columns: DOCUMENT_KEYS,
  allColumns: DOCUMENT_KEYS,
  inside: {
    ...Object.fromEntries(DOCUMENT_KEYS.map((key) => [key, NO_FIELDS])),
    diagnostics: { element: { keys: INSIDE } },
  },
  single: true,
  isLocal: true,
};

type Options = Pick<Context["options"], "format" | "fields">;

function showingIn(format: Format | undefined): Showing {
  return format !== undefined && capabilitiesOf(format).isDocument ? DOCUMENT : ROWS;
}

/** Checks the format and `--fields`, before anything is read. @throws CatalogError of kind `usage` */
export function checkFindingFormat(options: Options): void {
  requireMoreThanIds("check", options.format);
  checkNamedFormat(showingIn(options.format), options);
}

/**
 * Prints the findings: the report as one document, or one row per finding, with the summary on
 * standard error.
 */
export async function showFindings(
  { report, shown }: { readonly report: CheckReport; readonly shown: readonly Diagnostic[] },
  context: Pick<Context, "io" | "options" | "styles" | "messages">,
): Promise<void> {
  const showing = showingIn(context.options.format);
  const renderer = await rendererFor(showing, context);
  const { diagnostics } = jsonReport({ ...report, diagnostics: shown });
  const json = { ...jsonReport(report), diagnostics };
  const rows = showing === DOCUMENT ? [json] : json.diagnostics;
  await renderer.rows(rows.map((row) => ({ ...row })));
  await renderer.end();
  if (showing !== DOCUMENT) {
    const { files, courses, errors, warnings } = json;
    const counts = { files, courses, errors, warnings };
    await context.messages.info(`${summaryText(report, plain)}.`, { counts });
  }
}
