// The ledger of a simulated day keeps what SQLite answered. No write may leave an answer that is not true any more.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { keepAnswers } from '../../support/simulation/answers-kept.ts';

const open = () => {
  const database = new DatabaseSync(':memory:');
  keepAnswers(database);
  database.exec(`
    CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE log (text TEXT);
    CREATE VIEW names AS SELECT name FROM files;
    CREATE TRIGGER logged AFTER UPDATE ON files BEGIN INSERT INTO log VALUES (new.name); END;
    INSERT INTO files VALUES (1, 'a')`);
  const writes = {
    insert: database.prepare("INSERT INTO files VALUES (2, 'b') ON CONFLICT DO UPDATE SET name = 'c'"),
    update: database.prepare("UPDATE files SET name = 'd'"),
    delete: database.prepare('DELETE FROM files WHERE name = ?'),
    begin: database.prepare('BEGIN IMMEDIATE'),
    rollback: database.prepare('ROLLBACK'),
  };
  const questions = {
    name: database.prepare('SELECT name FROM files WHERE id = ?'),
    count: database.prepare('SELECT count(*) AS files FROM files'),
    view: database.prepare('SELECT * FROM names'),
    log: database.prepare('SELECT count(*) AS lines FROM log'),
  };
  const answers = () => ({
    name: questions.name.get(1)?.['name'],
    files: questions.count.get()?.['files'],
    names: questions.view.all().map((row) => row['name']),
    lines: questions.log.get()?.['lines'],
  });
  return { database, writes, questions, answers };
};

test('each kind of write is seen in the next answer, also through a view and a trigger', () => {
  const { database, writes, answers } = open();
  expect(answers()).toEqual({ name: 'a', files: 1, names: ['a'], lines: 0 });
  writes.insert.run();
  expect(answers()).toEqual({ name: 'a', files: 2, names: ['a', 'b'], lines: 0 });
  writes.insert.run();
  expect(answers()).toEqual({ name: 'a', files: 2, names: ['a', 'c'], lines: 1 });
  writes.begin.run();
  writes.update.run();
  expect(answers()).toEqual({ name: 'd', files: 2, names: ['d', 'd'], lines: 3 });
  writes.rollback.run();
  expect(answers()).toEqual({ name: 'a', files: 2, names: ['a', 'c'], lines: 1 });
  writes.delete.run('c');
  expect(answers()).toEqual({ name: 'a', files: 1, names: ['a'], lines: 1 });
  database.exec('DELETE FROM files');
  expect(answers()).toEqual({ name: undefined, files: 0, names: [], lines: 1 });
});

test('the same question gets the kept answer until a table that it reads is written', () => {
  const { writes, questions } = open();
  const first = questions.log.get();
  writes.delete.run('another');
  expect(questions.log.get()).toBe(first);
  writes.update.run();
  expect(questions.log.get()).not.toBe(first);
  expect(questions.name.get(1)).not.toEqual(questions.name.get(3));
});
