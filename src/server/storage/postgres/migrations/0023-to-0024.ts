export const from23to24 = [
  // Preflight of releases as a condition of a channel, and the findings that it accepts.
  {
    number: 23,
    name: 'preflight',
    readableFrom: 4,
    sql: `
    ALTER TABLE channels ADD COLUMN preflight text NOT NULL DEFAULT 'off'
      CHECK (preflight IN ('off', 'warn', 'required'));
    -- JSON by the names of the API.
    ALTER TABLE channels ADD COLUMN accepted_findings text NOT NULL DEFAULT '[]';
  `,
  },
  // What people are notified about, the browsers that they get push notifications in, and deliveries to those.
  {
    number: 24,
    name: 'notifications',
    readableFrom: 4,
    sql: `
    CREATE TABLE notification_choices (
      account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      choices text NOT NULL
    );

    CREATE TABLE push_subscriptions (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- The session that used it last; null once that has expired.
      session_id text COLLATE "C" REFERENCES sessions (id) ON DELETE SET NULL,
      endpoint text COLLATE "C" NOT NULL UNIQUE,
      p256dh text NOT NULL,
      auth text NOT NULL,
      user_agent text NOT NULL,
      created_at text COLLATE "C" NOT NULL,
      failing_since text COLLATE "C",
      dropped integer NOT NULL DEFAULT 0,
      -- The entry of the audit log after which it gets events.
      since bigint NOT NULL
    );
    CREATE INDEX push_subscriptions_of_account ON push_subscriptions (account_id);
    CREATE INDEX push_subscriptions_of_session ON push_subscriptions (session_id);

    -- The private key that identifies the server to push services, as a JWK; null until somebody wants push notifications.
    ALTER TABLE outbox_state ADD COLUMN push_key text;

    ALTER TABLE deliveries
      ADD COLUMN push_id text COLLATE "C" REFERENCES push_subscriptions (id) ON DELETE CASCADE,
      -- The person who is notified; null for a webhook, and for mail that is sent whoever can see what.
      ADD COLUMN account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
      DROP CONSTRAINT deliveries_check,
      ADD CONSTRAINT deliveries_target CHECK (num_nonnulls(webhook_id, mail_to, push_id) = 1);
    CREATE INDEX deliveries_to_push ON deliveries (push_id, state, next_at);
    CREATE INDEX deliveries_of_account ON deliveries (account_id, state);
  `,
  },
]
