/**
 * Recognizes current language, country and currency codes (ISO 639-1, ISO 3166-1, ISO 4217), and suggests
 * codes for everything else that people write:
 *
 *     checkLanguage("en")          → undefined
 *     checkLanguage("deu")         → suggestions ["de"]
 *     checkCurrency("DEM")         → withdrawn, suggestions ["EUR"]
 *     languageByName("Portuguese (Brazil)") → "pt-BR"
 */
import { memoize } from "../base/values.ts";

/** Current ISO 639-1 codes, each between spaces. */
export const LANGUAGE_CODES =
  " aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";

/** Current ISO 3166-1 alpha-2 codes, each between spaces. */
export const COUNTRY_CODES =
  " AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW ";

/**
 * Current ISO 4217 codes, each between spaces. XTS (for tests) and XXX (no currency) are codes of
 * the standard like the others.
 */
export const CURRENCY_CODES =
  " AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG ";

/** The ISO 4217 codes of currencies without decimals, and with more than two. */
const OTHER_DECIMALS: Readonly<Record<number, string>> = {
  0: " BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF ",
  3: " BHD IQD JOD KWD LYD OMR TND ",
  4: " CLF UYW ",
};

/** Withdrawn ISO 639-1 codes, each with the current codes that replaced it, such as iw:he. */
export const WITHDRAWN_LANGUAGES = " bh in:id iw:he ji:yi jw:jv mo:ro sh:sr,hr,bs ";

/** Withdrawn ISO 3166-1 codes (ISO 3166-3), each with the current codes that replaced it. */
export const WITHDRAWN_COUNTRIES =
  " AN:CW,SX,BQ BU:MM CS:RS,ME,CZ,SK CT:KI DD:DE DY:BJ FQ:AQ,TF FX:FR HV:BF JT:UM MI:UM NH:VU NQ:AQ NT:IQ,SA PC:FM,MH,MP,PW PU:UM PZ:PA RH:ZW SU:RU,AM,AZ,EE,GE,KG,KZ,LT,LV,MD,TJ,TM,UZ TP:TL VD:VN WK:UM YD:YE YU:RS,ME ZR:CD ";

/** Withdrawn ISO 4217 codes, each with the current codes that replaced it. */
export const WITHDRAWN_CURRENCIES =
  " ADP:EUR AFA:AFN ALK:ALL ANG:XCG AOK:AOA AON:AOA AOR:AOA ARA:ARS ARP:ARS ARY:ARS ATS:EUR AYM:AZN AZM:AZN BAD:BAM BEC:EUR BEF:EUR BEL:EUR BGJ:EUR BGK:EUR BGL:EUR BGN:EUR BOP:BOB BRB:BRL BRC:BRL BRE:BRL BRN:BRL BRR:BRL BUK:MMK BYB:BYN BYR:BYN CHC:CHW CSD:RSD CSJ:CZK,EUR CSK:CZK,EUR CUC:CUP CYP:EUR DDM:EUR DEM:EUR ECS:USD ECV:USD EEK:EUR ESA:EUR ESB:EUR ESP:EUR FIM:EUR FRF:EUR GEK:GEL GHC:GHS GHP:GHS GNE:GNF GNS:GNF GQE:XAF GRD:EUR GWE:XOF GWP:XOF HRD:EUR HRK:EUR IEP:EUR ILP:ILS ILR:ILS ISJ:ISK ITL:EUR LAJ:LAK LSM:LSL LTL:EUR LTT:EUR LUC:EUR LUF:EUR LUL:EUR LVL:EUR LVR:EUR MGF:MGA MLF:XOF MRO:MRU MTL:EUR MTP:EUR MVQ:MVR MXP:MXN MZE:MZN MZM:MZN NIC:NIO NLG:EUR PEH:PEN PEI:PEN PES:PEN PLZ:PLN PTE:EUR RHD:ZWG ROK:RON ROL:RON RUR:RUB SDD:SDG SDP:SDG SIT:EUR SKK:EUR SLL:SLE SRG:SRD STD:STN SUR:RUB TJR:TJS TMM:TMT TPE:USD TRL:TRY UAK:UAH UGS:UGX UGW:UGX USS:USD UYN:UYU UYP:UYU VEB:VES VEF:VES VNC:VND XEU:EUR XFO:XDR XFU:EUR XRE YDD:YER YUD:RSD YUM:RSD YUN:RSD ZAL:ZAR ZMK:ZMW ZRN:CDF ZRZ:CDF ZWC:ZWG ZWD:ZWG ZWL:ZWG ZWN:ZWG ZWR:ZWG ";

