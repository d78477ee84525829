/**
 * Codes of the standards and, for withdrawn ones, their successors. A withdrawn code without a named source is from
 * ISO 639-1's list of changes, from ISO 3166-3 without codes that another country uses now, or from list three of
 * ISO 4217. `test/course/codes.test.ts` compares the current codes with the packages that publish them.
 */

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
export const OTHER_DECIMALS: Readonly<Record<number, string>> = {
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
