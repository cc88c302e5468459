// Sorts files by name with 2 before 10. `naturalKey` is `naturalOrder` of contract/search.ts in SQL, where no function
// of the program can be called. It shipped with this step: another order is another function and another step.

/** The name with 0 for each digit: shows where numbers are. */
const masked = (name: string): string =>
  Array.from('123456789').reduce((sql, digit) => `replace(${sql}, '${digit}', '0')`, name);

const first = `instr(mask, '0')`;
const behind = `ltrim(substr(mask, ${first}), '0')`;
const digits = `substr(rest, ${first}, length(mask) - ${first} + 1 - length(${behind}))`;
const short = `coalesce(nullif(ltrim(${digits}, '0'), ''), '0')`;

export const naturalKey = (name: string): string => `(WITH RECURSIVE numbers (done, rest, mask, more) AS (
    SELECT '', ${name}, ${masked(name)}, 30
    UNION ALL
    SELECT done || substr(rest, 1, ${first} - 1)
        || iif(length(${short}) < 9, length(${short}), printf('9%03d', length(${short}))) || ${short},
      substr(rest, length(rest) - length(${behind}) + 1), ${behind}, more - 1
    FROM numbers WHERE more > 0 AND ${first} > 0
  ) SELECT done || rest FROM numbers ORDER BY more LIMIT 1)`;

export const naturalOrderSteps = [
  `ALTER TABLE files ADD COLUMN name_order TEXT NOT NULL DEFAULT ''`,
  `UPDATE files SET name_order = ${naturalKey('name_key')}`,
  `DROP INDEX files_name`,
  `CREATE INDEX files_order ON files (place, name_order, id, name_key, link, file_id)`,
];
