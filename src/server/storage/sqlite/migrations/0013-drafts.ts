/** Releases that are being put together, one for each channel and version. Their artifacts are kept as JSON. */
export const drafts = {
  number: 13,
  name: 'drafts',
  sql: `
    CREATE TABLE drafts (
      app_key INTEGER NOT NULL REFERENCES apps (key),
      channel_key INTEGER NOT NULL REFERENCES channels (key),
      version TEXT NOT NULL,
      artifacts TEXT NOT NULL CHECK (json_valid(artifacts)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      -- Another one after every change.
      revision TEXT NOT NULL,
      notes TEXT NOT NULL,
      PRIMARY KEY (channel_key, version)
    ) STRICT;
    CREATE INDEX drafts_of_app ON drafts (app_key);
    CREATE INDEX drafts_by_expiry ON drafts (expires_at);
  `,
}
