/** What other systems call the fields of a course, by language. */
import { fold, rankedWords, type Words } from "./words.ts";

/**
 * The names of columns for each field: in each line the best first, with those of Moodle. Case, spaces, punctuation,
 * marks of letters and units in brackets do not matter. To add a language, add its names to each field.
 */
const COLUMN_NAMES = {
  key: {
    en: "key, sku, id number, course id, course key, external id, uuid, id, short name, code, course code, course no, ref, slug",
    de: "Kurs-ID, Kursnummer, Kurs-Nr, Objekt-ID, kurzer Kursname, Kurzname, Kennung, Nummer, Nr",
    fr: "numéro d’identification du cours, nom abrégé du cours, nom abrégé, identifiant, référence, réf",
    es: "número id del curso, nombre corto del curso, nombre corto, código, referencia, identificador",
    pt: "número de identificação do curso, nome breve do curso, código, referência, identificador",
    it: "numero id del corso, titolo abbreviato, codice, codice corso, riferimento, identificativo",
    nl: "cursus-id, cursusnummer, cursuscode, korte cursusnaam, nummer, referentie",
    ja: "講座番号, コース番号, コースID, 番号, 講座コード, コースコード, コード, 省略名",
  },
  name: {
    en: "name, title, full name, title rendered, course name, course title, post title, display name",
    de: "vollständiger Kursname, Kursname, Kurstitel, Titel, Bezeichnung",
    fr: "nom complet du cours, nom du cours, intitulé du cours, titre du cours, intitulé, titre, nom",
    es: "nombre completo del curso, nombre del curso, título del curso, título, nombre",
    pt: "nome completo do curso, nome do curso, título do curso, título, nome",
    it: "titolo completo del corso, nome del corso, titolo del corso, titolo, nome",
    nl: "volledige cursusnaam, cursusnaam, cursustitel, titel, naam",
    ja: "コース名, 講座名, コースタイトル, 講座タイトル, タイトル, 名称, 長い名称",
  },
  url: {
    en: "url, link, course url, permalink, web url, marketing url, course about, about url, homepage, guid, href, address",
    de: "Kurs-URL, Kurslink, Webadresse, Adresse",
    fr: "url du cours, lien du cours, lien, adresse",
    es: "url del curso, enlace del curso, enlace, dirección",
    pt: "url do curso, link do curso, ligação, endereço",
    it: "url del corso, link del corso, collegamento, indirizzo",
    nl: "cursus-url, cursuslink, koppeling, webadres, adres",
    ja: "リンク, アドレス, ウェブページ",
  },
  short_description: {
    en: "short description, subtitle, excerpt rendered, excerpt, teaser, tagline, headline, summary, course summary, description, course description",
    de: "Kurzbeschreibung, Kurztext, Zusammenfassung, Kursbeschreibung, Beschreibung",
    fr: "description courte, résumé court, accroche, sous-titre, résumé du cours, résumé",
    es: "descripción corta, descripción breve, subtítulo, resumen del curso, resumen, descripción",
    pt: "descrição curta, descrição breve, subtítulo, resumo do curso, resumo, descrição",
    it: "descrizione breve, sottotitolo, sommario, riassunto, introduzione al corso, descrizione",
    nl: "korte beschrijving, ondertitel, samenvatting, cursusbeschrijving, beschrijving, omschrijving",
    ja: "概要, 短い説明, 要約, キャッチコピー, サブタイトル, コース概要, 講座概要, 説明",
  },
  long_description: {
    en: "long description, full description, content rendered, description, course description, content, overview, summary, course summary, body, post content, about, short description",
    de: "Langtext, Langbeschreibung, ausführliche Beschreibung, Kursbeschreibung, Kursinhalt, Inhalt, Inhalte, Beschreibung",
    fr: "description longue, description du cours, description, contenu, présentation, résumé du cours, résumé",
    es: "descripción larga, descripción del curso, descripción, contenido, resumen del curso, resumen",
    pt: "descrição longa, descrição do curso, descrição, conteúdo, resumo do curso, resumo",
    it: "descrizione completa, descrizione del corso, descrizione, contenuto, contenuti, introduzione al corso",
    nl: "lange beschrijving, volledige beschrijving, cursusbeschrijving, beschrijving, omschrijving, inhoud",
    ja: "詳細, 詳しい説明, 詳細説明, 説明, 内容, コース説明, 講座内容, 概要",
  },
  audio: {
    en: "audio, language, languages, lang, course language, content language, in language, locale",
    de: "Kurssprache, Unterrichtssprache, Sprache, Sprachen",
    fr: "langue du cours, langue, langues",
    es: "idioma del curso, idioma, idiomas",
    pt: "idioma do curso, idioma, idiomas, língua",
    it: "lingua del corso, lingua, lingue",
    nl: "cursustaal, voertaal, taal, talen",
    ja: "言語, 使用言語, 講座言語",
  },
  provider: { en: "provider, provider slug" },
  pace: {
    en: "pace, pacing, course pacing, pacing type, self paced, is self paced, course mode, mode, delivery, delivery mode, format, course type",
    de: "Kursart, Kursform, Lernform, Veranstaltungsart, Durchführung, Durchführungsart, Unterrichtsform, Modus",
    fr: "modalité, modalités, rythme, mode de formation, type de formation",
    es: "modalidad, ritmo, tipo de curso, formato",
    pt: "modalidade, ritmo, tipo de curso, formato",
    it: "modalità, modalità di erogazione, tipo di corso, formato",
    nl: "cursusvorm, lesvorm, leervorm, soort cursus, vorm",
    ja: "受講形式, 受講方法, 形式, 開催形式, 学習形式, ペース",
  },
  published: {
    en: "published, is published, publish, visible, post status, status, course status, active, enabled",
    de: "Veröffentlicht, Kurssichtbarkeit, sichtbar, Veröffentlichung, Freigabe, aktiv",
    fr: "publié, visibilité du cours, statut, état, visible, actif",
    es: "publicado, visibilidad del curso, estado, activo",
    pt: "publicado, visibilidade do curso, estado, situação, ativo",
    it: "pubblicato, visibilità del corso, stato, attivo",
    nl: "gepubliceerd, zichtbaarheid, zichtbaar, actief",
    ja: "公開, 公開状態, 公開状況, ステータス, 状態",
  },
  hidden: {
    ...{
      en: "hidden, is hidden",
      de: "verborgen, ausgeblendet",
      fr: "caché, masqué",
      es: "oculto",
    },
    ...{ pt: "oculto", it: "nascosto", nl: "verborgen", ja: "非公開" },
  },
  prices: {
    en: "price, cost, regular price, course fee, fee, amount, price amount, course price, price incl vat, price type pay now price, price type buy now price",
    de: "Preis, Kurspreis, Kursgebühr, Gebühr, Entgelt, Preis brutto, Bruttopreis, Preis inkl MwSt, Kosten",
    fr: "prix, prix TTC, tarif, tarif TTC, coût, prix HT",
    es: "precio, coste, costo, precio con IVA, PVP, tarifa",
    pt: "preço, custo, valor, preço com IVA",
    it: "prezzo, costo, quota, prezzo IVA inclusa",
    nl: "prijs, cursusprijs, kosten, cursusgeld, prijs incl btw",
    ja: "価格, 料金, 受講料, 値段, 金額, 税込価格",
  },
  currency: {
    ...{ en: "currency, currency code, price currency, price currency code", de: "Währung" },
    ...{ fr: "devise", es: "moneda, divisa", pt: "moeda", it: "valuta", nl: "valuta", ja: "通貨" },
  },
  offered_by: {
    en: "organization, organisation, org, institution, university, school, partner",
    de: "Veranstalter, Einrichtung, Hochschule, Universität",
    fr: "organisme, établissement, université",
    es: "organización, institución, universidad, entidad",
    pt: "organização, instituição, universidade",
    it: "organizzazione, ente, università",
    nl: "organisatie, instelling, universiteit",
    ja: "主催, 主催者, 大学, 機関",
  },
  video: {
    en: "video, video url, intro video, course video, course video uri, trailer, promo video, media course video uri, preview video",
    ja: "動画, 紹介動画",
  },
  free_content: { en: "free content, is free, free" },
  paid_content: { en: "paid content, is paid, paid" },
  level: {
    en: "level, difficulty, difficulty level, skill level, course level, levels",
    de: "Niveau, Kursniveau, Schwierigkeitsgrad, Stufe, Zielgruppe",
    fr: "niveau, difficulté",
    es: "nivel, dificultad",
    pt: "nível, dificuldade",
    it: "livello, difficoltà",
    nl: "niveau, moeilijkheidsgraad",
    ja: "レベル, 難易度, 対象",
  },
  instructors: {
    en: "instructors, instructor, instructor name, teachers, teacher, teacher name, trainer, author, authors, staff",
    de: "Dozent/in, Dozent, Dozenten, Trainer/in, Kursleitung, Leitung, Referent/in, Referent",
    fr: "enseignant(e), enseignant, enseignants, formateur, formatrice, formateurs, intervenant",
    es: "profesor(a), profesor, profesora, profesores, docente, docentes, formador",
    pt: "professor, professora, professores, docente, formador, instrutor",
    it: "docente, docenti, insegnante, formatore, istruttore",
    nl: "docent, docenten, cursusleider, begeleider",
    ja: "講師, 講師名, 担当講師, 教師",
  },
  what_you_will_learn: {
    en: "what you will learn, learning outcomes, outcomes, objectives, learning objectives",
    de: "Lernziele, Lerninhalte",
    fr: "objectifs pédagogiques, objectifs",
    es: "objetivos de aprendizaje, objetivos",
    pt: "objetivos de aprendizagem, objetivos",
    it: "obiettivi formativi, obiettivi",
    nl: "leerdoelen, leeruitkomsten",
    ja: "学習目標, 到達目標",
  },
  subtitles_text: {
    en: "subtitles text, subtitles, subtitle languages, captions, transcripts, transcript languages",
    ...{ de: "Untertitelsprachen, Untertitel", fr: "sous-titres", es: "subtítulos" },
    ...{ pt: "legendas", it: "sottotitoli", nl: "ondertitels, ondertiteling", ja: "字幕" },
  },
  image_url: {
    en: "image url, image, course image, course image url, thumbnail, thumbnail url, featured image, featured image url, featured media url, jetpack featured media url, cover, media course image uri, media image raw, raw",
    de: "Kursbild, Titelbild, Vorschaubild, Bild",
    ...{ fr: "image, vignette", es: "imagen, portada", pt: "imagem, capa" },
    ...{ it: "immagine, copertina", nl: "afbeelding, omslag", ja: "画像, 画像URL, サムネイル" },
  },
  number_of_lessons: {
    en: "number of lessons, lessons, lessons count, lesson count, num lessons, num lectures, num sections, total lessons",
    ...{ de: "Anzahl Lektionen, Lektionen", fr: "nombre de leçons, leçons" },
    ...{ es: "número de lecciones, lecciones", pt: "número de aulas, aulas" },
    ...{ it: "numero di lezioni, lezioni", nl: "aantal lessen, lessen", ja: "レッスン数, 回数" },
  },
  duration_in_hours: {
    en: "duration in hours, duration, content duration, hours, course length, total duration, estimated time, estimated hours, length, time required, effort",
    de: "Kursdauer, Dauer, Dauer in Stunden, Dauer in Minuten, Dauer in Tagen, Umfang, Stunden",
    fr: "durée du cours, durée, durée en heures, heures",
    es: "duración del curso, duración, duración en horas, horas",
    pt: "duração do curso, duração, duração em horas, carga horária, horas",
    it: "durata del corso, durata, durata in ore, ore",
    nl: "cursusduur, duur, duur in uren, uren",
    ja: "時間, 所要時間, 学習時間, 期間",
  },
} as const satisfies Readonly<Record<string, Words>>;

/** A field, or what else the columns of other systems contain. */
export type ColumnKind = keyof typeof COLUMN_NAMES;

/** A name without its unit in brackets, case, spaces, punctuation, marks and the prefix of Moodle's own fields. */
export function foldName(name: string): string {
  return fold(name)
    .replace(/\s*[([][^()[\]]*[)\]]$/, "")
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .replace(/^(?:acf)?customfield/, "");
}

const RANKS = new Map(
  Object.entries(COLUMN_NAMES).map(([kind, names]) => {
    const ranks = new Map<string, number>();
    for (const [name, rank] of rankedWords(names)) {
      const folded = foldName(name);
      ranks.set(folded, Math.min(rank, ranks.get(folded) ?? rank));
    }
    return [kind, ranks] as const;
  }),
);

/** How well a folded name names a kind of column, from 0 for the best; undefined if it does not. */
export function rankOfName(kind: ColumnKind, name: string): number | undefined {
  return RANKS.get(kind)?.get(name);
}
