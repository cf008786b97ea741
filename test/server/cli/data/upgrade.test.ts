import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { storedVersion } from '../../../../src/server/storage/sqlite/header.ts'
import { schemaVersion } from '../../../../src/server/storage/sqlite/migrations/index.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { NEXT, prepare, withNext } from '../../../support/builders/migrations.ts'
import {
  canMount,
  fillDisk,
  NO_SMALL_DISK,
  smallDisk,
} from '../../../support/builders/small-disk.ts'
import {
  cli,
  done,
  expectRefused,
  refusal,
  serveCli,
  shown,
} from '../../../support/processes/cli.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { sha256 } from '../../../support/servers/database.ts'
import { writeFixture } from '../../storage/upgrade/fixture.ts'

/** A schema that was current once. */
const EARLIER = 7
const CURRENT = schemaVersion()

function earlierFolder(): string {
  const folder = fileFolder()
  writeFixture(EARLIER, folder)
  return folder
}

test('a check shows what an upgrade would do, and does nothing', async () => {
  const folder = earlierFolder()
  const before = [readdirSync(folder), sha256(dataFile(folder))]
  const copy = `${dataFile(folder)}.before-${CURRENT}`
  const output = await done(folder, 'upgrade', '--check')
  expect(output).toMatch(
    new RegExp(`^Schema +${EARLIER} \\(Tidegate \\S+ uses ${CURRENT}\\)$`, 'm'),
  )
  expect(output).toMatch(/^Server +not running$/m)
  expect(output).toContain(copy)
  expect(output).toMatch(/^Disk +up to .*B needed, .*B free$/m)
  expect(output).toMatch(/^Ready to upgrade\./m)
  expect(await shown(folder, 'upgrade', '--check')).toMatchObject({
    ...{ isReady: true, from: EARLIER, to: CURRENT, copy, isInUse: false, holder: null },
    neededBytes: 2 * statSync(dataFile(folder)).size,
  })
  expect([readdirSync(folder), sha256(dataFile(folder))]).toEqual(before)
})

test('an upgrade copies the database and migrates it, once', async () => {
  const folder = earlierFolder()
  const copy = `${dataFile(folder)}.before-${CURRENT}`
  const output = await done(folder, 'upgrade')
  expect(output).toContain(`from schema ${EARLIER} to ${CURRENT}`)
  expect(output).toContain(copy)
  expect([storedVersion(dataFile(folder)), storedVersion(copy)]).toEqual([CURRENT, EARLIER])
  expect(await done(folder, 'upgrade')).toBe('The database is up to date.\n')
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toHaveLength(1)
  expect(await done(folder, 'app', 'list')).toMatch(/^editor /m)
})

test('beside a server, a check names it, and an upgrade has to wait', async () => {
  const folder = earlierFolder()
  const holder = startFixture('hold-lock.ts', folder)
  await holder.line()
  const output = await done(folder, 'upgrade', '--check')
  expect(output).toMatch(/^Server +running.* \(process \d+\)$/m)
  expect(output).toMatch(/^Ready to upgrade\. Stop the server, /m)
  const ended = await cli(folder, 'upgrade')
  expectRefused(ended, 1, /in use by an older version/)
  expect(storedVersion(dataFile(folder))).toBe(EARLIER)
  await holder.kill()
})

test('a server that is current has nothing to upgrade', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder)
  const output = await done(folder, 'upgrade', '--check')
  expect(output).toContain(`running at ${server.address} (process ${server.child.pid})`)
  expect(output).toMatch(/^The database is up to date\.$/m)
  await server.stop()
})

test('a database of a later version is refused, and its copy can be restored', async () => {
  const folder = earlierFolder()
  await done(folder, 'upgrade')
  // What a later version does to it, and stores afterwards.
  const { copy = '' } = prepare(folder, withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)'))
  const later = openDatabase(dataFile(folder))
  later.exec("UPDATE releases SET status = 'rolled_back' WHERE version = '1.1.0'")
  later.close()
  const before = sha256(dataFile(folder))
  for (const args of [['serve'], ['app', 'list'], ['upgrade', '--check'], ['upgrade']]) {
    const ended = await cli(folder, ...args)
    expect(ended.code).toBe(1)
    expect(refusal(ended)).toMatch(
      new RegExp(`newer version of Tidegate \\(schema ${NEXT}; this version supports up to`),
    )
  }
  expect(sha256(dataFile(folder))).toBe(before)
  const restored = await done(folder, 'restore', copy)
  expect(restored).toMatch(/The previous database was moved to .*\.before-restore-/)
  expect(restored).toContain('Kept 1 rollback made since the backup.')
  expect(await done(folder, 'app', 'list')).toMatch(/^editor /m)
  expect(await done(folder, 'doctor')).toContain('No problems found.')
})

test('a disk without room for a copy is named, and nothing is migrated', async ({ skip }) => {
  skip(!canMount, NO_SMALL_DISK)
  const folder = smallDisk(600)
  writeFixture(EARLIER, folder)
  fillDisk(folder)
  for (const args of [['--check'], []]) {
    const ended = await cli(folder, 'upgrade', ...args)
    expectRefused(ended, 1, /not enough disk space for an upgrade: up to .*B needed, 0 B free/)
  }
  expect(storedVersion(dataFile(folder))).toBe(EARLIER)
})
