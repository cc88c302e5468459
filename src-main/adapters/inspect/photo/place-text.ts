// Whether a text shows a place: names of XMP with a value, or coordinates as programs and people write them.

/** XMP: coordinates in any schema. Names of places count with a prefix, or as an element. */
const coordinates =
  'gps(?:dest)?(?:latitude|longt?itude|lat|lon|lng)|gps(?:altitude|position|coordinates|areainformation)|(?:decimal|verbatim)?(?:latitude|longt?itude)|verbatimcoordinates';
const places =
  'city|sublocation|sub-location|location|state|province|provincestate|country|countryname|countrycode|worldregion|locationname|locationcreated|locationshown|shotlocation|coverage|landmark|stateprovince|(?:higher)?geography|continent|county|municipality|(?:verbatim)?locality|island(?:group)?|waterbody|locationremarks|footprintwkt|ciadr(?:city|extadr|pcode|region|ctry)|licensor(?:city|streetaddress|extendedaddress|region|postalcode|country)';
/** Towers of a mobile network. */
const cells = 'cgi|cellid|lac';
const prefix = String.raw`[\w.-]{1,40}:`;

const attribute = new RegExp(
  String.raw`[\s"'](?:(?:${prefix})?(?:${coordinates})|${prefix}(?:${places})|geo:(?:lat|long)|cell:(?:${cells}))\s{0,9}=\s{0,9}(?:"\s{0,9}[^"\s]|'\s{0,9}[^'\s])`,
  'i',
);
const element = new RegExp(
  String.raw`<(?:${prefix})?(?:${coordinates}|${places}|lat|long|${cells})((?:\s[^<>]{0,2000})?)>`,
  'gi',
);
/** Attributes that are no value of the element. */
const noValue =
  /\s(?:xmlns(?::[\w.-]+)?|xml:lang|rdf:parseType|rdf:about)\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*')/g;
const someValue = /=\s{0,9}(?:"\s{0,9}[^"\s]|'\s{0,9}[^'\s])/;
/** How far behind the name of its element a value is searched for. */
const mostValueLetters = 4000;
const mostElements = 10_000;

const hasElement = (text: string): boolean => {
  let count = 0;
  for (const match of text.matchAll(element)) {
    if ((count += 1) > mostElements) return true;
    const attributes = match[1] ?? '';
    if (someValue.test(attributes.replace(noValue, ''))) return true;
    if (attributes.endsWith('/')) continue;
    const from = match.index + match[0].length;
    const name = /^<([^\s>/]+)/.exec(match[0])?.[1] ?? '';
    const end = text.indexOf(`</${name}`, from);
    const inside = text.slice(
      from,
      end === -1 ? from + mostValueLetters : Math.min(end, from + mostValueLetters),
    );
    const bare = inside.replace(/<!--.*?-->/gs, '').replace(/<!\[CDATA\[|\]\]>/g, '');
    if (bare.replace(/<[^>]*>/g, '').trim() !== '') return true;
    if (someValue.test(bare.replace(noValue, ''))) return true;
  }
  return false;
};

/** Whether an attribute or element that is called like a place has a value. */
export const hasNamedPlace = (text: string): boolean => attribute.test(text) || hasElement(text);

