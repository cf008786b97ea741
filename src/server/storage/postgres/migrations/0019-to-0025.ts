import { MEET_DEVICES } from './telemetry-functions.ts'

export const from19to25 = [
  /** What updaters get about an artifact beyond where it is and how it is verified: members of the publisher's manifest. */
  {
    number: 19,
    name: 'artifact-details',
    sql: `
    -- JSON by the names of the API; '{}' for artifacts from before.
    ALTER TABLE artifacts ADD COLUMN details text NOT NULL DEFAULT '{}';
  `,
  },
  /** Documents of updaters that a publisher signed, and the public keys that an app verifies them with. */
  {
    number: 20,
    name: 'signed-documents',
    sql: `
    -- JSON by the names of the API. A document is its bytes in base64: the signature covers each of them.
    ALTER TABLE releases ADD COLUMN documents text NOT NULL DEFAULT '[]';
    ALTER TABLE drafts ADD COLUMN documents text NOT NULL DEFAULT '[]';
    ALTER TABLE apps ADD COLUMN document_keys text NOT NULL DEFAULT '[]';

    CREATE TRIGGER release_documents_immutable BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (OLD.documents IS DISTINCT FROM NEW.documents)
      EXECUTE FUNCTION refuse('a release is immutable: its documents never change');
  `,
  },
  /** What gates of plans look at besides devices: metrics of others, and the sessions of apps. */
  {
    number: 21,
    name: 'sessions',
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
  },
  /** Offers of releases that seem to fail. */
  {
    number: 22,
    name: 'waiting-offers',
    sql: `
    -- Percentage up to which the release is offered while it is suspected; NULL if it is offered to all of its rollout.
    ALTER TABLE plans ADD COLUMN open_pct double precision CHECK (open_pct BETWEEN 0 AND 100);
  `,
  },
  // Preflight of releases as a condition of a channel, and the findings that it accepts.
  {
    number: 23,
    name: 'preflight',
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
  /** Stores check-ins that are offered the same release again without a read before, as `plain-check-ins`. */
  {
    number: 25,
    name: 'repeated-offers',
    sql: `
    ALTER TABLE devices ADD COLUMN prev_episode bigint NOT NULL DEFAULT 0;

    ${MEET_DEVICES}
  `,
  },
]
