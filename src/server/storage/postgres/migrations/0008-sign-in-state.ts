/** What sign-ins leave for their next step, for all nodes. With a log, unlike limits: what was used once stays used. */
export const signInState = {
  number: 8,
  name: 'sign-in-state',
  readableFrom: 4,
  sql: `
    CREATE TABLE sign_in_key (
      one smallint PRIMARY KEY CHECK (one = 1),
      key text NOT NULL
    );

    CREATE TABLE sign_in_entries (
      name text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      until timestamptz NOT NULL
    );
    CREATE INDEX sign_in_entries_of_owner ON sign_in_entries (owner, until);
    CREATE INDEX sign_in_entries_by_end ON sign_in_entries (until);

    CREATE TABLE sign_in_attempts (
      name text COLLATE "C" PRIMARY KEY,
      -- When nothing counts any more; in the past if nothing does.
      full_at timestamptz NOT NULL,
      -- Milliseconds in which all attempts are allowed again.
      period double precision NOT NULL,
      -- Whether the last attempt was one too many.
      refused boolean NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (full_at);`,
}
