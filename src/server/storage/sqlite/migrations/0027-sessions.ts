/** What gates of plans look at besides devices: metrics of others, and the sessions of apps. */
export const sessions = {
  number: 27,
  name: 'sessions',
  sql: `
    -- What the checks of the gate found: JSON by the names of the API; NULL while they were not asked.
    ALTER TABLE plans ADD COLUMN readings TEXT CHECK (json_valid(readings));

    -- Sessions of apps that run a release, by the network that reported them.
    CREATE TABLE release_sessions (
      release_id TEXT NOT NULL REFERENCES releases (id),
      network INTEGER NOT NULL CHECK (network BETWEEN 0 AND 255),
      started INTEGER NOT NULL CHECK (started >= 0),
      healthy INTEGER NOT NULL CHECK (healthy >= 0),
      errored INTEGER NOT NULL CHECK (errored >= 0),
      crashed INTEGER NOT NULL CHECK (crashed >= 0),
      abnormal INTEGER NOT NULL CHECK (abnormal >= 0),
      PRIMARY KEY (release_id, network)
    ) STRICT, WITHOUT ROWID;

    -- A sketch of the devices that had sessions, and of those whose sessions crashed: no device can be read from it.
    CREATE TABLE session_devices (
      release_id TEXT NOT NULL REFERENCES releases (id),
      crashed INTEGER NOT NULL CHECK (crashed IN (0, 1)),
      register INTEGER NOT NULL CHECK (register BETWEEN 0 AND 255),
      rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 57),
      PRIMARY KEY (release_id, crashed, register)
    ) STRICT, WITHOUT ROWID;
  `,
}
