/** Runs a command line: arguments → command → exit code. */
import { asCatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/http.ts";
import { guardedOutput, Secrets } from "../base/secrets.ts";
import type { CommandWords } from "../command-support/arguments.ts";
import type { AnyCommand } from "../command-support/command.ts";
import type { System } from "../command-support/context.ts";
import { exitCode, ReportedError, STOP_CODES } from "../command-support/exit-codes.ts";
import { parseGlobals } from "../command-support/globals.ts";
import { type PagedOutput, pagerWords, startPager } from "../command-support/pager.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { FORMATS, hasJsonMessages } from "../output/formats.ts";
import { Messages } from "../output/messages.ts";
import { SETTINGS } from "../settings/table.ts";
import { createContext } from "./context.ts";
import { loadPageStyle } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";

/** Runs one command line. @returns its exit code, as `catalog help exit-codes` lists them */
export async function run(argv: readonly string[], unmasked: System): Promise<number> {
  const secrets = new Secrets();
  const { io, environment } = unmasked;
  const out = guardedOutput(io.out, secrets, environment);
  const err = guardedOutput(io.err, secrets, environment);
  const system: System = { ...unmasked, io: { ...io, out, err } };
  let messages = await createMessages(system, messageOptions({}));
  // The command line while its command has not begun: a refusal is also part of its reports.
  let waiting: (Pick<CommandWords, "flags"> & { readonly path: string }) | undefined;
  try {
    const parsed = await parseArguments(argv);
    const early = messageOptions(parsed.flags);
    messages = await createMessages(system, early);
    if ("path" in parsed) waiting = { path: parsed.path ?? "", flags: parsed.flags };
    if ("error" in parsed) throw parsed.error;
    if ("print" in parsed) {
      const paged = await openPager(unmasked, parsed.flags, true);
      const text = parsed.print(await loadPageStyle(system, early.color));
      await (paged ?? system.io.out).write(text);
      await paged?.end();
      return 0;
    }
    const { command, path, words } = parsed;
    if (!command.showsKey) maskKey(system, secrets);
    const options = parseGlobals(globalFlags(command, words));
    messages = await createMessages(system, { ...early, quiet: options.quiet });
    const input = command.parse(words);
    const paged = await openPager(unmasked, words.flags, command.isLong?.(input) === true);
    const out = paged === undefined ? system.io.out : guardedOutput(paged, secrets, environment);
    const shown: System = { ...system, io: { ...system.io, out } };
    const context = await createContext(shown, { path, options, messages }, secrets);
    waiting = undefined;
    try {
      const code = await command.run(input, context);
      if (typeof code === "number") return code;
    } finally {
      await context.close();
      await paged?.end();
    }
    return stopCode(system) ?? exitCode(messages.kinds);
  } catch (thrown) {
    maskKey(system, secrets);
    const error = asCatalogError(thrown);
    if (error instanceof ReportedError) messages.record(error.kind);
    else if (error.kind === "interrupted") messages.record("interrupted");
    else if (error.kind === "cancelled") {
      await messages.info(error.message);
      messages.record("cancelled");
    } else await messages.fail(error);
    if (waiting !== undefined) {
      const { json } = messageOptions(waiting.flags);
      const { reportRefusal } = await import("../command-support/run-report.ts");
      const { path, flags } = waiting;
      const options = json ? ({ format: "json" } as const) : {};
      await reportRefusal(error, flags, { ...system, path, messages, options });
    }
    return stopCode(system) ?? exitCode(messages.kinds);
  }
}

/** Starts the user's pager for long output on a terminal; undefined if it is not wanted. */
async function openPager(
  system: System,
  flags: CommandWords["flags"],
  isLong: boolean,
): Promise<PagedOutput | undefined> {
  const { io, environment } = system;
  if (!isLong || !io.out.isTerminal || !io.in.isTerminal || flags["no-pager"] === true)
    return undefined;
  const words = pagerWords(environment);
  return words === undefined ? undefined : await startPager(words, io.out, system);
}

/** Masks the key of the environment, which a user may have typed as some other argument. */
function maskKey({ environment }: System, secrets: Secrets): void {
  const key = environment[SETTINGS.apiKey.variable]?.trim() ?? "";
  if (isHeaderValue(key)) secrets.add(key);
}

/** The flags without those that the command defines itself. */
function globalFlags({ flags = [] }: AnyCommand, words: CommandWords): CommandWords["flags"] {
  const own = new Set(flags.map(({ name }) => name));
  return Object.fromEntries(Object.entries(words.flags).filter(([name]) => !own.has(name)));
}

function stopCode({ stop: { reason } }: System): number | undefined {
  return reason === undefined ? undefined : STOP_CODES[reason];
}

interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

async function createMessages(system: System, options: MessageOptions): Promise<Messages> {
  const level = colorLevel(system.io.err, system.environment, options.color);
  return new Messages({ ...options, err: system.io.err, styles: await stylesFor(level) });
}

/** Options of messages from flags that may be invalid: errors in them are printed with these options. */
function messageOptions(flags: CommandWords["flags"]): MessageOptions {
  return {
    // In "--output --json", --json is parsed as the value of --output.
    json:
      flags.json === true ||
      flags.output === "--json" ||
      hasJsonMessages(FORMATS.find((format) => format === flags.output)),
    quiet: false,
    verbose: flags.verbose === true,
    color: flags["no-color"] !== true,
  };
}
