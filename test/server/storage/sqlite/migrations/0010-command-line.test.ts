import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'

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
