/**
 * The formats of single strings, and what is wrong with a string that does not match its format:
 *
 *     formatProblem("language", "pt_BR", path) → audio[0] must be a language code such as en or pt-BR, not "pt_BR"
 *
 * Also the current codes of languages, countries and currencies (ISO 639-1, ISO 3166-1, ISO 4217):
 *
 *     successorsOf(CURRENCIES, "DEM")          → ["EUR"]
 *     findLanguage("Portuguese (Brazil)")      → "pt-BR"
 */
import * as z from "zod/mini";
import { parseUrl } from "../base/credentials.ts";
import { joinList, splitList, truncateJson } from "../base/text.ts";
import { memoize, type Path, UUID_PATTERN } from "../base/values.ts";
import { type Problem, problemAt, type RuleId } from "./problem.ts";

/** The codes of a standard. */
export interface CodeList {
  readonly current: ReadonlySet<string>;
  /** Withdrawn codes, each with the current codes that replaced it, such as `AN:CW,SX,BQ`. */
  readonly withdrawn: readonly string[];
}

function codeList(current: string, withdrawn: string): CodeList {
  return { current: new Set(current.split(" ")), withdrawn: withdrawn.split(" ") };
}

/** ISO 639-1. */
export const LANGUAGES = codeList(
  "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu",
  "bh in:id iw:he ji:yi jw:jv mo:ro sh:sr,hr,bs",
);

/** ISO 3166-1 alpha-2; the withdrawn codes are in ISO 3166-3. */
export const COUNTRIES = codeList(
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW",
  "AN:CW,SX,BQ BU:MM CS:RS,ME,CZ,SK CT:KI DD:DE DY:BJ FQ:AQ,TF FX:FR HV:BF JT:UM MI:UM NH:VU NQ:AQ NT:IQ,SA PC:FM,MH,MP,PW PU:UM PZ:PA RH:ZW SU:RU,AM,AZ,EE,GE,KG,KZ,LT,LV,MD,TJ,TM,UZ TP:TL VD:VN WK:UM YD:YE YU:RS,ME ZR:CD",
);

/** ISO 4217. XTS (for tests) and XXX (no currency) are codes of the standard like the others. */
export const CURRENCIES = codeList(
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG",
  "ADP:EUR AFA:AFN ALK:ALL ANG:XCG AOK:AOA AON:AOA AOR:AOA ARA:ARS ARP:ARS ARY:ARS ATS:EUR AYM:AZN AZM:AZN BAD:BAM BEC:EUR BEF:EUR BEL:EUR BGJ:EUR BGK:EUR BGL:EUR BGN:EUR BOP:BOB BRB:BRL BRC:BRL BRE:BRL BRN:BRL BRR:BRL BUK:MMK BYB:BYN BYR:BYN CHC:CHW CSD:RSD CSJ:CZK,EUR CSK:CZK,EUR CUC:CUP CYP:EUR DDM:EUR DEM:EUR ECS:USD ECV:USD EEK:EUR ESA:EUR ESB:EUR ESP:EUR FIM:EUR FRF:EUR GEK:GEL GHC:GHS GHP:GHS GNE:GNF GNS:GNF GQE:XAF GRD:EUR GWE:XOF GWP:XOF HRD:EUR HRK:EUR IEP:EUR ILP:ILS ILR:ILS ISJ:ISK ITL:EUR LAJ:LAK LSM:LSL LTL:EUR LTT:EUR LUC:EUR LUF:EUR LUL:EUR LVL:EUR LVR:EUR MGF:MGA MLF:XOF MRO:MRU MTL:EUR MTP:EUR MVQ:MVR MXP:MXN MZE:MZN MZM:MZN NIC:NIO NLG:EUR PEH:PEN PEI:PEN PES:PEN PLZ:PLN PTE:EUR RHD:ZWG ROK:RON ROL:RON RUR:RUB SDD:SDG SDP:SDG SIT:EUR SKK:EUR SLL:SLE SRG:SRD STD:STN SUR:RUB TJR:TJS TMM:TMT TPE:USD TRL:TRY UAK:UAH UGS:UGX UGW:UGX USS:USD UYN:UYU UYP:UYU VEB:VES VEF:VES VNC:VND XEU:EUR XFO:XDR XFU:EUR XRE YDD:YER YUD:RSD YUM:RSD YUN:RSD ZAL:ZAR ZMK:ZMW ZRN:CDF ZRZ:CDF ZWC:ZWG ZWD:ZWG ZWL:ZWG ZWN:ZWG ZWR:ZWG",
);

/** The ISO 4217 codes of currencies without decimals, and with more than two. */
const OTHER_DECIMALS: Readonly<Record<number, string>> = {
  0: " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF ",
  3: " BHD IQD JOD KWD LYD OMR TND ",
  4: " CLF UYW ",
};

