/** How texts are written, as a JSON Schema states it. */
import { UUID_PATTERN } from "../base/uuid.ts";
import { AMOUNT } from "./formats.ts";
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODES } from "./iso-codes.ts";
import type { JsonSchema } from "./schema-parts.ts";
import type { Format } from "./shape.ts";

/** The schema of a text in a format. @param nullable whether null is as good */
export function formatSchema(format: Format, nullable: boolean): JsonSchema {
  const type = nullable ? ["string", "null"] : "string";
  switch (format) {
    case "uuid":
      return { type, pattern: UUID_PATTERN };
    case "url":
      return {
        type,
        pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s\\\\\\p{Cc}\\p{Cf}][^\\s\\\\\\p{Cc}\\p{Cf}]*$",
      };
    case "amount":
      return { type, pattern: AMOUNT.source };
    case "currency": {
      const codes = listed(CURRENCY_CODES);
      return { type, enum: nullable ? [...codes, null] : codes };
    }
    case "language":
      return languageSchema(type);
    case "timestamp":
    case "version":
      return { type };
  }
}

/** The languages by name, so that editors can offer them, and any of them with any country. */
function languageSchema(type: string | readonly string[]): JsonSchema {
  const languages = listed(LANGUAGE_CODES);
  const pattern = `^(?:${languages.join("|")})-(?:${listed(COUNTRY_CODES).join("|")})$`;
  return { type, anyOf: [{ enum: languages }, { type: "string", pattern }] };
}

function listed(codes: string): string[] {
  return codes.trim().split(" ");
}
