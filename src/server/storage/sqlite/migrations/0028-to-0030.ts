export const from28to30 = [
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
