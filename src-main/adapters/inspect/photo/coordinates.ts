// Coordinates as programs and people write them, codes of places, and links to maps.
//
// The texts are UTF-8 read as Latin-1, so they are searched in any bytes.
import { isUtf8 } from 'node:buffer';

/** As the text has it: UTF-8 read as Latin-1. */
export const utf8AsLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

// ---------------------------------------------------------------- plain signs

/** A character that no text has; so the text stays UTF-8. Latin-1 has its own. */
const degree = '\x7f';
/** Signs that mean the same. */
const sameSigns: readonly (readonly [string, readonly string[]])[] = [
  [degree, ['°', 'º', '˚', '度', '도']],
  ["'", ['′', '‘', '’', '分', '분']],
  ['"', ['″', '“', '”', '秒', '초']],
  ['-', ['−', '–']],
  ['.', ['。', '．']],
  [',', ['，', '、']],
  [':', ['：']],
  [' ', ['\u00a0', '\u2009', '\u202f', '\u3000']],
];
const signOf = new Map(
  sameSigns.flatMap(([sign, others]) => others.map((other) => [utf8AsLatin1(other), sign] as const)),
);
const otherSign = new RegExp([...signOf.keys()].join('|'), 'g');

/** A character as XML, links and JSON escape it. */
const escaped =
  /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,5}));|%([2-9a-f][\da-f])|\\(?:u([\da-f]{4})|(["'/]))/gi;
const characters: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['deg', degree],
  ['gt', '>'],
  ['lt', '<'],
  ['nbsp', ' '],
  ['prime', "'"],
  ['quot', '"'],
]);
const ofCode = (code: number): string => (code > 0x10_ffff ? '' : utf8AsLatin1(String.fromCodePoint(code)));
const unescaped = (whole: string, ...groups: (string | undefined)[]): string => {
  const [hex, number, name, byte, unit, sign] = groups;
  if (number !== undefined) return ofCode(Number(number));
  if (name !== undefined) return characters.get(name.toLowerCase()) ?? whole;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  const code = hex ?? unit;
  return code === undefined ? (sign ?? whole) : ofCode(Number.parseInt(code, 16));
};
export const withPlainSigns = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replace(escaped, unescaped)
    .replace(otherSign, (one) => signOf.get(one) ?? one);

// ---------------------------------------------------------------- numbers

/** Words of other languages, as they are in a text with plain signs. */
const words = (text: string): string => text.split(' ').map(utf8AsLatin1).map(withPlainSigns).join('|');
const any = (...sources: string[]): RegExp => new RegExp(sources.join('|'), 'gi');

/** Between degrees, minutes and seconds, and behind them. */
const unit = String.raw`\s{0,2}(?:[\xb0\xba\x7f*'"\x60:_dms-]|deg(?:rees?|\.)?|min(?:utes?)?|sec(?:onds?)?)\s{0,2}`;
/** 48.137, 48°08, 48 08.22, 48:08:13.2, 35°.0116 */
const angle = String.raw`\d{1,3}(?:[\xb0\xba\x7f]?[.,]\d{1,12})?(?:(?:${unit}|[\s.])\d{1,2}(?:[.,]\d{1,12})?){0,2}(?:${unit}){0,2}`;
const northSouth = `(?:[Nn](?:orth|ord|orte)|[Ss](?:outh|u[dlr])|N|S|${words('Süd süd 北纬 南纬 北緯 南緯 북위 남위 北 南')}|${words('с ю')}\\.?\\s?${words('ш')})(?![A-Za-z])[.:=]?`;
const eastWest = `(?:[Ee](?:ast|ste?)|[Ww]est|[Oo](?:st|uest|este)|E|W|O|${words('东经 西经 東経 西経 동경 서경 东 東 西')}|(?:${words('в з')})\\.?\\s?${words('д')})(?![A-Za-z])[.:=]?`;
const gap = String.raw`[^\dA-Za-z]{0,6}(?:and|[Ll]on\w{0,7}[.:]?)?\s{0,2}`;
/** Two angles, each with the letter or word of its hemisphere behind or before it. */
const hemisphere = (name: string): string => `(?<${name}>${northSouth}|${eastWest})`;
const hemispheres: readonly RegExp[] = [
  String.raw`(?=\d)(?<![\d.,])(?<one>${angle})\s{0,2}${hemisphere('ofOne')}${gap}(?<other>${angle})\s{0,2}${hemisphere('ofOther')}`,
  String.raw`(?=[NSEWOnsewo\xc3\xd0\xd1\xe4-\xec])(?<![A-Za-z\d-])${hemisphere('ofOne')}\s{0,3}(?<one>${angle})${gap}${hemisphere('ofOther')}\s{0,3}(?<other>${angle})`,
].map((source) => new RegExp(source, 'g'));
const isNorthSouth = new RegExp(northSouth);
const isEastWest = new RegExp(eastWest);
const isPrecise = (text: string): boolean =>
  Number.parseInt(text, 10) <= 180 && /[\xb0\xba\x7f*]|deg|[.,]\d{2}|\d\D+\d\d/.test(text);

const areHemispheres = ({ one = '', ofOne = '', other = '', ofOther = '' }: Groups): boolean =>
  isNorthSouth.test(ofOne) !== isNorthSouth.test(ofOther) && isPrecise(one) && isPrecise(other);
type Groups = Partial<Record<string, string>>;

const latitude = String.raw`latitud[a-z]{0,2}|lat(?<![a-z]lat)|breite(?:ngrad)?|${words('широт Широт 纬度 緯度 위도 széles enlem φ')}`;
const longitude = String.raw`longt?itud[a-z]{0,2}|lo?ng?(?<![a-z]lo?ng?)|${words('länge längengrad долгот Долгот 经度 経度 경도 hossz boylam λ')}`;
const value = String.raw`\d{1,3}(?:[.,]\d{2}|(?:${unit}|\s)\d{1,2}|\d{3,6}(?!\d))`;
const label = (names: string): string => String.raw`(?:${names})(?:_?e\d)?(?![a-z])\D{0,14}?[-+]?`;
/** Two values, each behind a name. */
const labelled = any(
  ...[
    [latitude, longitude],
    [longitude, latitude],
  ].map(
    ([one = '', other = '']) =>
      String.raw`(?=${value})(?<=${label(one)})${value}[^\0-\x08]{0,40}?${label(other)}${value}`,
  ),
);
const named = new RegExp(latitude, 'i');

const decimal = (least: number): string => String.raw`([-+]?\d{1,3}[.,]\d{${least},15})[\xb0\x7f]?`;
/** Three numbers in a row are something else; the third of a place is a height in metres. */
const noThird = String.raw`(?![\w%]|\.\d|[\s,;|/]{1,3}[-+]?\d{1,4}[.,]\d{3})`;
const noneBefore = String.raw`(?=[-+\d])(?<![\w.,-]|[a-z]\(|\d[.,]\d{3,15}[\s,;|/]{1,3})`;
const noLength = String.raw`(?!\d|\s?(?:[mc]m|px|%))`;
/** In front of a pair. */
const strongWords = `gps|home|coord|wgs\\s?-?84|epsg:4326|lat\\w{0,6}[\\s/,&-]{0,2}l(?:on|ng)|icbm|${words('koord координат Координат 座標 坐标 좌표')}`;
const weakWords = `geo|location|position|cent(?:er|re)|(?<![a-z])(?:loc|(?:cb|s|d)?ll|cp|q|[xy]|east(?:ing)?|north(?:ing)?)\\s?[=:.]|${latitude}|${longitude}`;
/** Two numbers that belong together. */
const pairs: readonly RegExp[] = [
  `${noneBefore}${decimal(4)}\\s{0,3}[\\s,;|]\\s{0,3}${decimal(4)}${noThird}`,
  `${noneBefore}${decimal(5)}\\s{0,3}(?:[/&~_x-]|and)\\s{0,3}${decimal(5)}${noThird}`,
  String.raw`(?=[-+]?\d{1,3}[.,]\d\d)(?<=(?:${strongWords})[^\d\n]{0,15})${decimal(2)}[^\d\n]{1,12}?${decimal(2)}${noLength}`,
  String.raw`(?=[-+]?\d{1,3}[.,]\d{3})(?<=(?:${weakWords})[^\d\n]{0,12})${decimal(3)}[^\d\n]{1,24}?${decimal(3)}${noLength}`,
].map((source) => new RegExp(source, 'gi'));
const isPair = (one: string, other: string): boolean => {
  const valueOf = (text: string): number => Math.abs(Number(text.replace(',', '.')));
  const [a, b] = [valueOf(one), valueOf(other)];
  const isOnEarth = Math.min(a, b) <= 90 && Math.max(a, b) <= 180;
  return isOnEarth && (a >= 1 || b >= 10) && !(Number.isInteger(a) && Number.isInteger(b));
};

// ---------------------------------------------------------------- links

/** Words for maps in hosts and paths. */
const map = '(?:maps?|mapy|mapas?|amap|ditu|kart|kart[ae]n?|kartta|kaart|harita)';
/** More of a link than its host and the word. */
const more = String.raw`(?::\d{1,5})?[/?#!~@]{1,4}(?!copyright|about|legal|license|terms)[\w%+=-]`;
const inLink = String.raw`(?<=:\/\/[^\s"'<>]{0,400})`;
/** Two parameters of a link in any order. */
const parameters = (one: string, other: string, number: string): string =>
  [
    [one, other],
    [other, one],
  ]
    .map(([a, b]) => String.raw`[?&#;](?:${a})=${number}[^\s"'<>]{0,80}?[&;](?:${b})=${number}`)
    .join('|');
const numberInLink = String.raw`-?\d{1,3}\.\d{3,12}`;
const metresOrDegrees = String.raw`-?(?:\d{5,8}(?:\.\d{1,6})?|\d{1,3}\.\d{3,12})(?![\d.])`;

// ---------------------------------------------------------------- codes

const plusCode = '[2-9CFGHJMPQRVWX]';
const word = String.raw`[a-z\x80-\xff]{2,60}`;
const metres = String.raw`(?<!\d)\d['\s]?\d{2,3}['\s]?\d{3}(?:\.\d{1,3})?`;
const grids = String.raw`UTM(?:\d{1,2}[A-Z])?|NZTM|CH1903|LV\d\d|EPSG|ETRS\d\d|GK\d?|OSGB|RD|Gauss|Lambert|SWEREF|(?:Swiss|National)\s[Gg]rid`;
const codes =
  'mgrs|usng|gars|georef|mapcode|digipin|quadkey|h3\\sindex|s2\\scell|olc|woeid|geonames?(?:id)?|osm:(?:node|way|relation)';

/** In any bytes. */
const written: readonly RegExp[] = [
  // ISO 6709: +48.1370+011.5754/, +4808.22+01134.52/
  /[+-]\d{2}(?:\d{2}){0,2}(?:\.\d{1,12})?[+-]\d{3}(?:\d{2}){0,2}(?:\.\d{1,12})?(?:[+-]\d{1,6}(?:\.\d{1,12})?)?(?:CRS[\w-]{1,20})?\//,
  /[+-]\d{1,2}\.\d{3,12}[+-]\d{1,3}\.\d{3,12}(?:[+-][\d.]{1,9})?\/|[+-]\d{2}\.\d{2,12}[+-]\d{3}\.\d{2,12}/,
  // GPSLatitude=48, "latitude": 48.1, lon = 11.57, [latitude: 48.137] [GPSLatitude] 48/1
  /(?:gps\s?(?:dest)?(?:latitude|longt?itude|position|coordinates)|latitude?|longt?itude?|(?<![a-z])m?(?:lat|lon|lng))(?:ref)?["']?\s{0,9}[=:\]]\s{0,9}["']?[-+(]?\s{0,2}\d{1,3}(?:[.,\xb0\x7f:/"']|\s(?:deg|(?![a-z]{2}))|$)/i,
  /(?:name|itemprop)\s{0,9}=\s{0,9}["'](?:gps)?(?:latitude|longitude)["']\s{1,9}(?:value|content)\s{0,9}=\s{0,9}["'][^"']/i,
  // lat 48.137 lon 11.575, Lat.: 48,137
  /(?<![a-z])(?:lat(?:itud[a-z]{1,4})?|lon(?:gt?itud[a-z]{1,4})?|lng)(?:\.:?\s{0,9}|:?\s{1,9})[-+]?\d{1,3}[.,]\d{3,12}/i,
  // 4808.22N/01134.52E
  /(?<!\d)\d{4,7}(?:\.\d{1,12})?,?[NS][\s,;/]{0,2}\d{5,8}(?:\.\d{1,12})?,?[EWO](?![a-z])/,
  // WKT, GeoJSON, KML, GML, GDAL
  /(?:POINT|LINESTRING|POLYGON)\s?(?:ZM?|M)?\s?\({1,3}\s?-?\d{1,3}(?:\.\d{1,15})?\s-?\d/i,
  /"coord(?:inate)?s"\s{0,9}:\s{0,9}\[[[\s]{0,9}-?\d/,
  /<(?:gml:(?:pos|posList|(?:lower|upper)Corner)|(?:\w{1,20}:)?coordinates)\b[^>]{0,200}>\s{0,9}[-\d]/i,
  /name\s{0,9}=\s{0,9}["'](?:[a-z]{0,20}_)?(?:latitude|longitude|lat|lon)["'][^>]{0,200}>\s{0,9}[-\d]/i,
  // NMEA, as dashcams write it
  /\$G[ABLNP](?:GGA|RMC|GLL),/,
  // Plus codes: 8FWH4HPG+VF, and of an area: 8FWH0000+
  new RegExp(
    String.raw`\+(?<=(?<![A-Z\d])[2-9C][2-9CFGHJMPQRV](?:${plusCode}{6}|${plusCode}{4}00|${plusCode}{2}0000)\+)(?:${plusCode}{2,7})?(?![A-Za-z\d])`,
  ),
  // A grid with its name: CH1903+ 2600000 / 1200000
  new RegExp(String.raw`(?<![A-Za-z])(?:${grids})\b[^\n]{0,24}?${metres}\D{1,6}${metres}(?!\d)`),
  // A code with its name: geohash: u281z7j, OS grid ref TQ 30042 80422, locator JN58td
  any(
    String.raw`(?=[dghmoqsuw])(?<![a-z])(?:${codes})[\s:=]{1,3}(?=[a-z\d.-]{0,12}\s?[a-z\d.-]{0,12}\d)[a-z\d]{2}`,
    String.raw`(?<![a-z])(?:grid|bng|osgb(?:36)?)(?:\sref(?:erence)?)?[\s:]{1,2}[a-z]{1,2}\s?\d{2,5}\s?\d{2,5}(?!\d)`,
    String.raw`geohash[\s:=]{1,3}[\db-hjkmnp-z]{5,12}(?![a-z])`,
    String.raw`(?:maidenhead|locator|qth|grid\ssquare)[\s:=]{1,3}[a-r]{2}\d\d(?!\d)`,
  ),
  // A place of Google
  /(?=C)(?<!\w)ChIJ[\w-]{16}/,
  /geo:-?\d{1,2}(?:\.\d{1,12})?,-?\d/i,
  /map=\d{1,2}(?:\.\d{1,12})?\/-?\d{1,2}\.\d{1,12}\/-?\d/i,
  // Links whose host, path or scheme says that they show a map
  any(
    String.raw`(?:${map}(?<=(?<!\w)${map})|(?:maps|streetmap)(?<=(?<!\w)(?!site)[a-z]{1,24}))\.(?:[a-z\d-]{1,40}\.){0,3}[a-z]{2,12}${more}`,
    String.raw`\.[a-z]{2,12}\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?${map}${more}`,
    String.raw`(?<!site)maps?(?:me)?:(?:\/\/|\?)[\w?]|(?<![a-z\d])(?:ge0|w3w):\/\/\w`,
  ),
  // Links with coordinates, with a numbered place
  any(
    String.raw`[=/@,!:;(?&#~|]${numberInLink}[,;~_/|][\s+]?${numberInLink}${inLink}`,
    String.raw`[=@/]-?\d{1,3}\.\d{2,12},-?\d{1,3}\.\d{2,12}(?:,[\d.]{1,5}z|\/\d{1,2}\b)`,
    String.raw`[?&](?:ludo)?cid=\d{5}${inLink}`,
    parameters(
      String.raw`\w{0,8}lat(?:itude)?`,
      String.raw`\w{0,8}(?:lon|lng|long|longitude)`,
      String.raw`-?\d{1,8}\b`,
    ),
    parameters('x|e|east|easting|pointx', 'y|n|north|northing|pointy', metresOrDegrees),
    String.raw`\/(?:places?|locations?|pois?|spots?)\/(?:[^\s"'<>/]{1,80}\/)?\d{4,}${inLink}`,
  ),
  // Short links, and pages of places
  /(?:earth\.google\.com\/web|osm\.org\/(?:node|way|relation|go)|geonames\.org|geohash\.org|ge0\.me|here\.com\/[lp]|2gis\.[a-z]{2,3}\/(?:\w{1,40}\/)?(?:geo|firm))\/\w|gridreferencefinder\.com\/\S|waze\.com\/ul\/h\w|(?:what3words|w3w)\.(?:com|co)\/\S/i,
];

/** A byte of a picture may look like a degree sign, and numbers may be in a row by chance: these count only in text. */
const inText: readonly RegExp[] = [
  // 48°08'13.2" N, 48 deg 8' 13" N, N 48° 08.22; two angles without letters
  /\d{1,3}\s?(?:[\xb0\x7f]|deg)\s?\d{1,2}[^\n]{0,14}?[NSEWO](?![a-z])/g,
  /[NSEW]\s{0,2}\d{1,3}\s?(?:[\xb0\x7f]|deg)/g,
  /(?:\d{1,3}[\xb0\x7f]\s?\d{1,2}(?:[.,]\d{1,12})?\s?'[^\n]{0,60}?){2}/g,
  // MGRS and UTM: 32U PU 91607 34786, 32U 691607 5334786, 691607mE 5334786mN, N 6580822 E 674032
  /(?=\d)(?<![A-Z\d])\d{1,2}(?:[C-HJ-NP-X]\s?[A-HJ-NP-Z][A-HJ-NP-V]\s?(?:\d{5}\s?\d{5}|\d{4}\s?\d{4})|\s?[C-HJ-NP-X]\s{1,2}\d{6}m?E?\s\d{7})(?![A-Z\d])/g,
  /(?=\d)(?<!\d)\d{6}\s?m?E[\s,]{1,3}\d{7}\s?m?N/g,
  /(?<![A-Z])(?:E[\s:]?\d{6,7}[\s,]{1,3}N|N[\s:]?\d{6,7}[\s,]{1,3}E)[\s:]?\d{6,7}(?!\d)/g,
  // A short plus code and its town
  new RegExp(String.raw`\+(?<=(?<![A-Z\d])${plusCode}{4}\+)${plusCode}{2,3},?\s[A-Z\x80-\xff]`, 'g'),
  // what3words: ///filled.count.soap
  any(
    String.raw`(?:(?<![:\w/])\/\/\/\s?|(?:what3words|w3w)(?:\saddress)?[\s:=@/]{1,5})${word}\.${word}\.${word}(?![\w/]|\.\w)`,
  ),
];

// ---------------------------------------------------------------- search

const isControl = (code: number): boolean => code < 9 || (code > 13 && code < 32);
const mostAround = 400;
const leastRun = 16;
/** Whether most of it is text. */
export const isText = (text: string): boolean => {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 32 && code < 127) || (code >= 9 && code <= 13)) letters += 1;
  }
  return letters * 10 >= text.length * 7;
};
/** Whether what is around a place, up to the next control characters, is UTF-8. */
const isInText = (text: string, at: number): boolean => {
  let [from, to] = [at, at];
  while (from > Math.max(0, at - mostAround) && !isControl(text.charCodeAt(from - 1))) from -= 1;
  while (to < Math.min(text.length, at + mostAround) && !isControl(text.charCodeAt(to))) to += 1;
  // Either end may be within a character.
  const run = text.slice(from, to);
  const whole = run.replace(/^(?:[\x80-\xbf]|[\xc0-\xff](?![\x80-\xbf]))+|[\xc0-\xff][\x80-\xbf]{0,2}$/g, '');
  return (run.length >= leastRun || run.length === text.length) && isUtf8(Buffer.from(whole, 'latin1'));
};
/** Real texts have a few that show no place. */
const mostMatches = 1000;

/** `text`: with plain signs; `isWhole`: it may be text from its beginning to its end. */
export const hasCoordinates = (text: string, isWhole: boolean): boolean => {
  if (written.some((one) => text.search(one) !== -1)) return true;
  if (named.test(text) && text.search(labelled) !== -1) return true;
  if (isNorthSouth.test(text) && isEastWest.test(text))
    for (const one of hemispheres)
      if (text.matchAll(one).some(({ groups = {} }) => areHemispheres(groups))) return true;
  let count = 0;
  let isAllText = isWhole ? undefined : false;
  for (const one of [...inText, ...pairs])
    for (const { 1: first, 2: second = '', index } of text.matchAll(one)) {
      if ((count += 1) > mostMatches) return false;
      if (first !== undefined && !isPair(first, second)) continue;
      if ((isAllText ??= isText(text)) || isInText(text, index)) return true;
    }
  return false;
};
