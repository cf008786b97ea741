import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFolder } from '../../../../src/server/storage/data-folder/folder.ts'
import { lockDataFolder } from '../../../../src/server/storage/data-folder/lock.ts'
import { backupDatabase } from '../../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { storedVersion } from '../../../../src/server/storage/sqlite/header.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { sentenceOf, storageFailure } from '../../../support/servers/database.ts'

const NOBODY = 65_534
const posix = process.platform !== 'win32'

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

/** The modes of a folder and all that is in it. */
function modes(folder: string): Record<string, string> {
  const names = readdirSync(folder)
  const inside = names.map((name) => [name, modeOf(join(folder, name))] as const)
  return { '.': modeOf(folder), ...Object.fromEntries(inside) }
}

function withUmask(umask: number): void {
  const before = process.umask(umask)
  onTestFinished(() => void process.umask(before))
}

/** Runs `work` as an account that may do nothing special. */
function asNobody<T>(work: () => T): T {
  const own = process.geteuid?.() ?? 0
  if (own === 0) process.seteuid?.(NOBODY)
  try {
    return work()
  } finally {
    if (own === 0) process.seteuid?.(own)
  }
}

describe.runIf(posix)('a data folder is for its account only', () => {
  test.each([0o000, 0o022, 0o377])('when it is new, with the umask %o', async (umask) => {
    const parent = temporaryFolder()
    withUmask(umask)
    const folder = join(parent, 'new', 'data')
    const lock = lockDataFolder(folder)
    prepareDatabase(folder, { lockHeld: true })
    lock.announce('http://127.0.0.1:1')
    const database = openDatabase(dataFile(folder))
    database.exec('CREATE TABLE x (id INTEGER)')
    await backupDatabase(folder, join(folder, 'copy.db'))
    expect(modes(folder)).toEqual({
      '.': '700',
      'copy.db': '600',
      'server.json': '600',
      'server.lock': '600',
      'server.lock-journal': '600',
      'tidegate.db': '600',
      'tidegate.db-shm': '600',
      'tidegate.db-wal': '600',
    })
    expect(modeOf(join(parent, 'new'))).toBe('700')
    database.close()
    lock.release()
  })

  test('when an earlier version left it open to others', () => {
    const folder = preparedFolder()
    const database = openDatabase(dataFile(folder))
    database.exec('CREATE TABLE x (id INTEGER)')
    for (const name of ['tidegate.db.before-2', 'server.lock', 'notes.txt']) {
      writeFileSync(join(folder, name), '')
    }
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o664)
    chmodSync(folder, 0o755)
    prepareDatabase(folder, { lockHeld: false })
    const { 'notes.txt': notes, '.': own, ...files } = modes(folder)
    expect(own).toBe('700')
    expect(new Set(Object.values(files))).toEqual(new Set(['600']))
    expect(notes).toBe('664')
    database.close()
  })

  test('after a restore of a file that others may read', async () => {
    const [folder, copy] = [preparedFolder(), join(temporaryFolder(), 'copy.db')]
    await backupDatabase(folder, copy)
    chmodSync(copy, 0o644)
    await restoreDatabase(folder, copy, { actor: ACTOR })
    expect(modeOf(dataFile(folder))).toBe('600')
  })

  test('other folders and the targets of links are left unchanged', () => {
    const folder = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'elsewhere')
    writeFileSync(elsewhere, '', { mode: 0o644 })
    writeFileSync(join(folder, 'index.html'), '')
    symlinkSync(elsewhere, join(folder, 'server.other'))
    chmodSync(folder, 0o755)
    prepareDatabase(folder, { lockHeld: false })
    expect(modeOf(folder)).toBe('755')
    expect(modeOf(elsewhere)).toBe('644')
    expect(modeOf(dataFile(folder))).toBe('600')
  })
})

describe.runIf(posix)('what this account may not do is said as such', () => {
  test('a folder that may not be looked into', async () => {
    const folder = preparedFolder()
    chmodSync(folder, 0o000)
    onTestFinished(() => chmodSync(folder, 0o700))
    const looks: (() => unknown)[] = [
      () => storedVersion(dataFile(folder)),
      () => openDatabase(dataFile(folder)),
      () => prepareDatabase(folder, { lockHeld: false }),
    ]
    for (const look of looks) {
      const failure = await storageFailure('unwritable', () => asNobody(look))
      expect(sentenceOf(failure)).toMatch(/^Permission denied for .*Give this account/)
    }
  })

  test.runIf(process.platform === 'linux')('a folder that cannot be created', async () => {
    const failure = await storageFailure('unwritable', () => createFolder('/proc/foo/data'))
    expect(sentenceOf(failure)).toBe(
      '/proc/foo cannot be created because its file system does not allow it. Choose another folder.',
    )
  })
})
