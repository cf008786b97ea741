import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'

const APPEND = `INSERT INTO audit (at, actor_kind, actor_name, action, before, after)
  VALUES ('2026-03-14T09:26:53.589Z', ?, 'mia', ?, 'null', '{"name":"Editor"}')`

test('entries of the audit log keep their ids, which are never given out again', () => {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 7) })
  const before = openDatabase(dataFile(folder))
  for (const action of ['app.created', 'app.renamed', 'app.removed']) {
    before.prepare(APPEND).run('console', action)
  }
  expect(() => before.prepare(APPEND).run('person', 'app.created')).toThrow('CHECK')
  // As if the newest had been deleted before the log was closed.
  before.exec("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'audit'")
  before.close()

  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 8) })
  const after = openDatabase(dataFile(folder))
  try {
    after.prepare(APPEND).run('person', 'person.created')
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
    expect(() => after.prepare(APPEND).run('ghost', 'x')).toThrow('CHECK')
    const indexes = after.prepare("SELECT name FROM sqlite_schema WHERE tbl_name = 'audit'").pluck()
    expect(indexes.all()).toEqual(expect.arrayContaining(['audit_of_release', 'audit_of_app']))
  } finally {
    after.close()
  }
})
