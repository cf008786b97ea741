export const from23to30 = [
  /**
   * What devices weigh that came to their state before weights were counted: whether they were known before the release was
   * first offered, and seen on a later day. Their network is not known, so they are counted in none. The server counts them
   * by weight when it starts, as it corrects all counters of devices.
   */
  {
    number: 23,
    name: 'known-devices',
    sql: `
    UPDATE device_states
      SET evidence = evidence | CASE WHEN r.offered_at / 1000 - d.first_seen / 1000 >= 604800 THEN 3 ELSE 1 END
      FROM devices AS d, offered_releases AS r
      WHERE d.id = device_states.device AND r.number = device_states.episode / 134217728
        AND device_states.evidence & 3 = 0 AND device_states.evidence / 8 = 0
        AND d.first_seen / 1000 < r.offered_at / 1000
        AND device_states.last_seen / 86400000 > d.first_seen / 86400000;

    -- What cannot be recounted from devices, without what is counted by weight already: adoptions by devices that moved on
    -- (8), devices that were stuck and then adopted (9), slow adoptions (10, the times from 98 on).
    INSERT INTO release_counts (release, cell, devices)
      SELECT release, 2097152 + 1000 + kind, sum(devices)
      FROM (
        SELECT release, CASE WHEN cell < 64 THEN cell ELSE 10 END AS kind, devices FROM release_counts
          WHERE cell IN (8, 9) OR cell BETWEEN 98 AND 127
        UNION ALL
        SELECT release, (cell % 2097152 - 1000) % 16, -devices FROM release_counts
          WHERE cell % 2097152 BETWEEN 1000 AND 9999 AND (cell % 2097152 - 1000) % 16 IN (8, 9, 10)
      )
      WHERE true
      GROUP BY release, kind HAVING sum(devices) > 0
    ON CONFLICT (release, cell) DO UPDATE SET devices = devices + excluded.devices;
  `,
  },
  /** Who has made a draft, so that nobody makes all that an app can have. */
  {
    number: 24,
    name: 'draft-owners',
    sql: `
    -- A person or a key; '' for drafts from before.
    ALTER TABLE drafts ADD COLUMN owner TEXT NOT NULL DEFAULT '';
  `,
  },
  /** What updaters get about an artifact beyond where it is and how it is verified: members of the publisher's manifest. */
  {
    number: 25,
    name: 'artifact-details',
    sql: `
    -- JSON by the names of the API; '{}' for artifacts from before.
    ALTER TABLE artifacts ADD COLUMN details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details));
  `,
  },
  /** Documents of updaters that a publisher signed, and the public keys that an app verifies them with. */
  {
    number: 26,
    name: 'signed-documents',
    sql: `
    -- JSON by the names of the API. A document is its bytes in base64: the signature covers each of them.
    ALTER TABLE releases ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(documents));
    ALTER TABLE drafts ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(documents));
    ALTER TABLE apps ADD COLUMN document_keys TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(document_keys));

    CREATE TRIGGER release_documents_immutable BEFORE UPDATE OF documents ON releases
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its documents never change');
    END;
  `,
  },
  /** What gates of plans look at besides devices: metrics of others, and the sessions of apps. */
  {
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
  },
  // Offers of releases that seem to fail.
  {
    number: 28,
    name: 'waiting-offers',
    sql: `
    -- Percentage up to which the release is offered while it is suspected; NULL if it is offered to all of its rollout.
    ALTER TABLE plans ADD COLUMN open_pct REAL CHECK (open_pct BETWEEN 0 AND 100);
  `,
  },
  // Preflight of releases as a condition of a channel, and the findings that it accepts.
  {
    number: 29,
    name: 'preflight',
    sql: `
    ALTER TABLE channels ADD COLUMN preflight TEXT NOT NULL DEFAULT 'off'
      CHECK (preflight IN ('off', 'warn', 'required'));
    -- JSON by the names of the API.
    ALTER TABLE channels ADD COLUMN accepted_findings TEXT NOT NULL DEFAULT '[]';
  `,
  },
  // What people are notified about, the browsers that they get push notifications in, and deliveries to those.
  {
    number: 30,
    name: 'notifications',
    sql: `
    CREATE TABLE notification_choices (
      account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      choices TEXT NOT NULL CHECK (json_valid(choices))
    ) STRICT;

    CREATE TABLE push_subscriptions (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- The session that used it last; null once that has expired.
      session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
      endpoint TEXT NOT NULL UNIQUE,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      user_agent TEXT NOT NULL,
      created_at TEXT NOT NULL,
      failing_since TEXT,
      dropped INTEGER NOT NULL DEFAULT 0,
      -- The entry of the audit log after which it gets events.
      since INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX push_subscriptions_of_account ON push_subscriptions (account_id);
    CREATE INDEX push_subscriptions_of_session ON push_subscriptions (session_id);

    -- The private key that identifies the server to push services, as a JWK; null until somebody wants push notifications.
    ALTER TABLE outbox_state ADD COLUMN push_key TEXT CHECK (json_valid(push_key));

    CREATE TABLE more_deliveries (
      id TEXT NOT NULL PRIMARY KEY,
      webhook_id TEXT REFERENCES webhooks (id) ON DELETE CASCADE,
      mail_to TEXT,
      push_id TEXT REFERENCES push_subscriptions (id) ON DELETE CASCADE,
      -- The person who is notified; null for a webhook, and for mail that is sent whoever can see what.
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      payload TEXT NOT NULL CHECK (json_valid(payload)),
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'canceled')),
      created_at TEXT NOT NULL,
      give_up_at TEXT NOT NULL,
      next_at TEXT,
      tries INTEGER NOT NULL DEFAULT 0,
      attempts TEXT NOT NULL CHECK (json_valid(attempts)),
      CHECK ((webhook_id IS NOT NULL) + (mail_to IS NOT NULL) + (push_id IS NOT NULL) = 1),
      CHECK ((state = 'pending') = (next_at IS NOT NULL))
    ) STRICT;
    INSERT INTO more_deliveries (id, webhook_id, mail_to, type, payload, state, created_at, give_up_at,
        next_at, tries, attempts)
      SELECT id, webhook_id, mail_to, type, payload, state, created_at, give_up_at, next_at, tries, attempts
      FROM deliveries;
    DROP TABLE deliveries;
    ALTER TABLE more_deliveries RENAME TO deliveries;
    CREATE INDEX deliveries_due ON deliveries (webhook_id, state, next_at);
    CREATE INDEX deliveries_by_time ON deliveries (webhook_id, created_at);
    CREATE INDEX deliveries_to_push ON deliveries (push_id, state, next_at);
    CREATE INDEX deliveries_of_account ON deliveries (account_id, state);
  `,
  },
]
