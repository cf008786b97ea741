import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'

const APPEND = `INSERT INTO audit (at, actor_kind, actor_name, action, before, after)
  VALUES ('2026-03-14T09:26:53.589Z', 'console', 'mia', ?, 'null', 'null')`

test('entries from before the log was closed stay, and none is deleted from then on', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 4) })
  const before = openDatabase(dataFile(folder))
  before.prepare(APPEND).run('app.created')
  before.prepare(APPEND).run('app.renamed')
  before.exec("DELETE FROM audit WHERE action = 'app.renamed'")
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 5) })
  const after = openDatabase(dataFile(folder))
  try {
    after.prepare(APPEND).run('app.removed')
    expect(() => after.exec('DELETE FROM audit WHERE id = 1')).toThrow('never deleted')
    const kept = after.prepare('SELECT action FROM audit ORDER BY id').pluck().all()
    expect(kept).toEqual(['app.created', 'app.removed'])
  } finally {
    after.close()
  }
})

const AT = '2026-03-14T09:26:53.589Z'

test('sessions so far are those of browsers, and the audit log is kept', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 9) })
  const before = openDatabase(dataFile(folder))
  before.exec(
    `INSERT INTO accounts (id, name, name_key, created_at) VALUES ('a', 'M', 'm', '${AT}')`,
  )
  before.exec(`INSERT INTO sessions
    (id, account_id, token_hash, created_at, last_used_at, expires_at, address, user_agent)
    VALUES ('s', 'a', 'h', '${AT}', '${AT}', '${AT}', '192.0.2.7', 'Firefox')`)
  before.exec(`INSERT INTO audit (at, actor_kind, actor_name, action, before, after, address)
    VALUES ('${AT}', 'person', 'mia', 'person.created', 'null', '{}', '192.0.2.7')`)
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 10) })
  const after = openDatabase(dataFile(folder))
  try {
    expect(after.prepare('SELECT kind FROM sessions').pluck().all()).toEqual(['browser'])
    expect(after.prepare('SELECT actor_name, via FROM audit').all()).toEqual([
      { actor_name: 'mia', via: null },
    ])
    expect(() => after.exec("UPDATE sessions SET kind = 'other'")).toThrow('CHECK')
  } finally {
    after.close()
  }
})

test('artifacts have no kind, and neither have those of a release that waits for approval', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 11) })
  const before = openDatabase(dataFile(folder))
  before.exec(`INSERT INTO apps (key, id, ref, name, created_at)
    VALUES (1, 'a', 'editor', 'Editor', '${AT}')`)
  before.exec(`INSERT INTO channels
    (key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 1, 'stable', 'optional', '0.0.0', 'downgrade', '${AT}', 1)`)
  before.exec(`BEGIN;
    INSERT INTO artifacts VALUES ('r', 0, 'linux', 'x64', 'https://a', 'ab', 1, '');
    INSERT INTO releases VALUES ('r', 1, 1, '1.0.0', 'published', 100, '{}', 1, '${AT}', 1, '');
    COMMIT`)
  const propose = before.prepare(`INSERT INTO change_requests
    (id, app_key, channel_key, version, change, comment, preview, proposer, proposed_by, proposed_at, expires_at)
    VALUES (?, 1, 1, '1.1.0', ?, '', '{}', 'ada', 'Ada', '${AT}', '${AT}')`)
  const publish = { kind: 'publish', notes: 'n', artifacts: [{ url: 'b' }, { url: 'a' }] }
  propose.run('publish', JSON.stringify(publish))
  propose.run('empty', JSON.stringify({ ...publish, artifacts: [] }))
  propose.run('serving', JSON.stringify({ kind: 'serving', rolloutPct: 5 }))
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 12) })
  const after = openDatabase(dataFile(folder))
  try {
    expect(after.prepare('SELECT kind FROM artifacts').pluck().all()).toEqual([''])
    const changes = after
      .prepare<[], string>('SELECT change FROM change_requests ORDER BY id')
      .pluck()
      .all()
      .map((text) => JSON.parse(text))
    expect(changes).toEqual([
      { ...publish, artifacts: [] },
      {
        ...publish,
        artifacts: [
          { url: 'b', kind: '' },
          { url: 'a', kind: '' },
        ],
      },
      { kind: 'serving', rolloutPct: 5 },
    ])
  } finally {
    after.close()
  }
})