/** How many decimals amounts of a currency have at most. */
export function decimalsOf(currency: string): number {
  const other = Object.keys(OTHER_DECIMALS).map(Number);
  return other.find((decimals) => OTHER_DECIMALS[decimals]?.includes(` ${currency} `)) ?? 2;
}

/** The codes that replaced a withdrawn code; undefined if the code was not withdrawn. */
export function successorsOf(list: CodeList, code: string): readonly string[] | undefined {
  const entries = list.withdrawn.map((entry) => entry.split(":"));
  const found = entries.find(([withdrawn]) => withdrawn === code);
  return found && (found[1]?.split(",") ?? []);
}

/** Codes by their names in English, and of languages also by their own names. Built on demand, because it takes 60 ms. */
const NAMES = memoize(() => {
  const inEnglish = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  // Also languages with the name of a country, such as "Brazilian Portuguese".
  const variants = "de-AT en-AU en-CA en-GB en-US es-MX fr-CA fr-CH nl-BE pt-BR pt-PT".split(" ");
  const languages = [...LANGUAGES.current];
  const own = (code: string): string | undefined =>
    new Intl.DisplayNames(code, { type: "language", fallback: "none" }).of(code);
  return {
    languages: byName([
      ...languages.map((code) => [own(code), code] as const),
      ...[...languages, ...variants].map((code) => [inEnglish.of(code), code] as const),
    ]),
    countries: byName([...COUNTRIES.current].map((code) => [regions.of(code), code] as const)),
  };
});

function byName(
  entries: readonly (readonly [name: string | undefined, code: string])[],
): ReadonlyMap<string | undefined, string> {
  return new Map(entries.map(([name, code]) => [name?.toLowerCase(), code]));
}

/**
 * The code of a language that is written in another way: `PT_br` and `Portuguese (Brazil)` give `pt-BR`, `Deutsch`
 * gives `de`, `zh-Hant-TW` gives `zh-TW`; undefined for other text.
 */
