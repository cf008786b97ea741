import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'

const AT = '2026-03-14T09:26:53.589Z'

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
