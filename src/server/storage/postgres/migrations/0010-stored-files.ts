/** The files that nodes keep for devices, and what has arrived of uploads: where the bytes are, all nodes reach. */
export const storedFiles = {
  number: 10,
  name: 'stored-files',
  readableFrom: 4,
  sql: `
    CREATE TABLE stored_files (
      -- Lower-case hex.
      sha512 text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      -- When it was uploaded or last asked for: Unix time in milliseconds.
      stored_at bigint NOT NULL,
      -- Of its object; null in a folder.
      key text COLLATE "C",
      -- It was not there, or had another size, when it was last looked at.
      lost boolean NOT NULL DEFAULT false
    );

    CREATE TABLE uploads (
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      -- What it must have; null if the uploader did not say.
      announced text COLLATE "C",
      arrived bigint NOT NULL DEFAULT 0 CHECK (arrived <= size),
      touched_at bigint NOT NULL,
      -- Whether the audit log has it.
      recorded boolean NOT NULL DEFAULT false,
      -- The SHA-512 of the file that it has become.
      file text COLLATE "C"
    );
    CREATE INDEX uploads_by_time ON uploads (touched_at);

    CREATE TABLE upload_pieces (
      upload text COLLATE "C" NOT NULL REFERENCES uploads ON DELETE CASCADE,
      start bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      PRIMARY KEY (upload, start)
    );`,
}
