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
