// Whether a text shows a place: names of XMP with a value, or coordinates as programs and people write them.

/** XMP: coordinates in any schema. Names of places count with a prefix, or as an element. */
const coordinates =
  'gps(?:dest)?(?:latitude|longt?itude|lat|lon|lng)|gps(?:altitude|position|coordinates|areainformation)|(?:decimal|verbatim)?(?:latitude|longt?itude)|verbatimcoordinates';
const places =
  'city|sublocation|sub-location|location|state|province|provincestate|country|countryname|countrycode|worldregion|locationname|locationcreated|locationshown|shotlocation|coverage|landmark|stateprovince|(?:higher)?geography|continent|county|municipality|(?:verbatim)?locality|island(?:group)?|waterbody|locationremarks|footprintwkt';
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
  /map=\d{1,2}(?:\.\d{1,12})?\/-?\d{1,2}\.\d{1,12}\/-?\d/i,
  // NMEA, as dashcams write it
  /\$G[ABLNP](?:GGA|RMC|GLL),/,
];

/** A byte of a picture may look like a degree sign, and numbers may be in a row by chance: these count only in text. */
const inText: readonly RegExp[] = [
  // 48°08'13.2" N, 48 deg 8' 13" N, N 48° 08.22
  /\d{1,3}\s?(?:\u00b0|deg)\s?\d{1,2}[^\n]{0,14}?[NSEWO](?![a-z])/,
  /[NSEW]\s{0,2}\d{1,3}\s?(?:\u00b0|deg)/,
  // 48.137154, 11.576124, as maps copy it; three numbers in a row are something else
  /(?<![\d.,/-])(?<!\d[,;]\s{1,2})[-+]?[1-9]\d?\.\d{4,12},\s{0,2}[-+]?\d{1,3}\.\d{4,12}(?![\w.]|\s{0,2}[,;]\s{0,2}[-+]?\d)/,
];
/** Signs of degrees, minutes and seconds: UTF-8 read as Latin-1. */
const signs = /\u00c2(?=\u00b0)|(?:\u00e2\u0080[\u0098-\u009d\u00b2\u00b3])/g;
const isText = (text: string): boolean =>
  text.replace(/[^\x20-\x7e\n\r\t]/g, '').length * 10 >= text.length * 7;

/** `text`: in Latin-1 without NULs, so UTF-16 reads as ASCII. */
export const tellsPlace = (text: string): boolean =>
  attribute.test(text) ||
  hasElement(text) ||
  written.some((one) => one.test(text)) ||
  inDegrees(text.replace(signs, (sign) => (sign.length === 1 ? '' : "'")));

const inDegrees = (text: string): boolean => inText.some((one) => one.test(text)) && isText(text);

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
