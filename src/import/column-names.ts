/** Lists what other systems call the fields of a course, by language. */
import { fold } from "./words.ts";

/**
 * The names of columns for each field, including Moodle's names. A semicolon separates languages, and in each language
 * the best names are first. Case, spaces, punctuation, marks of letters and units in brackets do not matter. To add a
 * language, add its names to each field.
 */
const COLUMN_NAMES = {
  key: `key, sku, id number, course id, course key, external id, uuid, id, short name, code, course code, course no, ref, slug;
    Kurs-ID, Kursnummer, Kurs-Nr, Objekt-ID, kurzer Kursname, Kurzname, Kennung, Nummer, Nr;
    numéro d’identification du cours, nom abrégé du cours, nom abrégé, identifiant, référence, réf;
    número id del curso, nombre corto del curso, nombre corto, código, referencia, identificador;
    número de identificação do curso, nome breve do curso, código, referência, identificador;
    numero id del corso, titolo abbreviato, codice, codice corso, riferimento, identificativo;
    cursus-id, cursusnummer, cursuscode, korte cursusnaam, nummer, referentie;
    講座番号, コース番号, コースID, 番号, 講座コード, コースコード, コード, 省略名`,
  name: `name, title, full name, title rendered, course name, course title, post title, display name;
    vollständiger Kursname, Kursname, Kurstitel, Titel, Bezeichnung;
    nom complet du cours, nom du cours, intitulé du cours, titre du cours, intitulé, titre, nom;
    nombre completo del curso, nombre del curso, título del curso, título, nombre;
    nome completo do curso, nome do curso, título do curso, título, nome;
    titolo completo del corso, nome del corso, titolo del corso, titolo, nome;
    volledige cursusnaam, cursusnaam, cursustitel, titel, naam;
    コース名, 講座名, コースタイトル, 講座タイトル, タイトル, 名称, 長い名称`,
  url: `url, link, course url, permalink, web url, marketing url, course about, about url, homepage, guid, href, address;
    Kurs-URL, Kurslink, Webadresse, Adresse; url du cours, lien du cours, lien, adresse;
    url del curso, enlace del curso, enlace, dirección; url do curso, link do curso, ligação, endereço;
    url del corso, link del corso, collegamento, indirizzo;
    cursus-url, cursuslink, koppeling, webadres, adres; リンク, アドレス, ウェブページ`,
  short_description: `short description, subtitle, excerpt rendered, excerpt, teaser, tagline, headline, summary, course summary, description, course description;
    Kurzbeschreibung, Kurztext, Zusammenfassung, Kursbeschreibung, Beschreibung;
    description courte, résumé court, accroche, sous-titre, résumé du cours, résumé;
    descripción corta, descripción breve, subtítulo, resumen del curso, resumen, descripción;
    descrição curta, descrição breve, subtítulo, resumo do curso, resumo, descrição;
    descrizione breve, sottotitolo, sommario, riassunto, introduzione al corso, descrizione;
    korte beschrijving, ondertitel, samenvatting, cursusbeschrijving, beschrijving, omschrijving;
    概要, 短い説明, 要約, キャッチコピー, サブタイトル, コース概要, 講座概要, 説明`,
  long_description: `long description, full description, content rendered, description, course description, content, overview, summary, course summary, body, post content, about, short description;
    Langtext, Langbeschreibung, ausführliche Beschreibung, Kursbeschreibung, Kursinhalt, Inhalt, Inhalte, Beschreibung;
    description longue, description du cours, description, contenu, présentation, résumé du cours, résumé;
    descripción larga, descripción del curso, descripción, contenido, resumen del curso, resumen;
    descrição longa, descrição do curso, descrição, conteúdo, resumo do curso, resumo;
    descrizione completa, descrizione del corso, descrizione, contenuto, contenuti, introduzione al corso;
    lange beschrijving, volledige beschrijving, cursusbeschrijving, beschrijving, omschrijving, inhoud;
    詳細, 詳しい説明, 詳細説明, 説明, 内容, コース説明, 講座内容, 概要`,
  audio: `audio, language, languages, lang, course language, content language, in language, locale;
    Kurssprache, Unterrichtssprache, Sprache, Sprachen; langue du cours, langue, langues;
    idioma del curso, idioma, idiomas; idioma do curso, idioma, idiomas, língua;
    lingua del corso, lingua, lingue; cursustaal, voertaal, taal, talen; 言語, 使用言語, 講座言語`,
  provider: "provider, provider slug",
  pace: `pace, pacing, course pacing, pacing type, self paced, is self paced, course mode, mode, delivery, delivery mode, format, course type;
    Kursart, Kursform, Lernform, Veranstaltungsart, Durchführung, Durchführungsart, Unterrichtsform, Modus;
    modalité, modalités, rythme, mode de formation, type de formation;
    modalidad, ritmo, tipo de curso, formato; modalidade, ritmo, tipo de curso, formato;
    modalità, modalità di erogazione, tipo di corso, formato;
    cursusvorm, lesvorm, leervorm, soort cursus, vorm; 受講形式, 受講方法, 形式, 開催形式, 学習形式, ペース`,
  published: `published, is published, publish, visible, post status, status, course status, active, enabled;
    Veröffentlicht, Kurssichtbarkeit, sichtbar, Veröffentlichung, Freigabe, aktiv;
    publié, visibilité du cours, statut, état, visible, actif;
    publicado, visibilidad del curso, estado, activo;
    publicado, visibilidade do curso, estado, situação, ativo;
    pubblicato, visibilità del corso, stato, attivo; gepubliceerd, zichtbaarheid, zichtbaar, actief;
    公開, 公開状態, 公開状況, ステータス, 状態`,
  hidden:
    "hidden, is hidden; verborgen, ausgeblendet; caché, masqué; oculto; nascosto; verborgen; 非公開",
  prices: `price, cost, regular price, course fee, fee, amount, price amount, course price, price incl vat, price type pay now price, price type buy now price;
    Preis, Kurspreis, Kursgebühr, Gebühr, Entgelt, Preis brutto, Bruttopreis, Preis inkl MwSt, Kosten;
    prix, prix TTC, tarif, tarif TTC, coût, prix HT; precio, coste, costo, precio con IVA, PVP, tarifa;
    preço, custo, valor, preço com IVA; prezzo, costo, quota, prezzo IVA inclusa;
    prijs, cursusprijs, kosten, cursusgeld, prijs incl btw; 価格, 料金, 受講料, 値段, 金額, 税込価格`,
  currency: `currency, currency code, price currency, price currency code; Währung; devise; moneda, divisa; moeda;
    valuta; 通貨`,
  offered_by: `organization, organisation, org, institution, university, school, partner;
    Veranstalter, Einrichtung, Hochschule, Universität; organisme, établissement, université;
    organización, institución, universidad, entidad; organização, instituição, universidade;
    organizzazione, ente, università; organisatie, instelling, universiteit; 主催, 主催者, 大学, 機関`,
  video: `video, video url, intro video, course video, course video uri, trailer, promo video, media course video uri, preview video;
    動画, 紹介動画`,
  free_content: "free content, is free, free",
  paid_content: "paid content, is paid, paid",
  level: `level, difficulty, difficulty level, skill level, course level, levels;
    Niveau, Kursniveau, Schwierigkeitsgrad, Stufe, Zielgruppe; niveau, difficulté; nivel, dificultad;
    nível, dificuldade; livello, difficoltà; niveau, moeilijkheidsgraad; レベル, 難易度, 対象`,
  instructors: `instructors, instructor, instructor name, teachers, teacher, teacher name, trainer, author, authors, staff;
    Dozent/in, Dozent, Dozenten, Trainer/in, Kursleitung, Leitung, Referent/in, Referent;
    enseignant(e), enseignant, enseignants, formateur, formatrice, formateurs, intervenant;
    profesor(a), profesor, profesora, profesores, docente, docentes, formador;
    professor, professora, professores, docente, formador, instrutor;
    docente, docenti, insegnante, formatore, istruttore; docent, docenten, cursusleider, begeleider;
    講師, 講師名, 担当講師, 教師`,
  what_you_will_learn: `what you will learn, learning outcomes, outcomes, objectives, learning objectives;
    Lernziele, Lerninhalte; objectifs pédagogiques, objectifs; objetivos de aprendizaje, objetivos;
    objetivos de aprendizagem, objetivos; obiettivi formativi, obiettivi; leerdoelen, leeruitkomsten;
    学習目標, 到達目標`,
  subtitles_text: `subtitles text, subtitles, subtitle languages, captions, transcripts, transcript languages;
    Untertitelsprachen, Untertitel; sous-titres; subtítulos; legendas; sottotitoli;
    ondertitels, ondertiteling; 字幕`,
  image_url: `image url, image, course image, course image url, thumbnail, thumbnail url, featured image, featured image url, featured media url, jetpack featured media url, cover, media course image uri, media image raw, raw;
    Kursbild, Titelbild, Vorschaubild, Bild; image, vignette; imagen, portada; imagem, capa;
    immagine, copertina; afbeelding, omslag; 画像, 画像URL, サムネイル`,
  number_of_lessons: `number of lessons, lessons, lessons count, lesson count, num lessons, num lectures, num sections, total lessons;
    Anzahl Lektionen, Lektionen; nombre de leçons, leçons; número de lecciones, lecciones;
    número de aulas, aulas; numero di lezioni, lezioni; aantal lessen, lessen; レッスン数, 回数`,
  duration_in_hours: `duration in hours, duration, content duration, hours, course length, total duration, estimated time, estimated hours, length, time required, effort;
    Kursdauer, Dauer, Dauer in Stunden, Dauer in Minuten, Dauer in Tagen, Umfang, Stunden;
    durée du cours, durée, durée en heures, heures;
    duración del curso, duración, duración en horas, horas;
    duração do curso, duração, duração em horas, carga horária, horas;
    durata del corso, durata, durata in ore, ore; cursusduur, duur, duur in uren, uren;
    時間, 所要時間, 学習時間, 期間`,
} as const satisfies Readonly<Record<string, string>>;

/** A field, or another kind of column in other systems, such as `currency`. */
export type ColumnKind = keyof typeof COLUMN_NAMES;

/** Folds a name: drops the unit in brackets, case, spaces, punctuation, marks, and Moodle's prefix: `Dauer (Std.)` gives `dauer`. */
export function foldName(name: string): string {
  return fold(name)
    .replace(/\s*[([][^()[\]]*[)\]]$/, "")
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .replace(/^(?:acf)?customfield/, "");
}

const RANKS = new Map(
  Object.entries(COLUMN_NAMES).map(([kind, names]) => {
    const ranks = new Map<string, number>();
    for (const language of names.split(";")) {
      for (const [rank, name] of language.split(",").map(foldName).entries()) {
        ranks.set(name, Math.min(rank, ranks.get(name) ?? rank));
      }
    }
    return [kind, ranks] as const;
  }),
);

/** The rank of a folded name among the names of a kind of column; 0 is the best, undefined if the name is not one of them. */
export function rankOfName(kind: ColumnKind, name: string): number | undefined {
  return RANKS.get(kind)?.get(name);
}
