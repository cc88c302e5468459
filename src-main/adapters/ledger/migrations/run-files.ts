// The files of the present run, so that every place that shows the run's progress counts the same ones. The next start
// adds what is uploaded or waits for an answer.
export const runFiles = [
  `CREATE TABLE run_files (
  part TEXT NOT NULL,
  upload_id INTEGER NOT NULL UNIQUE REFERENCES uploads (id),
  files INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (part, upload_id)
) STRICT, WITHOUT ROWID`,
];
