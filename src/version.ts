/** The version of the package; the build puts it in from package.json. */
declare const CATALOG_VERSION: string | undefined;

/** Such as `1.2.3`; `0.0.0` when the sources run unbuilt. */
export const VERSION = typeof CATALOG_VERSION === "string" ? CATALOG_VERSION : "0.0.0";
