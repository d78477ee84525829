/** Ends a run whose failure the user has read already. */
import { CatalogError, type Kind } from "../base/errors.ts";

/** Ends a run whose failure was told already. */
export class AlreadyTold extends CatalogError {
  constructor(kind: Kind) {
    super(kind, "");
    this.name = "AlreadyTold";
  }
}
