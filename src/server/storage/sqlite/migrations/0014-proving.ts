/**
 * Proven artifacts: what an app's artifacts are proven against, what a channel does about it, what the last proof of
 * each artifact found, and which releases are paused until they are proven.
 */
export const proving = {
  number: 14,
  name: 'proving',
  sql: `
    ALTER TABLE apps ADD COLUMN minisign_key TEXT;
    ALTER TABLE apps ADD COLUMN artifact_hosts TEXT NOT NULL DEFAULT '[]'
      CHECK (json_valid(artifact_hosts));
    ALTER TABLE channels ADD COLUMN proving TEXT NOT NULL DEFAULT 'off'
      CHECK (proving IN ('off', 'warn', 'required'));
    ALTER TABLE releases ADD COLUMN awaits_proof INTEGER NOT NULL DEFAULT 0
      CHECK (awaits_proof IN (0, 1));

    -- The last proof of an artifact, which its release and its position there name.
    CREATE TABLE proofs (
      release_id TEXT NOT NULL REFERENCES releases (id),
      position INTEGER NOT NULL,
      checked_at TEXT NOT NULL,
      proven_at TEXT,
      failure TEXT CHECK (json_valid(failure)),
      signature TEXT CHECK (signature IN ('valid', 'unsigned', 'unchecked')),
      -- Proofs in a row that failed.
      failures INTEGER NOT NULL,
      due_at TEXT NOT NULL,
      -- Since when people have been told that it fails; null if they have not.
      alarmed_at TEXT,
      PRIMARY KEY (release_id, position)
    ) STRICT, WITHOUT ROWID;
  `,
}