/** Coordinates outside of XMP. */
const written: readonly RegExp[] = [
  // ISO 6709: +48.1370+011.5754/, +4808.22+01134.52/
  /[+-]\d{2}(?:\d{2}){0,2}(?:\.\d{1,12})?[+-]\d{3}(?:\d{2}){0,2}(?:\.\d{1,12})?(?:[+-]\d{1,6}(?:\.\d{1,12})?)?(?:CRS[\w-]{1,20})?\//,
  /[+-]\d{2}\.\d{3,12}[+-]\d{3}\.\d{3,12}/,
  // GPSLatitude=48, "latitude": 48.1, lon = 11.57, [latitude: 48.137] [GPSLatitude] 48/1
  /(?:gps\s?(?:dest)?(?:latitude|longt?itude|position|coordinates)|latitude|longt?itude|(?<![a-z])m?(?:lat|lon|lng))(?:ref)?["']?\s{0,9}[=:\]]\s{0,9}["']?[-+(]?\s{0,2}\d{1,3}(?:[.,\u00b0:/\s"']|$)/i,
  /name\s{0,9}=\s{0,9}["'](?:gps)?(?:latitude|longitude)["']\s{1,9}value\s{0,9}=\s{0,9}["'][^"']/i,
  // 48.137 N, 11.575 E
  /(?<![\d.])\d{1,2}\.\d{3,12}\s?(?:\u00b0|\u00c2\u00b0)?\s?[NS][,;\s]{0,3}\d{1,3}\.\d{3,12}\s?(?:\u00b0|\u00c2\u00b0)?\s?[EWO](?![a-z])/,
  // lat 48.137 lon 11.575
  /(?<![a-z])(?:lat(?:itude)?|longt?itude|lon|lng)\s{1,9}[-+]?\d{1,3}\.\d{3,12}/i,
  // N48.137 E11.575
  /(?<![A-Z\d])[NS]\s{0,2}\d{1,2}\.\d{3,12}\s?(?:\u00b0|\u00c2\u00b0)?[,;\s]{1,3}[EWO]\s{0,2}\d{1,3}\.\d{3,12}/,
  // geo:48.137,11.575 and the addresses of maps
  /geo:-?\d{1,2}\.\d{1,12},-?\d/i,
  /(?:[@=(/]|GPS\s{0,2})\s{0,2}-?\d{1,2}\.\d{4,12},\s{0,2}-?\d{1,3}\.\d{4,12}/i,
  // ll=11.57612%2C48.13715, cp=48.13715~11.57612
  /=-?\d{1,3}\.\d{3,12}(?:%2C|~|%7E|%3B)(?:%20|\+)?-?\d{1,3}\.\d{3,12}/i,
  /map=\d{1,2}(?:\.\d{1,12})?\/-?\d{1,2}\.\d{1,12}\/-?\d/i,
  // Plus codes: 8FWH4HPG+VF
  /(?<![A-Z\d])[2-9C][2-9CFGHJMPQRV][2-9CFGHJMPQRVWX]{6}\+[2-9CFGHJMPQRVWX]{2,7}(?![A-Z\d])/,
  // Addresses of places on maps, also short ones
  /maps\.app\.goo\.gl\/\w|goo\.gl\/maps\/\w|google\.[a-z.]{2,6}\/maps\/(?:place|search|dir)\/|maps\.apple(?:\.com)?\/|(?:openstreetmap|osm)\.org\/(?:node|way|relation|go)\/|geonames\.org\/\d|(?:what3words|w3w)\.(?:com|co)\/\S/i,
  /geohash\.org\/\w|ge0\.me\/\w|waze\.com\/ul\/h\w|here\.com\/[lp]\/|yandex\.[a-z.]{2,6}\/maps\/(?:-|org|\d)|bing\.com\/maps\/?\?\w|mapy\.(?:cz|com)\/s\/|(?:j\.map\.baidu|surl\.amap)\.com\/\w|2gis\.[a-z]{2,3}\/\w{1,40}\/(?:geo|firm)\//i,
  // In Chinese: 北纬48.137
  /\xe7\xba\xac\s?[:\uff1a]?\s?\d{1,2}|\xe7\xbb\x8f\s?[:\uff1a]?\s?\d{1,3}\.\d/,
  // GML, GDAL: <gml:pos>48.137 11.575</gml:pos>, <Item name="LATITUDE">48.137
  /<gml:(?:pos|posList|coordinates|(?:lower|upper)Corner)\b[^>]{0,200}>\s{0,9}[-\d]/i,
  /name\s{0,9}=\s{0,9}["'](?:[a-z]{0,20}_)?(?:latitude|longitude|lat|lon)["'][^>]{0,200}>\s{0,9}[-\d]/i,
  // NMEA, as dashcams write it
  /\$G[ABLNP](?:GGA|RMC|GLL),/,
];

/** A byte of a picture may look like a degree sign, and numbers may be in a row by chance: these count only in text. */
const inText: readonly RegExp[] = [
  // 48°08'13.2" N, 48 deg 8' 13" N, N 48° 08.22
  /\d{1,3}\s?(?:\u00b0|deg)\s?\d{1,2}[^\n]{0,14}?[NSEWO](?![a-z])/,
  /[NSEW]\s{0,2}\d{1,3}\s?(?:\u00b0|deg)/,
  // MGRS and UTM: 32U PU 91607 34786, 32U 691607 5334786
  /(?<![A-Z\d])\d{1,2}[C-HJ-NP-X]\s?(?:[A-HJ-NP-Z][A-HJ-NP-V]\s?(?:\d{5}\s?\d{5}|\d{4}\s?\d{4})|\s?\d{6}m?E?\s\d{7})(?![A-Z\d])/,
  // A short plus code and its town
  /(?<![A-Z\d])[2-9CFGHJMPQRVWX]{4}\+[2-9CFGHJMPQRVWX]{2,3},?\s[A-Z\x80-\xff]/,
  // what3words: ///filled.count.soap
  /(?<![:\w/])\/\/\/[a-z\x80-\xff]{2,30}\.[a-z\x80-\xff]{2,30}\.[a-z\x80-\xff]{2,30}(?![\w/.])/i,
  // 48.137154, 11.576124, as maps copy it; three numbers in a row are something else
  /(?<![\d.,/-])(?<!\d[,;]\s{1,2})[-+]?[1-9]\d?\.\d{4,12},\s{0,2}[-+]?\d{1,3}\.\d{4,12}(?![\w.]|\s{0,2}[,;]\s{0,2}[-+]?\d)/,
];
/** Signs of degrees, minutes and seconds: UTF-8 read as Latin-1. */
const signs = /\u00c2(?=\u00b0)|(?:\u00e2\u0080[\u0098-\u009d\u00b2\u00b3])/g;
const isText = (text: string): boolean =>
  text.replace(/[^\x20-\x7e\n\r\t]/g, '').length * 10 >= text.length * 7;

/** `text`: in Latin-1 without NULs, so UTF-16 reads as ASCII. */
export const tellsPlace = (text: string): boolean =>
  hasNamedPlace(text) ||
  written.some((one) => one.test(text)) ||
  hasPlaceKeyword(text) ||
  inDegrees(text.replace(signs, (sign) => (sign.length === 1 ? '' : "'")));

const inDegrees = (text: string): boolean => inText.some((one) => one.test(text)) && isText(text);

// ---------------------------------------------------------------- keywords

/** The first word of a hierarchy of places, as catalogues of photos have it: `Places|Germany|Munich`, in UTF-8. */
const rootsOfPlaces =
  'place places location locations country countries city cities continent region regions geography ' +
  'ort orte länder stadt städte standort standorte reiseziele ' +
  'lieu lieux ville villes endroits ' +
  'lugar lugares países ciudad ciudades ubicación ubicaciones ' +
  'luogo luoghi località paesi città locais cidade cidades plaatsen locaties platser steder paikat ' +
  'miejsca místa места страны города 地点 地方 位置 场所 国家 城市 場所 国 都市 장소';
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'zh', 'ja', 'ru'];
const continents =
  'europe europa asia asie asien africa afrika afrique áfrica américa amérique oceania ozeanien antarctica antarktis 亚洲 欧洲';

/** As the text has it: UTF-8 read as Latin-1. */
const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');
const setOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => inUtf8(name.toLowerCase())));
const roots = setOf(rootsOfPlaces.split(' '));
const alone = new RegExp(`(?:[>"]|&gt;)(?:${[...roots].join('|')})(?=[<"]|&lt;)`, 'i');

