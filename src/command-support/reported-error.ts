/** Ends a run whose failure the user has read already. */
import { CatalogError, type ErrorKind } from "../base/errors.ts";

/** Ends a run whose error was already reported. */
export class ReportedError extends CatalogError {
  constructor(kind: ErrorKind) {
    super(kind, "");
    this.name = "AlreadyTold";
  }
}
