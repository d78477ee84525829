/** Takes the base URL and the key that somebody enters: by questions, or from standard input. */
import { CatalogError, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { askSecret, askText, askUnseen } from "../command-support/ask.ts";
import type { Context } from "../command-support/context.ts";
import { requireSafe } from "../settings/connection.ts";
import type { Credentials } from "../settings/credentials.ts";
import type { Settings } from "../settings/resolve.ts";
import { SETTINGS } from "../settings/table.ts";

type Needs = Pick<Context, "io" | "options" | "environment" | "signal" | "settingSources">;

/**
 * The base URL of the settings, and the key from standard input.
 *
 * @throws CatalogError of kind `usage` when there is no base URL, or no key that can be sent
 */
export async function credentialsFromInput(
  { baseUrl }: Settings,
  context: Needs,
): Promise<Credentials> {
  if (baseUrl === undefined) {
    throw usageError("no base URL is set", "Pass --base-url, or set CATALOG_BASE_URL.");
  }
  requireSafe(baseUrl.value, context.options.insecureHttp);
  return { baseUrl: baseUrl.value, apiKey: await keyFromInput(context) };
}

/** Asks for the key, and for the base URL unless a flag names it. @throws like `credentialsFromInput` */
export async function credentialsFromAnswers(
  settings: Settings,
  context: Needs,
): Promise<Credentials> {
  return await askUnseen(async () => {
    const baseUrl = await askBaseUrl(settings, context);
    return { baseUrl, apiKey: await askKey(context) };
  }, context);
}

async function askBaseUrl(settings: Settings, context: Needs): Promise<string> {
  const { settingSources: given, options } = context;
  const usual = settings.baseUrl?.value;
  const checked = (answer: string): string => {
    const baseUrl = SETTINGS.baseUrl.parse(answer, "your answer");
    requireSafe(baseUrl, options.insecureHttp);
    return baseUrl;
  };
  if (given.flags.baseUrl !== undefined && usual !== undefined) return checked(usual);
  const question = { message: "Base URL of the service:", usual };
  return checked(await askText(question, refusalOf(checked), context));
}

async function askKey(context: Needs): Promise<string> {
  const checked = (answer: string): string => SETTINGS.apiKey.parse(answer, "your answer");
  return checked(await askSecret("API key:", refusalOf(checked), context));
}

/** Why an answer cannot be taken, in the words of its check. */
function refusalOf(check: (answer: string) => string): (answer: string) => string | undefined {
  return (answer) => {
    try {
      check(answer);
      return undefined;
    } catch (error) {
      if (error instanceof CatalogError) return error.message;
      throw error;
    }
  };
}

/** No key is longer; in bytes. */
const LONGEST_KEY = 64 * 1024;

async function keyFromInput({ io }: Needs): Promise<string> {
  if (io.in.isTerminal) {
    throw usageError(
      "--with-key reads the key from standard input, which is a terminal",
      "Leave --with-key out to be asked, or pass the key by a pipe.",
    );
  }
  const bytes = await readAll(io.in.stream, LONGEST_KEY);
  if (bytes === undefined) throw usageError("standard input is too long for a key");
  const text = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  if (text === "") throw usageError("standard input holds no key");
  return SETTINGS.apiKey.parse(text, "standard input");
}
