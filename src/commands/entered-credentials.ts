/** Reads the base URL and the key that a user enters at a terminal or on standard input. */
import { CatalogError, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { askSecret, askText, askUnseen } from "../command-support/ask.ts";
import type { Context } from "../command-support/context.ts";
import { requireEncryption } from "../settings/connection.ts";
import type { Resolved, Settings } from "../settings/resolve.ts";
import { SETTINGS } from "../settings/table.ts";
import type { Credentials } from "../settings/user-config.ts";

/**
 * Takes the base URL from the settings and reads the key from standard input.
 *
 * @throws CatalogError of kind `usage` without a base URL or a valid key
 */
export async function credentialsFromInput(
  { baseUrl, suggested }: Settings,
  context: Context,
): Promise<Credentials> {
  if (baseUrl === undefined) {
    const advice = "Pass --base-url, or set CATALOG_BASE_URL.";
    const more = suggested && ` ${describeSuggestion(suggested)}`;
    throw usageError("no base URL is set", `${advice}${more ?? ""}`);
  }
  requireEncryption(baseUrl.value, context.options.insecureHttp);
  return { baseUrl: baseUrl.value, apiKey: await readKey(context) };
}

/** Asks for the key, and for the base URL unless a flag gives it. @throws like `credentialsFromInput` */
export async function credentialsFromAnswers(
  settings: Settings,
  context: Context,
): Promise<Credentials> {
  return await askUnseen(async () => {
    const baseUrl = await askBaseUrl(settings, context);
    const parse = (answer: string): string => SETTINGS.apiKey.parse(answer, "your answer");
    const answer = await askSecret("API key:", problemWith(parse), context);
    return { baseUrl, apiKey: parse(answer) };
  }, context);
}

async function askBaseUrl(settings: Settings, context: Context): Promise<string> {
  const { settingSources, options } = context;
  const usual = settings.baseUrl?.value;
  const parse = (answer: string): string => {
    const baseUrl = SETTINGS.baseUrl.parse(answer, "your answer");
    requireEncryption(baseUrl, options.insecureHttp);
    return baseUrl;
  };
  if (settingSources.flags.baseUrl !== undefined && usual !== undefined) return parse(usual);
  const { suggested } = settings;
  if (suggested !== undefined && suggested.value !== usual) {
    await context.messages.important(describeSuggestion(suggested));
  }
  const question = { message: "Base URL of the service:", usual };
  return parse(await askText(question, problemWith(parse), context));
}

/** A project may suggest an address, but must not decide where the key is sent. */
function describeSuggestion({ value, origin }: Resolved<string>): string {
  return `The project suggests ${value} (${origin}); enter it only if you trust the project.`;
}

function problemWith(parse: (answer: string) => string): (answer: string) => string | true {
  return (answer) => {
    try {
      parse(answer);
      return true;
    } catch (error) {
      if (error instanceof CatalogError) return error.message;
      throw error;
    }
  };
}

/** In bytes. */
const MAXIMUM_KEY_SIZE = 64 * 1024;

async function readKey({ io }: Context): Promise<string> {
  if (io.in.isTerminal) {
    throw usageError(
      "--with-key reads the key from standard input, which is a terminal",
      "Omit --with-key to be asked for the key, or pipe the key to the command.",
    );
  }
  const bytes = await readAll(io.in.stream, MAXIMUM_KEY_SIZE);
  if (bytes === undefined) throw usageError("standard input is too long for a key");
  const text = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  if (text === "") throw usageError("standard input contains no key");
  return SETTINGS.apiKey.parse(text, "standard input");
}