export function findLanguage(text: string): string | undefined {
  // No name is longer, and the pattern takes long for a long text.
  if (text.length > 100) return undefined;
  const word = text.trim();
  const language = languageOf(word) ?? languageOfTag(word);
  if (language !== undefined) return language;
  const [, first = "", second = ""] = /^([^(,_-]+?)\s*[(,_-]\s*([^()]+?)\s*\)?$/.exec(word) ?? [];
  const [known, country] = [languageOf(first), countryOf(second)];
  // `en, de` are two languages, though DE is a country.
  const isList = /[,;]/.test(word) && splitList(word, /[,;]/).every((part) => languageOf(part));
  if (known === undefined || isList) return undefined;
  if (country !== undefined) return `${known}-${country}`;
  // What else is in parentheses is a script, as in `Chinese (Simplified)`.
  return /\(.*\)$/.test(word) ? known : undefined;
}

/** The code for a tag such as `eng`, `zh-Hans` or `en-UK`: its language has two letters, and no script. */
function languageOfTag(tag: string): string | undefined {
  const [first = "", ...others] = tag.split(/[-_]/);
  const isLong = /^[a-z]{3}$/i.test(first);
  const language = isLong ? Intl.getCanonicalLocales(first)[0] : first.toLowerCase();
  const countries = others.filter((part) => !/^[a-z]{4}$/i.test(part));
  if (language === undefined || !LANGUAGES.current.has(language)) return undefined;
  const country = countries[0]?.toUpperCase().replace(/^UK$/, "GB");
  if (country === undefined) return language;
  return countries.length === 1 && COUNTRIES.current.has(country)
    ? `${language}-${country}`
    : undefined;
}

function languageOf(word: string): string | undefined {
  const folded = word.toLowerCase();
  if (LANGUAGES.current.has(folded)) return folded;
  return LONG_NAME.test(folded) ? NAMES().languages.get(folded) : undefined;
}

function countryOf(word: string): string | undefined {
  const code = word.toUpperCase();
  if (COUNTRIES.current.has(code)) return code;
  return LONG_NAME.test(word) ? NAMES().countries.get(word.toLowerCase()) : undefined;
}

/** What can be a name and not a code. */
const LONG_NAME = /\p{L}{3}|\p{Script=Han}{2}/u;

function pattern(source: string): z.ZodMiniString<string> {
  return z.string().check(z.regex(new RegExp(source)));
}

function codeOf({ current }: CodeList): string {
  return `(?:${[...current].join("|")})`;
}

/** The formats of strings that are not free text, each with its rule, and with what a string of it is, for messages. */
export const FORMATS = {
  uuid: { rule: "uuid", text: "a UUID", schema: pattern(UUID_PATTERN) },
  url: {
    rule: "url",
    text: "a URL such as https://academy.example/knitting",
    // Programs read a backslash differently.
    schema: pattern("^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\][^\\s\\\\]*$").check(
      z.refine(isExactUrl),
    ),
  },
  language: {
    rule: "language-code",
    text: "a language code such as en or pt-BR",
    schema: pattern(`^${codeOf(LANGUAGES)}(?:-${codeOf(COUNTRIES)})?$`),
  },
  currency: {
    rule: "currency-code",
    text: "a currency code such as EUR",
    schema: pattern(`^${codeOf(CURRENCIES)}$`),
  },
  amount: {
    rule: "amount",
    text: "an amount such as 49.99",
    schema: pattern("^[0-9]+(?:\\.[0-9]+)?$"),
  },
} as const satisfies Record<string, { rule: RuleId; text: string; schema: z.ZodMiniString }>;

export type StringFormat = keyof typeof FORMATS;

/** Whether a url can be read. The parser drops invisible characters of a host, so the url would not be the written one. */
function isExactUrl(url: string): boolean {
  return !/[\p{Cc}\p{Cf}]/u.test(url) && parseUrl(url) !== undefined;
}

export function isUrl(text: string): boolean {
  return z.validate(FORMATS.url.schema, text);
}

/** The problem of a string that does not match its format. */
export function formatProblem(format: StringFormat, value: string, path: Path): Problem {
  const { rule, text } = FORMATS[format];
  const withdrawn = withdrawnText(format, value);
  const meant = withdrawn === undefined ? findMeant(format, value) : undefined;
  // A currency is money, so it is never fixed.
  const isCertain = format === "language" && meant !== undefined && isLanguage(value, meant);
  const other = withdrawn ?? ambiguousText(format, value);
  return problemAt(path, rule, other ?? `must be ${text}${notText(value)}`, {
    suggestion: meant,
    fix: isCertain ? { path, value: meant } : undefined,
  });
}

/** Whether a text can only mean a code: in another case, with other separators, or by the name of its language. */
function isLanguage(text: string, code: string): boolean {
  return (
    text.trim().replace(/[_\s]/g, "-").toLowerCase() === code.toLowerCase() ||
    languageOf(text.trim()) === code
  );
}

/** The value that was probably meant: `https://academy.example/x` for `academy.example/x`. */
function findMeant(format: StringFormat, value: string): string | undefined {
  const code = value.toUpperCase();
  if (format === "language") return findLanguage(value);
  if (format === "amount") return readDecimal(value);
  if (format !== "url") return CURRENCIES.current.has(code) ? code : undefined;
  const trimmed = value.trim().replace(/^(https?):\/?(?=[^/])/i, "$1://");
  const urls = /^[\w-]+\.\w/.test(trimmed) ? [`https://${trimmed}`] : [trimmed];
  return urls.find(isUrl);
}

/** What is wrong with an amount such as `1,299`; undefined for others. */
function ambiguousText(format: StringFormat, value: string): string | undefined {
  const number = value.trim();
  if (format !== "amount" || !AMBIGUOUS.test(number)) return undefined;
  const [whole, decimal] = [number.replace(",", ""), number.replace(",", ".")];
  return `is ${JSON.stringify(value)}, which can mean ${whole} or ${decimal}; write one of them`;
}

/** The end of a message about an invalid string: `, not "x"`. */
export function notText(value: string): string {
  return `, not ${truncateJson(value)}`;
}

/** What is wrong with a withdrawn code, or with one in a language such as `pt-AN`; undefined if nothing is withdrawn. */
function withdrawnText(format: StringFormat, value: string): string | undefined {
  const [language = "", country = ""] = value.split("-");
  const codes = [
    [LANGUAGES, format === "language" ? language : ""],
    [COUNTRIES, format === "language" ? country : ""],
    [CURRENCIES, format === "currency" ? value : ""],
  ] as const;
  for (const [list, code] of codes) {
    const successors = successorsOf(list, code);
    if (successors === undefined) continue;
    const advice = successors.length === 0 ? "" : `; use ${joinList(successors)}`;
    return `has the code ${code}, which is no longer in use${advice}`;
  }
  return undefined;
}

/** Numbers with signs between thousands, and the sign. */
const GROUPED: readonly (readonly [form: RegExp, sign: RegExp])[] = [
  [/^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/, /\./g],
  [/^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/, /,/g],
  [/^\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/, /[ '’\u00a0\u202f]/g],
];

/** A comma before three digits, which may be thousands or decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2},\d{3}$/;

/**
 * The digits of a number, with a point as its decimal sign, if it can be read in only one way: `1.299,00` gives `1299.00`,
 * `199,00` gives `199.00`, and `1,299` nothing.
 */
export function readDecimal(text: string): string | undefined {
  const number = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(number)) return number;
  for (const [form, sign] of GROUPED) {
    if (form.test(number)) return number.replace(sign, "").replace(",", ".");
  }
  const isDecimal = /^\d+,\d+$/.test(number) && !AMBIGUOUS.test(number);
  return isDecimal ? number.replace(",", ".") : undefined;
}
