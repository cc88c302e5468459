// Whether a text shows a place: names of XMP with a value, coordinates, keywords.
import { hasCoordinates, utf8AsLatin1, isText, withPlainSigns } from './coordinates.ts';

/** XMP: coordinates in any schema. Names of places count with a prefix, or as an element. */
const coordinates =
  'gps(?:dest)?(?:latitude|longt?itude|lat|lon|lng)|gps(?:altitude|position|coordinates|areainformation)|[a-z]{0,20}(?:latitude|longt?itude)';
const places =
  '(?:iptc|photoshop|dc)?(?:(?:city|place|location|country|town)(?:name)?|locationid|geo(?:location|tag)|venue|address|(?:verbatim)?coordinates|sub-?location|state|province|provincestate|countrycode|worldregion|locationcreated|locationshown|locationinfo|(?:shot|content|capture|photo|image|camera)location|coverage|spatial|based_near|street(?:-?address)?|(?:post-?|postal-?|zip-?)code|adr|address(?:locality|region|country)|landmark|stateprovince|(?:higher)?geography(?:id)?|georeference(?:remarks|sources)|continent|county|municipality|(?:verbatim)?locality|island(?:group)?|waterbody|locationremarks|footprintwkt|ciadr(?:city|extadr|pcode|region|ctry)|licensor(?:city|streetaddress|extendedaddress|region|postalcode|country))';
/** Towers of a mobile network. */
const cells = 'cgi|cellid|lac';
const prefix = String.raw`[\w.-]{1,40}:`;

const attribute = new RegExp(
  String.raw`[\s"'](?:(?:${prefix})?(?:${coordinates})|${prefix}(?:${places})|geo:(?:lat|long)|georss:[a-z]{1,20}|cell:(?:${cells}))\s{0,9}=\s{0,9}(?:"\s{0,9}[^"\s]|'\s{0,9}[^'\s])`,
  'i',
);
const element = new RegExp(
  String.raw`<(?:${prefix})?(?:${coordinates}|${places}|lat|long|(?<=georss:)[a-z]{1,20}|${cells})((?:\s[^<>]{0,2000})?)>`,
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

/** Letters of ASCII and UTF-8, and the signs for degrees in Latin-1. */
const run =
  /(?:[\t-\r -\x7f\xb0\xba]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){6,1000}/g;
const leastBinaryLetters = 65_536;
/** What is text in long data; most of pictures and sound is not, and need not be searched. */
const runsOf = (text: string): string => {
  if (text.length < leastBinaryLetters || isText(text)) return text;
  let [runs, end] = ['', 0];
  for (const { 0: one, index } of text.matchAll(run)) {
    runs += index === end ? one : `\0${one}`;
    end = index + one.length;
  }
  return runs;
};

/** `text`: as `textOf` gives it. */
export const tellsPlace = (text: string): boolean => {
  const runs = runsOf(text);
  const plain = withPlainSigns(runs);
  return hasNamedPlace(plain) || hasCoordinates(plain, runs === text) || hasPlaceKeyword(runs);
};

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

const setOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => utf8AsLatin1(name.toLowerCase())));
const roots = setOf(rootsOfPlaces.split(' '));
/** They also mean something else, unless a hierarchy begins with them. */
const firstRoots = setOf(
  'where town towns locality localities geotag geotags geolocation landmark landmarks venue venues sights address addresses state states gps'.split(
    ' ',
  ),
);
/** At any level of a hierarchy with bars they mean places. */
const clearRoots = setOf('place places location locations countries cities'.split(' '));
const oneOf = (names: ReadonlySet<string>): string => [...names].join('|');
const alone = new RegExp(`(?:[>"]|&gt;)(?:${oneOf(roots)})(?=[<"]|&lt;)`, 'i');
/** A hierarchy with dots, Places.Germany.Munich, and tags as machines write them, place:city=Munich, city:Munich. */
const tagged: readonly RegExp[] = [
  new RegExp(String.raw`^(?:${oneOf(roots)})\.[A-Z\x80-\xff][^.<>"\n]{1,60}\.[A-Z\x80-\xff]`, 'i'),
  new RegExp(String.raw`^[a-z]{1,20}:(?:${places}|region|lat|lon|long|lng)=[^\s"'<>=]`, 'i'),
  /^(?:[Cc]ity|[Tt]own|[Pp]lace|[Ll]oc(?:ation)?|[Cc]ountry)[:=](?!N\/A|None|No\b|Un|Off)[A-Z\x80-\xff]/,
].map(({ source, flags }) => new RegExp(source.replace('^', String.raw`(?:^|[>"',;\n])\s?`), flags));

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

const lowered = (latin: string): string =>
  utf8AsLatin1(Buffer.from(latin, 'latin1').toString().toLowerCase());
const levels =
  /(?=[|/\\&<>])(?<=[A-Za-z\x80-\xff]\s?)(?:[|/\\]|&[gl]t;|&#47;|<|(?<=\s)>(?=\s))(?=\s?[A-Z\x80-\xff])/g;
/** A catalogue gives a photo some dozens. */
const mostLevels = 20_000;
const levelBefore = /(?:^|[^A-Za-z\x80-\xff .'()-])\s?([A-Za-z\x80-\xff][A-Za-z\x80-\xff .'()-]{0,60}?)\s?$/;
const levelBehind = /^\s?([A-Z\x80-\xff][A-Za-z\x80-\xff .'()-]{0,60})/;

/** A hierarchy (`|`, `/`) that begins with a word for places, or has a country in it; or such a word alone. */
const hasPlaceKeyword = (text: string): boolean => {
  if ([alone, ...tagged].some((one) => one.test(text))) return true;
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
    if (isFirst && (roots.has(one) || firstRoots.has(one))) return true;
    if (level === '|' && clearRoots.has(one.replace(/^.* /, ''))) return true;
  }
  return false;
};

/** A contact that is more than numbers of telephones and addresses of mail and pages. */
export const isAddress = (text: string): boolean => {
  const rest = text.replace(/\S+@\S+|(?:https?:\/\/|www\.)\S+|\+?\d[\d\s()/-]{6,}/g, '');
  return /\d/.test(rest) && /[A-Za-z\x80-\xff]{3}/.test(rest);
};

const keys = `${coordinates}|${places}|geo|where|gps.*|.*location.*|.*iso6709.*|(?:author|creator|postal|street|home)?address`;
const placeKey = new RegExp(`^(?:${prefix})?(?:${keys})$`, 'i');
/** Whether the key of a text names a place. */
export const isPlaceName = (key: string): boolean => placeKey.test(key.replace(/[\s_/-]/g, ''));

/** Keys of films, and the free names of iTunes. */
const keyOfFilm = /(?:mdta|name\0{4})([\w.:/ -]{2,80})/g;
/** `text`: in Latin-1 with its NULs. */
export const hasPlaceKey = (text: string): boolean =>
  text.matchAll(keyOfFilm).some(([, key = '']) => isPlaceName(key) || isPlaceName(key.replace(/^.*\./, '')));

/** In claims of C2PA (CBOR or JSON) the value follows its name. */
export const namesPlace = (text: string): boolean =>
  /GPS(?:Dest)?(?:Latitude|Longitude)|Iptc4xmpExt:(?:Location|City|Country|Province|Sublocation|WorldRegion)|photoshop:(?:City|State|Country)|(?:"|:)(?:latitude|longitude)|LocationCreated|LocationShown|ISO6709/i.test(
    text,
  );
