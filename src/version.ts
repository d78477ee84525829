/** The version of the package. The build replaces it with the version in package.json. */
declare const CATALOG_VERSION: string | undefined;

/** For example `1.2.3`; `0.0.0` if the sources run without a build. */
export const VERSION = typeof CATALOG_VERSION === "string" ? CATALOG_VERSION : "0.0.0";