const APPEND_PERSON = `INSERT INTO audit (at, actor_kind, actor_name, action, before, after)
  VALUES ('2026-03-14T09:26:53.589Z', ?, 'mia', ?, 'null', '{"name":"Editor"}')`

test('entries of the audit log keep their ids, which are never given out again', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 7) })
  const before = openDatabase(dataFile(folder))
  for (const action of ['app.created', 'app.renamed', 'app.removed']) {
    before.prepare(APPEND_PERSON).run('console', action)
  }
  expect(() => before.prepare(APPEND_PERSON).run('person', 'app.created')).toThrow('CHECK')
  // As if the newest had been deleted before the log was closed.
  before.exec("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'audit'")
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 8) })
  const after = openDatabase(dataFile(folder))
  try {
    after.prepare(APPEND_PERSON).run('person', 'person.created')
    const entries = after.prepare('SELECT id, action, after, address FROM audit ORDER BY id').all()
    const rest = { after: '{"name":"Editor"}', address: null }
    expect(entries).toEqual([
      { id: 1, action: 'app.created', ...rest },
      { id: 2, action: 'app.renamed', ...rest },
      { id: 3, action: 'app.removed', ...rest },
      { id: 10, action: 'person.created', ...rest },
    ])
    expect(() => after.exec('DELETE FROM audit WHERE id = 1')).toThrow('never deleted')
    expect(() => after.exec("UPDATE audit SET action = 'x'")).toThrow('append-only')
    expect(() => after.prepare(APPEND_PERSON).run('ghost', 'x')).toThrow('CHECK')
    const indexes = after.prepare("SELECT name FROM sqlite_schema WHERE tbl_name = 'audit'").pluck()
    expect(indexes.all()).toEqual(expect.arrayContaining(['audit_of_release', 'audit_of_app']))
  } finally {
    after.close()
  }
})

const APPEND_FROM = `INSERT INTO audit (at, actor_kind, actor_name, action, before, after, address)
  VALUES ('2026-03-14T09:26:53.589Z', ?, 'mia', ?, 'null', '{}', '192.0.2.7')`

test('nothing requires approval, and the audit log is kept with its addresses', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 8) })
  const before = openDatabase(dataFile(folder))
  before.exec(`INSERT INTO apps (key, id, ref, name, created_at)
    VALUES (1, 'a', 'editor', 'Editor', '2026-03-14T09:26:53.589Z')`)
  before.exec(`INSERT INTO channels
    (app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 'stable', 'optional', '0.0.0', 'downgrade', '2026-03-14T09:26:53.589Z', 1)`)
  before.exec(`INSERT INTO api_keys (prefix, hash, name, scopes, created_at)
    VALUES ('tg_aaaaa', 'h', 'ci', '["serve"]', '2026-03-14T09:26:53.589Z')`)
  before.prepare(APPEND_FROM).run('person', 'person.created')
  expect(() => before.prepare(APPEND_FROM).run('server', 'change_request.expired')).toThrow('CHECK')
  before.exec("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'audit'")
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 9) })
  const after = openDatabase(dataFile(folder))
  try {
    expect(after.prepare('SELECT require_approval FROM channels').pluck().all()).toEqual([0])
    expect(after.prepare('SELECT bypass_approval FROM api_keys').pluck().all()).toEqual([0])
    after.prepare(APPEND_FROM).run('server', 'change_request.expired')
    expect(after.prepare('SELECT id, actor_kind, address FROM audit ORDER BY id').all()).toEqual([
      { id: 1, actor_kind: 'person', address: '192.0.2.7' },
      { id: 10, actor_kind: 'server', address: '192.0.2.7' },
    ])
    expect(() => after.exec('DELETE FROM audit WHERE id = 1')).toThrow('never deleted')
    expect(() => after.exec("UPDATE audit SET action = 'x'")).toThrow('append-only')
  } finally {
    after.close()
  }
})
