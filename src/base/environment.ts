/** The variables that a program is started with. */

/** The environment's variables. */
export type Environment = Readonly<Record<string, string | undefined>>;
