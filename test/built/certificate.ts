/** Creates self-signed certificates. */
import { generateKeyPairSync, sign } from "node:crypto";

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ECDSA_WITH_SHA256 = Buffer.from("300a06082a8648ce3d040302", "hex");
const SUBJECT_ALT_NAME = Buffer.from("0603551d11", "hex");
const BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");
const TRUE = Buffer.from("0101ff", "hex");

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OCTETS = 0x04;
const UTF8 = 0x0c;
const TIME = 0x17;
/** An ASN.1 value with a context-specific tag. */
const FIELD = 0x80;
const FIELD_OF = 0xa0;

/** A certificate for a host name, valid from yesterday, or that many days later, for some days. */
export function selfSigned(host: string, days = 2, delay = 0): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const names = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(host)))));
  const from = Date.now() - DAY + delay * DAY;
  const toBeSigned = der(
    SEQUENCE,
    der(FIELD_OF, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    names,
    der(SEQUENCE, time(from), time(from + days * DAY)),
    names,
    publicKey.export({ type: "spki", format: "der" }),
    der(FIELD_OF + 3, der(SEQUENCE, alternatives(host), authority())),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const bytes = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, der(BITS, Buffer.of(0), signature));
  const lines = bytes
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function alternatives(host: string): Buffer {
  const names = der(SEQUENCE, der(FIELD + 2, Buffer.from(host)));
  return der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTETS, names));
}

function authority(): Buffer {
  return der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTETS, der(SEQUENCE, TRUE)));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, "");
  return der(TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}

/** A DER value: tag, length and content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), content]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content]);
}
