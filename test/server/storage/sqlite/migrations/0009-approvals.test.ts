import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'

const APPEND = `INSERT INTO audit (at, actor_kind, actor_name, action, before, after, address)
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
  before.prepare(APPEND).run('person', 'person.created')
  expect(() => before.prepare(APPEND).run('server', 'change_request.expired')).toThrow('CHECK')
  before.exec("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'audit'")
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 9) })
  const after = openDatabase(dataFile(folder))
  try {
    expect(after.prepare('SELECT require_approval FROM channels').pluck().all()).toEqual([0])
    expect(after.prepare('SELECT bypass_approval FROM api_keys').pluck().all()).toEqual([0])
    after.prepare(APPEND).run('server', 'change_request.expired')
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
