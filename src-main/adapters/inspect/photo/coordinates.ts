// Coordinates as programs and people write them, codes of places, and links to maps.
//
// The texts are UTF-8 read as Latin-1, so they are searched in any bytes.
import { isUtf8 } from 'node:buffer';

/** As the text has it: UTF-8 read as Latin-1. */
export const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** A character that no text has; so the text stays UTF-8. Latin-1 has its own. */
const degree = '\x7f';
/** Signs that mean the same, in UTF-8 and as XML and JSON escape them. */
const sameSigns: readonly (readonly [string, readonly string[]])[] = [
  [degree, ['°', 'º', '˚', '度'].map(inUtf8)],
  ["'", ['′', '‘', '’', '分'].map(inUtf8).concat('&apos;', '&#39;', "\\'")],
  ['"', ['″', '“', '”', '秒'].map(inUtf8).concat('&quot;', '&#34;', '\\"')],
  ['-', ['−', '–'].map(inUtf8)],
  ['.', ['。', '．'].map(inUtf8)],
  [',', ['，', '、'].map(inUtf8)],
  [':', ['：'].map(inUtf8)],
  [' ', ['\u00a0', '\u2009', '\u202f', '\u3000'].map(inUtf8)],
  ['<', ['&lt;', '&#60;']],
  ['>', ['&gt;', '&#62;']],
  ['&', ['&amp;', '&#38;']],
];
const signOf = new Map(sameSigns.flatMap(([sign, others]) => others.map((other) => [other, sign] as const)));
const otherSign = new RegExp([...signOf.keys()].map((one) => one.replace('\\', '\\\\')).join('|'), 'g');
export const withPlainSigns = (text: string): string =>
  text.replace(otherSign, (one) => signOf.get(one) ?? one);

const sign = String.raw`(?:\s?(?:[\xb0\x7f]|deg|[dm:'"-])\s?|[\s_])`;
const decimals = String.raw`(?:[.,]\d{1,12})`;
/** 48.137, 48°08, 48 08.22, 48:08:13.2 */
const angle = String.raw`\d{1,3}(?:[\xb0\x7f]?[.,]\d{3,12}[\xb0\x7f]?|${sign}\d{1,2}(?:${decimals}|${sign}\d{1,2}${decimals}?)|\s?(?:[\xb0\x7f]|deg)\s?\d{1,2})(?:\s?['"ms]{1,2}){0,2}`;
const east = '[EWO](?![a-z])';
const metres = String.raw`\d{6,7}(?:\.\d{1,3})?`;

/** Words for maps in hosts and paths. */
const map = '(?:maps?|mapy|mapas?|amap|ditu|kart|kart[ae]n?|kartta|kaart)';
/** More of a link than its host and the word. */
const more = String.raw`(?::\d{1,5})?[/?#!~@]{1,4}(?!copyright|about|legal|license|terms)[\w%+=-]`;
const inLink = String.raw`(?<=:\/\/[^\s"'<>]{0,400})`;
/** Two parameters of a link in any order. */
const parameters = (one: string, other: string, value: string): string =>
  [
    [one, other],
    [other, one],
  ]
    .map(([a, b]) => String.raw`[?&#;](?:${a})=${value}[^\s"'<>]{0,80}?[&;](?:${b})=${value}`)
    .join('|');
const numberInLink = String.raw`-?\d{1,3}\.\d{3,12}`;
const metresOrDegrees = String.raw`-?(?:\d{5,8}(?:\.\d{1,6})?|\d{1,3}\.\d{3,12})(?![\d.])`;
const plusCode = '[2-9CFGHJMPQRVWX]';
const word = String.raw`[a-z\x80-\xff]{2,60}`;

const any = (...sources: string[]): RegExp => new RegExp(sources.join('|'), 'gi');