export interface CodeFault {
  readonly isWithdrawn: boolean;
  /** The current codes that could replace the string: the successors of a withdrawn code, or the intended code. */
  readonly suggestions: readonly string[];
}

interface CodeList {
  readonly shape: RegExp;
  /** Every current code between spaces. */
  readonly current: string;
  /** Every withdrawn code between spaces, with its successors: `AN:CW,SX,BQ`. */
  readonly withdrawn: string;
  fold(code: string): string;
  /** What people often write instead of a code, between spaces, with the code: `jp:ja`. */
  readonly intended: string;
  /** Current codes by their names. */
  readonly names: () => ReadonlyMap<string, string>;
}

const LANGUAGES: CodeList = {
  shape: /^[a-z]{2}$/,
  current: LANGUAGE_CODES,
  withdrawn: WITHDRAWN_LANGUAGES,
  fold: (code) => code.toLowerCase(),
  // Codes of countries, written for their languages.
  intended: " cn:zh cz:cs dk:da gr:el jp:ja ua:uk vn:vi ",
  // Also languages with the name of a country, such as "Brazilian Portuguese".
  names: memoize(() =>
    indexNames(
      "language",
      `${LANGUAGE_CODES}de-AT en-AU en-CA en-GB en-US es-MX fr-CA fr-CH nl-BE pt-BR pt-PT`,
    ),
  ),
};

const COUNTRIES: CodeList = {
  shape: /^[A-Z]{2}$/,
  current: COUNTRY_CODES,
  withdrawn: WITHDRAWN_COUNTRIES,
  fold: (code) => code.toUpperCase(),
  // Codes that ISO 3166 reserves or omits.
  intended: " EL:GR UK:GB ",
  names: memoize(() => indexNames("region", COUNTRY_CODES)),
};

const CURRENCIES: CodeList = {
  shape: /^[A-Z]{3}$/,
  current: CURRENCY_CODES,
  withdrawn: WITHDRAWN_CURRENCIES,
  fold: (code) => code.toUpperCase(),
  // Common abbreviations and symbols.
  intended:
    " CNH:CNY EURO:EUR NIS:ILS NTD:TWD RMB:CNY UKP:GBP €:EUR £:GBP ₹:INR ₽:RUB ₴:UAH ₺:TRY ₩:KRW ₪:ILS ₫:VND ₦:NGN ₱:PHP ฿:THB ZŁ:PLN KČ:CZK FT:HUF US$:USD R$:BRL A$:AUD C$:CAD CA$:CAD $:USD ¥:JPY ",
  names: memoize(() => indexNames("currency", CURRENCY_CODES)),
};

/** Checks the language of an entry of `audio`, such as `pt`. */
export const checkLanguage = (code: string): CodeFault | undefined => findFault(LANGUAGES, code);
/** Checks the country of an entry of `audio`, such as `BR` in `pt-BR`. */
export const checkCountry = (code: string): CodeFault | undefined => findFault(COUNTRIES, code);
/** Checks the currency of a price, such as `EUR`. */
export const checkCurrency = (code: string): CodeFault | undefined => findFault(CURRENCIES, code);

/** How many decimals amounts of a currency have at most. */
export function decimalsOf(currency: string): number {
  const other = Object.keys(OTHER_DECIMALS).map(Number);
  return other.find((decimals) => OTHER_DECIMALS[decimals]?.includes(` ${currency} `)) ?? 2;
}

