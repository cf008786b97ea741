import { type Engine, type SharedMigration, WORDS } from './migration-words.ts'

/** SQLite cannot change the conditions of a table. */
const REBUILT_DELIVERIES = `CREATE TABLE more_deliveries (
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
    CREATE INDEX deliveries_by_time ON deliveries (webhook_id, created_at);`

const MORE_DELIVERIES = `ALTER TABLE deliveries
      ADD COLUMN push_id text COLLATE "C" REFERENCES push_subscriptions (id) ON DELETE CASCADE,
      -- The person who is notified; null for a webhook, and for mail that is sent whoever can see what.
      ADD COLUMN account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
      DROP CONSTRAINT deliveries_check,
      ADD CONSTRAINT deliveries_target CHECK (num_nonnulls(webhook_id, mail_to, push_id) = 1);`

/**
 * Changes of the catalog, the people and the outbox, which both engines make. Never edit one that was released. Each only
 * adds: a node of the version before goes on while others are upgraded.
 */
const SHARED: readonly SharedMigration[] = [
  /**
   * Identifies who made a change where names are the same: a key by its prefix. An account keeps who granted its access, so
   * that one person does not count as two. A node from before leaves both empty.
   */
  {
    name: 'actors',
    numbers: { sqlite: 20, postgres: 14 },
    sql: ({ bytewise }) => `
    ALTER TABLE audit ADD COLUMN key_prefix TEXT;
    -- The person of a principal; null for nobody, or for the server's own computer.
    ALTER TABLE accounts ADD COLUMN vouched_by ${bytewise};
  `,
  },
  /**
   * The formats of signatures that a channel takes unchecked although its app has a minisign key. Proofs under a key that
   * found no valid signature are due again, and do not count until then.
   */
  {
    name: 'unchecked-signatures',
    numbers: { sqlite: 21, postgres: 15 },
    sql: ({ json }) => `
    ALTER TABLE channels ADD COLUMN unchecked_signatures TEXT NOT NULL DEFAULT '[]'
      ${json('unchecked_signatures')};
    UPDATE proofs SET due_at = '1970-01-01T00:00:00.000Z'
      WHERE failure IS NULL AND signature <> 'valid' AND release_id IN (
        SELECT releases.id FROM releases JOIN apps ON apps.key = releases.app_key
        WHERE apps.minisign_key IS NOT NULL);
  `,
  },
  /** Who has made a draft, so that nobody makes all that an app can have. */
  {
    name: 'draft-owners',
    numbers: { sqlite: 24, postgres: 18 },
    sql: () => `
    -- A person or a key; '' for drafts from before.
    ALTER TABLE drafts ADD COLUMN owner TEXT NOT NULL DEFAULT '';
  `,
  },
  /** What updaters get about an artifact beyond where it is and how it is verified: members of the publisher's manifest. */
  {
    name: 'artifact-details',
    numbers: { sqlite: 25, postgres: 19 },
    sql: ({ json }) => `
    -- JSON by the names of the API; '{}' for artifacts from before.
    ALTER TABLE artifacts ADD COLUMN details TEXT NOT NULL DEFAULT '{}' ${json('details')};
  `,
  },
  /** Documents of updaters that a publisher signed, and the public keys that an app verifies them with. */
  {
    name: 'signed-documents',
    numbers: { sqlite: 26, postgres: 20 },
    sql: ({ json, either }) => `
    -- JSON by the names of the API. A document is its bytes in base64: the signature covers each of them.
    ALTER TABLE releases ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' ${json('documents')};
    ALTER TABLE drafts ADD COLUMN documents TEXT NOT NULL DEFAULT '[]' ${json('documents')};
    ALTER TABLE apps ADD COLUMN document_keys TEXT NOT NULL DEFAULT '[]' ${json('document_keys')};

    ${either(
      `CREATE TRIGGER release_documents_immutable BEFORE UPDATE OF documents ON releases
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its documents never change');
    END;`,
      `CREATE TRIGGER release_documents_immutable BEFORE UPDATE ON releases FOR EACH ROW
      WHEN (OLD.documents IS DISTINCT FROM NEW.documents)
      EXECUTE FUNCTION refuse('a release is immutable: its documents never change');`,
    )}
  `,
  },
  /** What gates of plans look at besides devices: metrics of others, and the sessions of apps. */
  {
    name: 'sessions',
    numbers: { sqlite: 27, postgres: 21 },
    sql: ({ bytewise, big, json, rowless, deferred }) => `
    -- What the checks of the gate found: JSON by the names of the API; NULL while they were not asked.
    ALTER TABLE plans ADD COLUMN readings TEXT ${json('readings')};

    -- Sessions of apps that run a release, by the network that reported them.
    CREATE TABLE release_sessions (
      release_id ${bytewise} NOT NULL REFERENCES releases (id)${deferred},
      network INTEGER NOT NULL CHECK (network BETWEEN 0 AND 255),
      started ${big} NOT NULL CHECK (started >= 0),
      healthy ${big} NOT NULL CHECK (healthy >= 0),
      errored ${big} NOT NULL CHECK (errored >= 0),
      crashed ${big} NOT NULL CHECK (crashed >= 0),
      abnormal ${big} NOT NULL CHECK (abnormal >= 0),
      PRIMARY KEY (release_id, network)
    )${rowless};

    -- A sketch of the devices that had sessions, and of those whose sessions crashed: no device can be read from it.
    CREATE TABLE session_devices (
      release_id ${bytewise} NOT NULL REFERENCES releases (id)${deferred},
      crashed INTEGER NOT NULL CHECK (crashed IN (0, 1)),
      register INTEGER NOT NULL CHECK (register BETWEEN 0 AND 255),
      rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 57),
      PRIMARY KEY (release_id, crashed, register)
    )${rowless};
  `,
  },
  /** Offers of releases that seem to fail. */
  {
    name: 'waiting-offers',
    numbers: { sqlite: 28, postgres: 22 },
    sql: ({ real }) => `
    -- Percentage up to which the release is offered while it is suspected; NULL if it is offered to all of its rollout.
    ALTER TABLE plans ADD COLUMN open_pct ${real} CHECK (open_pct BETWEEN 0 AND 100);
  `,
  },
  /** Preflight of releases as a condition of a channel, and the findings that it accepts. */
  {
    name: 'preflight',
    numbers: { sqlite: 29, postgres: 23 },
    sql: () => `
    ALTER TABLE channels ADD COLUMN preflight TEXT NOT NULL DEFAULT 'off'
      CHECK (preflight IN ('off', 'warn', 'required'));
    -- JSON by the names of the API.
    ALTER TABLE channels ADD COLUMN accepted_findings TEXT NOT NULL DEFAULT '[]';
  `,
  },
  /** What people are notified about, the browsers that they get push notifications in, and deliveries to those. */
  {
    name: 'notifications',
    numbers: { sqlite: 30, postgres: 24 },
    sql: ({ bytewise, big, json, strict, either }) => `
    CREATE TABLE notification_choices (
      account_id ${bytewise} NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      choices TEXT NOT NULL ${json('choices')}
    )${strict};

    CREATE TABLE push_subscriptions (
      id ${bytewise} NOT NULL PRIMARY KEY,
      account_id ${bytewise} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- The session that used it last; null once that has expired.
      session_id ${bytewise} REFERENCES sessions (id) ON DELETE SET NULL,
      endpoint ${bytewise} NOT NULL UNIQUE,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      user_agent TEXT NOT NULL,
      created_at ${bytewise} NOT NULL,
      failing_since ${bytewise},
      dropped INTEGER NOT NULL DEFAULT 0,
      -- The entry of the audit log after which it gets events.
      since ${big} NOT NULL
    )${strict};
    CREATE INDEX push_subscriptions_of_account ON push_subscriptions (account_id);
    CREATE INDEX push_subscriptions_of_session ON push_subscriptions (session_id);

    -- The private key that identifies the server to push services, as a JWK; null until somebody wants push notifications.
    ALTER TABLE outbox_state ADD COLUMN push_key TEXT ${json('push_key')};

    ${either(REBUILT_DELIVERIES, MORE_DELIVERIES)}
    CREATE INDEX deliveries_to_push ON deliveries (push_id, state, next_at);
    CREATE INDEX deliveries_of_account ON deliveries (account_id, state);
  `,
  },
]

/** Returns the migrations of an engine with those of both, in their order. `own`: of its devices, and of its time alone. */
export function withShared<Own extends { readonly number: number }>(
  engine: Engine,
  own: readonly Own[],
) {
  const shared = SHARED.map(({ name, numbers, sql }) => {
    return { number: numbers[engine], name, sql: sql(WORDS[engine]) }
  })
  return [...own, ...shared].sort((left, right) => left.number - right.number)
}
