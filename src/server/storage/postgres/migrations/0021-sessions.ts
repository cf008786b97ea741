/** What gates of plans look at besides devices: metrics of others, and the sessions of apps. */
export const sessions = {
  number: 21,
  name: 'sessions',
  readableFrom: 4,
  sql: `
    -- What the checks of the gate found: JSON by the names of the API; NULL while they were not asked.
    ALTER TABLE plans ADD COLUMN readings text;

    -- Sessions of apps that run a release, by the network that reported them.
    CREATE TABLE release_sessions (
      release_id text COLLATE "C" NOT NULL REFERENCES releases (id) DEFERRABLE INITIALLY DEFERRED,
      network integer NOT NULL CHECK (network BETWEEN 0 AND 255),
      started bigint NOT NULL CHECK (started >= 0),
      healthy bigint NOT NULL CHECK (healthy >= 0),
      errored bigint NOT NULL CHECK (errored >= 0),
      crashed bigint NOT NULL CHECK (crashed >= 0),
      abnormal bigint NOT NULL CHECK (abnormal >= 0),
      PRIMARY KEY (release_id, network)
    );

    -- A sketch of the devices that had sessions, and of those whose sessions crashed: no device can be read from it.
    CREATE TABLE session_devices (
      release_id text COLLATE "C" NOT NULL REFERENCES releases (id) DEFERRABLE INITIALLY DEFERRED,
      crashed integer NOT NULL CHECK (crashed IN (0, 1)),
      register integer NOT NULL CHECK (register BETWEEN 0 AND 255),
      rank integer NOT NULL CHECK (rank BETWEEN 1 AND 57),
      PRIMARY KEY (release_id, crashed, register)
    );
  `,
}