/** Names of all countries in the languages in which most catalogues are kept, and of continents. */
const regions = (): ReadonlySet<string> => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const countries = languages.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => names.of(code) ?? []);
  });
  return setOf([...countries, ...continents.split(' ')]);
};
let knownRegions: ReadonlySet<string> | undefined;

const lowered = (latin: string): string => inUtf8(Buffer.from(latin, 'latin1').toString().toLowerCase());
const levels = /(?<=[A-Za-z\x80-\xff]\s?)(?:[|/\\]|&gt;|&#47;)(?=\s?[A-Z\x80-\xff])/g;
/** A catalogue gives a photo some dozens. */
const mostLevels = 20_000;
const levelBefore = /(?:^|[^A-Za-z\x80-\xff .'()-])([A-Za-z\x80-\xff][A-Za-z\x80-\xff .'()-]{0,60}?)\s?$/;
const levelBehind = /^\s?([A-Z\x80-\xff][A-Za-z\x80-\xff .'()-]{0,60})/;

/** A hierarchy (`|`, `/`) that begins with a word for places, or has a country in it; or such a word alone. */
const hasPlaceKeyword = (text: string): boolean => {
  if (alone.test(text)) return true;
  let count = 0;
  for (const { 0: level, index } of text.matchAll(levels)) {
    if ((count += 1) > mostLevels) return false;
    const behind = levelBehind.exec(text.slice(index + level.length, index + level.length + 64))?.[1];
    if (behind === undefined) continue;
    const from = Math.max(0, index - 64);
    const start = text.slice(from, index);
    // Part of an address of a page.
    if (/:\/\/[^\s"<>]*$/.test(start) || start.endsWith(':/')) continue;
    const before = levelBefore.exec(start);
    if (before?.[1] === undefined) continue;
    knownRegions ??= regions();
    const [one, other] = [lowered(before[1]), lowered(behind.trim())];
    if (knownRegions.has(one) || knownRegions.has(other)) return true;
    const isFirst = !/[|/\\.:;]$/.test(start.slice(0, before.index + 1));
    if (isFirst && roots.has(one)) return true;
  }
  return false;
};

/** A contact that is more than numbers of telephones and addresses of mail and pages. */
export const isAddress = (text: string): boolean => {
  const rest = text.replace(/\S+@\S+|(?:https?:\/\/|www\.)\S+|\+?\d[\d\s()/-]{6,}/g, '');
  return /\d/.test(rest) && /[A-Za-z\x80-\xff]{3}/.test(rest);
};

/** Whether the key of a text names a place. */
export const isPlaceName = (key: string): boolean =>
  new RegExp(`^(?:${prefix})?(?:${coordinates}|${places}|geo|gps.*|.*location.*|.*iso6709.*)$`, 'i').test(
    key,
  );

/** In claims of C2PA (CBOR or JSON) the value follows its name. */
export const namesPlace = (text: string): boolean =>
  /GPS(?:Dest)?(?:Latitude|Longitude)|Iptc4xmpExt:(?:Location|City|Country|Province|Sublocation|WorldRegion)|photoshop:(?:City|State|Country)|(?:"|:)(?:latitude|longitude)|LocationCreated|LocationShown|ISO6709/i.test(
    text,
  );