const written: readonly RegExp[] = [
  // ISO 6709: +48.1370+011.5754/, +4808.22+01134.52/
  /[+-]\d{2}(?:\d{2}){0,2}(?:\.\d{1,12})?[+-]\d{3}(?:\d{2}){0,2}(?:\.\d{1,12})?(?:[+-]\d{1,6}(?:\.\d{1,12})?)?(?:CRS[\w-]{1,20})?\//,
  /[+-]\d{2}\.\d{3,12}[+-]\d{3}\.\d{3,12}/,
  // GPSLatitude=48, "latitude": 48.1, lon = 11.57, [latitude: 48.137] [GPSLatitude] 48/1
  /(?:gps\s?(?:dest)?(?:latitude|longt?itude|position|coordinates)|latitude?|longt?itude?|(?<![a-z])m?(?:lat|lon|lng))(?:ref)?["']?\s{0,9}[=:\]]\s{0,9}["']?[-+(]?\s{0,2}\d{1,3}(?:[.,\xb0\x7f:/\s"']|$)/i,
  /name\s{0,9}=\s{0,9}["'](?:gps)?(?:latitude|longitude)["']\s{1,9}value\s{0,9}=\s{0,9}["'][^"']/i,
  // lat 48.137 lon 11.575, Lat.: 48,137
  /(?<![a-z])(?:lat(?:itud[a-z]{1,4})?|lon(?:gt?itud[a-z]{1,4})?|long|lng)(?:\.:?\s{0,9}|:?\s{1,9})[-+]?\d{1,3}[.,]\d{3,12}/i,
  // N48.137 E11.576; 48°08'13"N 11°34'30"E; 4808.22N/01134.52E
  new RegExp(String.raw`(?<![A-Z\d])[NS]\s{0,2}${angle}[\s,;/_|-]{0,3}[EWO]\s{0,2}${angle}`),
  new RegExp(String.raw`(?<![\d.,])${angle}[\s_]?[NS][\s,;/_|-]{0,3}${angle}[\s_]?${east}`),
  new RegExp(String.raw`(?<!\d)\d{4,7}(?:\.\d{1,12})?,?[NS][\s,;/]{0,2}\d{5,8}(?:\.\d{1,12})?,?${east}`),
  // WKT, GeoJSON, KML, GML, GDAL
  /(?:POINT|LINESTRING|POLYGON)\s?(?:ZM?|M)?\s?\({1,3}\s?-?\d{1,3}(?:\.\d{1,15})?\s-?\d/i,
  /"coordinates"\s{0,9}:\s{0,9}\[[[\s]{0,9}-?\d/,
  /<(?:gml:(?:pos|posList|(?:lower|upper)Corner)|(?:\w{1,20}:)?coordinates)\b[^>]{0,200}>\s{0,9}[-\d]/i,
  /name\s{0,9}=\s{0,9}["'](?:[a-z]{0,20}_)?(?:latitude|longitude|lat|lon)["'][^>]{0,200}>\s{0,9}[-\d]/i,
  // A grid with its name: CH1903+ 2600000 / 1200000
  new RegExp(
    String.raw`(?:CH1903|LV\d\d|EPSG|UTM|GK|OSGB)\b[^\n]{0,9}?(?<!\d)${metres}\D{1,6}${metres}(?!\d)`,
  ),
  // NMEA, as dashcams write it
  /\$G[ABLNP](?:GGA|RMC|GLL),/,
  // Plus codes: 8FWH4HPG+VF, and of an area: 8FWH0000+
  new RegExp(
    String.raw`(?<![A-Z\d])[2-9C][2-9CFGHJMPQRV](?:${plusCode}{6}\+${plusCode}{2,7}|(?:${plusCode}{4}00|${plusCode}{2}0000)\+)(?![A-Z\d])`,
  ),
  // geo:48.137,11.575, and the positions of drones
  /geo:-?\d{1,2}(?:\.\d{1,12})?,-?\d/i,
  /(?:[@=(/]|GPS\s{0,2})\s{0,2}-?\d{1,3}\.\d{4,12},\s{0,2}-?\d{1,3}\.\d{4,12}/i,
  // ll=11.57612%2C48.13715, cp=48.13715~11.57612
  /=-?\d{1,3}\.\d{3,12}(?:%2C|~|%7E|%3B)(?:%20|\+)?-?\d{1,3}\.\d{3,12}/i,
  /map=\d{1,2}(?:\.\d{1,12})?\/-?\d{1,2}\.\d{1,12}\/-?\d/i,
  // Links whose host or path says that they show a map
  any(
    String.raw`(?<!\w)(?:${map}|(?!site)[a-z]{1,20}(?:maps|streetmap))\.(?:[a-z\d-]{1,40}\.){0,3}[a-z]{2,12}${more}`,
    String.raw`\.[a-z]{2,12}\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?${map}${more}`,
  ),
  // Links with coordinates, with a numbered place
  any(
    String.raw`[=/@,!:;(?&#~]${numberInLink}(?:[,;~_/]|%2C|%7E|%3B)(?:%20|\+)?${numberInLink}${inLink}`,
    String.raw`[=@]-?\d{1,3}\.\d{2,12},-?\d{1,3}\.\d{2,12},[\d.]{1,5}z`,
    parameters(
      String.raw`\w{0,8}lat(?:itude)?`,
      String.raw`\w{0,8}(?:lon|lng|long|longitude)`,
      String.raw`-?\d{1,8}\b`,
    ),
    parameters('x|e|east|easting', 'y|n|north|northing', metresOrDegrees),
    String.raw`\/(?:places?|locations?|pois?|spots?)\/(?:[^\s"'<>/]{1,80}\/)?\d{4,}${inLink}`,
  ),
  // Short links, and pages of places
  /(?:earth\.google\.com\/web|osm\.org\/(?:node|way|relation|go)|geonames\.org|geohash\.org|ge0\.me|here\.com\/[lp]|2gis\.[a-z]{2,3}\/\w{1,40}\/(?:geo|firm))\/\w|waze\.com\/ul\/h\w|(?:what3words|w3w)\.(?:com|co)\/\S/i,
];

/** A byte of a picture may look like a degree sign, and numbers may be in a row by chance: these count only in text. */
const inText: readonly RegExp[] = [
  // 48°08'13.2" N, 48 deg 8' 13" N, N 48° 08.22; two angles without letters
  /\d{1,3}\s?(?:[\xb0\x7f]|deg)\s?\d{1,2}[^\n]{0,14}?[NSEWO](?![a-z])/g,
  /[NSEW]\s{0,2}\d{1,3}\s?(?:[\xb0\x7f]|deg)/g,
  /(?:\d{1,3}[\xb0\x7f]\s?\d{1,2}(?:[.,]\d{1,12})?\s?'[^\n]{0,60}?){2}/g,
  // In Chinese and Japanese: 北纬48.137
  any(
    String.raw`(?:${inUtf8('纬')}|${inUtf8('緯')})[\xb0\x7f]?:?\s?\d{1,2}`,
    String.raw`(?:${inUtf8('经')}|${inUtf8('経')})[\xb0\x7f]?:?\s?\d{1,3}\.\d`,
  ),
  // MGRS and UTM: 32U PU 91607 34786, 32U 691607 5334786
  /(?<![A-Z\d])\d{1,2}[C-HJ-NP-X]\s?(?:[A-HJ-NP-Z][A-HJ-NP-V]\s?(?:\d{5}\s?\d{5}|\d{4}\s?\d{4})|\s?\d{6}m?E?\s\d{7})(?![A-Z\d])/g,
  // A short plus code and its town
  new RegExp(String.raw`(?<![A-Z\d])${plusCode}{4}\+${plusCode}{2,3},?\s[A-Z\x80-\xff]`, 'g'),
  // what3words: ///filled.count.soap
  any(
    String.raw`(?:(?<![:\w/])\/\/\/\s?|(?:what3words|w3w)(?:\saddress)?[\s:=@/]{1,5})${word}\.${word}\.${word}(?![\w/.])`,
  ),
];

const number = String.raw`([-+]?\d{1,3}[.,]\d{4,12})[\xb0\x7f]?`;
/** In front of a pair; also what "width" and "length" mean in German and Hungarian. */
const labels = [
  'gps|geo|location|position|coord|koord|latitud|longitud|Breite|Länge|Széles|Hossz|szer|enlem|boylam|vĩ độ|φ',
  'координат|Координат|широт|Широт|долгот|Долгот|座標|坐标|좌표|위도|경도',
]
  .map(inUtf8)
  .join('|');
/** Two numbers that belong together. Three in a row are something else. */
const pairs: readonly RegExp[] = [
  String.raw`(?<![\d.,/-])(?<!\d[,;]\s{1,2})${number}\s{0,2}[,;|]\s{0,2}${number}(?![\w.]|\s{0,2}[,;|]\s{0,2}[-+]?\d)`,
  String.raw`(?<![\w.,])(?<!\d\s)(?=\+|-\S+\s\+)${number}\s(?=[-+])${number}(?![\w.]|\s[-+]?\d)`,
  String.raw`(?:^|[>"'(\n\x01-\x1f\xc7])\s{0,3}${number}\s{1,3}${number}\s{0,3}(?=$|[<"')\n\0-\x1f])`,
  String.raw`(?:${labels}|(?<![a-z])(?:[xy]|easting|northing|east|north)\s?[=:])[^\d\n]{0,12}?${number}[^\d\n]{1,24}?${number}(?!\d)`,
].map((source) => new RegExp(source, 'gi'));

const isPair = (one: string, other: string): boolean => {
  const valueOf = (text: string): number => Math.abs(Number(text.replace(',', '.')));
  const [a, b] = [valueOf(one), valueOf(other)];
  const isOnEarth = Math.min(a, b) <= 90 && Math.max(a, b) <= 180;
  return isOnEarth && (a >= 1 || b >= 10) && !(Number.isInteger(a) && Number.isInteger(b));
};

const control = String.raw`\0-\x08\x0e-\x1f`;
const [runBefore, runBehind] = [new RegExp(`[^${control}]*$`), new RegExp(`^[^${control}]*`)];
const mostAround = 400;
const leastRun = 16;
const isText = (text: string): boolean =>
  text.replace(/[^\x20-\x7e\n\r\t]/g, '').length * 10 >= text.length * 7;
/** Whether what is around a place, up to the next control characters, is UTF-8. */
const isInText = (text: string, at: number): boolean => {
  const before = runBefore.exec(text.slice(Math.max(0, at - mostAround), at))?.[0] ?? '';
  const behind = runBehind.exec(text.slice(at, at + mostAround))?.[0] ?? '';
  // Either end may be within a character.
  const run = `${before}${behind}`;
  const whole = run.replace(/^(?:[\x80-\xbf]|[\xc0-\xff](?![\x80-\xbf]))+|[\xc0-\xff][\x80-\xbf]{0,2}$/g, '');
  return (run.length >= leastRun || run.length === text.length) && isUtf8(Buffer.from(whole, 'latin1'));
};
/** Real texts have a few that show no place. */
const mostMatches = 1000;

/** `text`: with plain signs. */
export const hasCoordinates = (text: string): boolean => {
  if (written.some((one) => text.search(one) !== -1)) return true;
  let count = 0;
  let isAllText: boolean | undefined;
  for (const one of [...inText, ...pairs])
    for (const { 1: first, 2: second = '', index } of text.matchAll(one)) {
      if ((count += 1) > mostMatches) return false;
      if (first !== undefined && !isPair(first, second)) continue;
      if ((isAllText ??= isText(text)) || isInText(text, index)) return true;
    }
  return false;
};
