/** Files just below the size limit that are only tested in long runs. */
import { describe, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { checkLongFile } from "./hostile.ts";
import { LONG_FILES } from "./hostile-long.ts";

describe.skipIf(!IS_LONG)(
  "built program, with CATALOG_LONG_TESTS: a file just below the size limit",
  () => {
    test.each(LONG_FILES)(
      "that contains only %s: %s",
      async (...file) => await checkLongFile(file),
    );
  },
);
