/** How patient and how busy the program is when nobody says otherwise (cli.md sections 2 and 5). */

/** Times in seconds. */
export const DEFAULTS = {
  timeout: 30,
  retries: 4,
  concurrency: 4,
  vendor: "pgrst",
} as const;
