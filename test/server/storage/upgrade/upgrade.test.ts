// @module-tag long

import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RunningServer } from '../../../../src/server/compose/running-server.ts'
import { createServer } from '../../../../src/server/server.ts'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { storedVersion } from '../../../../src/server/storage/sqlite/header.ts'
import {
  MIGRATIONS,
  schemaVersion,
} from '../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { HOME } from '../../../support/builders/people.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { storedCounters } from '../../../support/check-in-log/counters.ts'
import { openFolder } from '../../../support/servers/database.ts'
import { request } from '../../../support/servers/server.ts'
import { fixtureVersions, KNOWN, type Row, rowsByTable, schemaOf, writeFixture } from './fixture.ts'

const CURRENT = schemaVersion()
/** The day after the last one in the databases. */
const NOW = KNOWN.at + DAY

/** Starts today's server on a database of an earlier schema. */
async function serveFixture(version: number) {
  const folder = temporaryFolder()
  writeFixture(version, folder)
  const before = rowsByTable(dataFile(folder))
  const running = await createServer(
    { dataFolder: folder, port: 0, limits: { device: 0 }, budgets: { minFreeDiskMiB: 0 } },
    undefined,
    { clock: () => NOW, passwordCost: 4 },
  ).start()
  onTestFinished(() => running.stop())
  return { folder, before, running }
}

/** The columns of `rows` that `model` has. */
function columnsAsIn(model: Row, rows: readonly Row[]): Row[] {
  const columns = Object.keys(model)
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
}

/** Has two devices check, and expects the counters to go on from those of the fixture. */
async function expectCounted(folder: string, running: RunningServer) {
  const counters = () => {
    const database = openFolder(folder)
    try {
      return storedCounters(database)
    } finally {
      database.close()
    }
  }
  const before = counters()
  const check = async (device: string, path: string) => {
    const headers = { 'X-Service-Device': device }
    return await request(`${running.address}/u/${path}`, 'GET', { headers })
  }
  // ben was last seen with 1.1.0 on Linux, which is profile 8, and now runs what ada ran: profile 5.
  await check('ben', 'editor/stable/darwin/aarch64/1.1.0')
  await check('new', 'editor/stable/darwin/aarch64/1.1.0')
  await running.telemetry.settled()
  const [lastDay, day, hour] = [KNOWN.at / DAY, NOW / DAY, NOW / HOUR].map(Math.floor)
  expect(before.presence).toMatchObject({ [`8 on day ${lastDay}`]: 2 })
  expect(counters()).toEqual({
    adoption: { ...before.adoption, [`5 on day ${day}`]: 2 },
    hourly: { ...before.hourly, [`5 in hour ${hour}`]: 2 },
    presence: { ...before.presence, [`8 on day ${lastDay}`]: 1, [`5 on day ${day}`]: 2 },
    checkIns: { ...before.checkIns, [`1 in hour ${hour}`]: 2 },
    anonymous: before.anonymous,
    offers: before.offers,
  })
}

/** Where a migration changes rows. */
const CHANGED = new Set(['telemetry_state'])
/** Where a migration adds rows that follow from others. */
const ADDED_TO = new Set(['release_counts'])

test('there is a database of every schema version', () => {
  expect(fixtureVersions()).toEqual(MIGRATIONS.map(({ number }) => number))
})

describe.each(fixtureVersions())('a database of schema %i', (version) => {
  test('has the tables that the migrations make', () => {
    const [folder, made] = [temporaryFolder(), temporaryFolder()]
    writeFixture(version, folder)
    const migrations = MIGRATIONS.filter(({ number }) => number <= version)
    prepareDatabase(made, { lockHeld: false, migrations })
    expect(schemaOf(dataFile(folder))).toEqual(schemaOf(dataFile(made)))
  })

  test('has rows in every table, keeps all of them, and was copied before it was migrated', () => {
    const folder = temporaryFolder()
    writeFixture(version, folder)
    const before = rowsByTable(dataFile(folder))
    prepareDatabase(folder, { lockHeld: false })
    expect(storedVersion(dataFile(folder))).toBe(CURRENT)
    const after = rowsByTable(dataFile(folder))
    for (const [table, rows] of before) {
      const [model] = rows
      expect(model, table).toBeDefined()
      if (model === undefined || CHANGED.has(table)) continue
      const kept = ADDED_TO.has(table) ? expect.arrayContaining([...rows]) : rows
      expect(columnsAsIn(model, after.get(table) ?? []), table).toEqual(kept)
    }
    const database = openFolder(folder)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(database.pragma('foreign_key_check')).toEqual([])
    database.close()
    const copy = `${dataFile(folder)}.before-${CURRENT}`
    expect(existsSync(copy)).toBe(version !== CURRENT)
    if (version === CURRENT) return
    expect(storedVersion(copy)).toBe(version)
    expect(rowsByTable(copy)).toEqual(before)
  })

  test('goes on counting where it stopped, and serves its releases, to its keys and its people', async () => {
    const { folder, before: rows, running } = await serveFixture(version)
    if (version > 1) await expectCounted(folder, running)
    const { body } = await request(`${running.address}/api/v1/releases`, 'GET', { key: KNOWN.key })
    const shown = body.releases.map((release: Row) => [release.version, release.status])
    const stored = rows.get('releases')?.map((release) => [release.version, release.status])
    expect(shown.sort()).toEqual(stored?.sort())
    const check = `${running.address}/u/editor/stable/darwin/aarch64`
    expect((await request(`${check}/1.0.0`, 'GET')).body).toMatchObject({ version: '1.1.0' })
    expect((await request(`${check}/1.1.0`, 'GET')).status).toBe(204)
    if (!rows.has('accounts')) return expect(running.people.hasAccounts()).toBe(false)
    const signedIn = await running.people.signIn(KNOWN.person, HOME)
    expect(signedIn).toMatchObject({ kind: 'signed_in' })
  })
})
