/** The files of almost the size allowed that are left out of the daily run. */
import { describe, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { checkLongFile } from "./hostile.ts";
import { LONG_FILES } from "./hostile-long.ts";

describe.skipIf(!IS_LONG)(
  "where CATALOG_LONG_TESTS is set, a file of almost the size allowed",
  () => {
    test.each(LONG_FILES)("of nothing but %s: %s", async (...file) => await checkLongFile(file));
  },
);