function findFault(list: CodeList, code: string): CodeFault | undefined {
  if (isCurrent(list, code)) return undefined;
  const folded = list.fold(code);
  if (isCurrent(list, folded)) return { isWithdrawn: false, suggestions: [folded] };
  const successors = replacements(list.withdrawn, folded);
  if (successors !== undefined) return { isWithdrawn: true, suggestions: successors };
  const short = list === LANGUAGES ? shortCode(folded) : undefined;
  const suggestions = replacements(list.intended, folded) ?? (short === undefined ? [] : [short]);
  return { isWithdrawn: false, suggestions };
}

/** The codes of an entry such as `AN:CW,SX,BQ`; undefined if there is none. */
function replacements(entries: string, code: string): readonly string[] | undefined {
  if (!entries.includes(` ${code}`)) return undefined;
  const pairs = splitCodes(entries).map((entry) => entry.split(":"));
  const found = pairs.find(([key]) => key === code);
  return found && (found[1]?.split(",") ?? []);
}

function isCurrent({ shape, current }: CodeList, code: string): boolean {
  return shape.test(code) && current.includes(` ${code} `);
}

/** The two-letter code for a three-letter code of ISO 639-2 or 639-3, from the data of Node.js: `deu` → `de`. */
function shortCode(folded: string): string | undefined {
  if (!/^[a-z]{3}$/.test(folded)) return undefined;
  const language = Intl.getCanonicalLocales(folded)[0]?.split("-")[0] ?? "";
  return isCurrent(LANGUAGES, language) ? language : undefined;
}

/** The codes of a list in `iso-codes.ts`: `" aa ab "` → `["aa", "ab"]`. */
export function splitCodes(list: string): string[] {
  return list.trim().split(" ");
}

/** Codes by their English names. */
function indexNames(type: "language" | "region" | "currency", list: string) {
  const codes = new Map<string, string>();
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  for (const code of splitCodes(list)) addName(codes, names.of(code), code);
  return codes;
}

function addName(codes: Map<string, string>, name: string | undefined, code: string): void {
  if (name !== undefined && !codes.has(foldName(name))) codes.set(foldName(name), code);
}

/** Language codes by what speakers call their language, such as `deutsch`. Built on demand, because it takes time. */
const OWN_NAMES = memoize(() => {
  const codes = new Map<string, string>();
  for (const code of splitCodes(LANGUAGE_CODES)) {
    const names = new Intl.DisplayNames(code, { type: "language", fallback: "none" });
    addName(codes, names.of(code), code);
  }
  return codes;
});

function foldName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function codeByName({ names }: CodeList, name: string): string | undefined {
  return names().get(foldName(name));
}

/** The language code of a name: `English` → `en`, `pt-Brazil` → `pt-BR`. */
export function languageByName(text: string): string | undefined {
  if (!/\p{L}{3}|\p{Script=Han}{2}/u.test(text)) return undefined;
  const [, first = text, second] = /^([^(,_-]+?)\s*[(,_-]\s*([^()]+?)\s*\)?$/.exec(text) ?? [];
  const language = findLanguage(text);
  if (language !== undefined || second === undefined) return language;
  const [known, country] = [findLanguage(first), countryByName(second)];
  return known === undefined || country === undefined ? undefined : `${known}-${country}`;
}

function findLanguage(text: string): string | undefined {
  const folded = foldName(text);
  if (isCurrent(LANGUAGES, folded)) return folded;
  return codeByName(LANGUAGES, text) ?? OWN_NAMES().get(folded);
}

/** The country code of a name or of a lowercase code: `Brazil` → `BR`, `br` → `BR`. */
export function countryByName(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return isCurrent(COUNTRIES, code) ? code : codeByName(COUNTRIES, text);
}

/** The currency code of a name: `Swiss Franc` → `CHF`. */
export function currencyByName(text: string): string | undefined {
  return text.length < 3 ? undefined : codeByName(CURRENCIES, text);
}
