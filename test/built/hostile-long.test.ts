/** Files just below the size limit, checked only with CATALOG_LONG_TESTS. */
import { describe, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { checkLongFile } from "./hostile.ts";
import { LONG_FILES } from "./hostile-long.ts";

describe.skipIf(!IS_LONG)(
  "files just below the size limit that only long runs check (CATALOG_LONG_TESTS)",
  () => {
    for (const file of LONG_FILES) {
      const [says, name] = file;
      test(`check needs bounded memory for a file just below the size limit that contains only ${says} (${name})`, async () =>
        await checkLongFile(file));
    }
  },
);
