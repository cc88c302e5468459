/**
 * JSON leaves DEL, C1 controls and format characters as they are: a terminal acts on them, and some programs break lines
 * there. Here they are escaped; in JSON they stand only inside of strings.
 */
export const visibleJson = (json: string): string =>
  json.replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
