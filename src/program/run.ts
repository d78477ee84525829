/** Runs a command line: words → command → exit code. docs/contributing/architecture.md follows one from the shell to the exit code. */

import { parseArgs } from "node:util";
import { guardedOutput, Secrets } from "../base/credentials.ts";
import { asCatalogError } from "../base/errors.ts";
import { exitCode, ReportedError, STOP_CODES } from "../cli/command.ts";
import type { System } from "../cli/context.ts";
import type { reporting } from "../cli/write-reports.ts";
import { hasJsonMessages } from "../output/formats.ts";
import { type MessageOptions, Messages } from "../output/messages.ts";
import { hasColor, stylesFor } from "../output/text-measure.ts";
import { SETTINGS } from "../settings/table.ts";
import { parseCommandLine } from "./program.ts";

/** The flags that decide how an error of the command line itself is shown. */
const EARLY_FLAGS = {
  output: { type: "string", short: "o" },
  verbose: { type: "boolean", short: "v" },
} as const;

/** Runs the words after `catalog`. @param unmasked the system, whose outputs may show secrets @returns the exit code */
export async function run(argv: readonly string[], unmasked: System): Promise<number> {
  const secrets = new Secrets();
  const { io, environment } = unmasked;
  const out = guardedOutput(io.out, secrets, environment);
  const err = guardedOutput(io.err, secrets, environment);
  const system: System = { ...unmasked, io: { ...io, out, err } };
  const { values } = parseArgs({ args: [...argv], options: EARLY_FLAGS, strict: false });
  const early = {
    json: argv.includes("--json") || hasJsonMessages(values.output),
    quiet: false,
    verbose: values.verbose === true,
    color: !argv.includes("--no-color"),
  };
  let messages = await createMessages(system, early);
  try {
    // Longer lines are hard to read.
    const line = await parseCommandLine(argv, Math.min(out.columns, 100));
    if ("page" in line) {
      await system.io.out.write(line.page);
      return endCode(messages, system);
    }
    const { command, path, typed, input, options, files } = line;
    if (!command.showsKey) maskKey(system, secrets);
    messages = await createMessages(system, options);
    if (files.written.length > 0) {
      await (await import("./outputs.ts")).checkOutputs(files, options.settings.config, system);
    }
    // Help needs no context, and neither does a wrong command line.
    const { createContext } = await import("./context.ts");
    const { context, close } = await createContext(system, { path, options, messages }, secrets);
    try {
      const work = command.run(input, context);
      const code = await (work instanceof Promise ? work : runStages(work, typed, context));
      if (typeof code === "number") return exitCode(messages.kinds) || code;
    } finally {
      await close();
    }
  } catch (thrown) {
    maskKey(system, secrets);
    const error = asCatalogError(thrown);
    const isEnd = error.kind === "interrupted" || error.kind === "cancelled";
    if (error.kind === "cancelled") await messages.info(error.message);
    if (isEnd || error instanceof ReportedError) messages.record(error.kind);
    else await messages.fail(error);
  }
  return endCode(messages, system);
}

/** Does the work of a command in stages, from which its reports are written. */
async function runStages(...work: Parameters<typeof reporting>): ReturnType<typeof reporting> {
  return await (await import("../cli/write-reports.ts")).reporting(...work);
}

function endCode({ kinds }: Messages, { stop }: System): number {
  return stop.reason === undefined ? exitCode(kinds) : STOP_CODES[stop.reason];
}

/** Masks the API key of the environment, before the settings are read. */
function maskKey({ environment }: System, secrets: Secrets): void {
  secrets.add(environment[SETTINGS.apiKey.variable]?.trim() ?? "");
}

async function createMessages(
  system: System,
  options: Omit<MessageOptions, "err" | "styles"> & { readonly color: boolean },
): Promise<Messages> {
  const isColored = hasColor(system.io.err, system.environment, options.color);
  return new Messages({ ...options, err: system.io.err, styles: await stylesFor(isColored) });
}
