/** Where all nodes keep their files: what one of them does not find there is lost to all. */
export const filesPlace = {
  number: 12,
  name: 'files-place',
  readableFrom: 4,
  sql: `
    CREATE TABLE files_place (
      one smallint PRIMARY KEY CHECK (one = 1),
      place text NOT NULL
    );`,
}
