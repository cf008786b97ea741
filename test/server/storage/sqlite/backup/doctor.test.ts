import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeFinding } from '../../../../../src/server/cli/data/doctor.ts'
import type { DoctorReport } from '../../../../../src/server/storage/interface/findings.ts'
import { examine, historyIssues } from '../../../../../src/server/storage/sqlite/backup/doctor.ts'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import {
  MIGRATIONS,
  schemaVersion,
} from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { preparedFolder, temporaryFolder } from '../../../../support/builders/folders.ts'
import { startFixture } from '../../../../support/processes/fixture.ts'
import { addApps, sha256 } from '../../../../support/servers/database.ts'

function described({ findings }: DoctorReport): string[] {
  return findings.map(describeFinding)
}

describe('the doctor', () => {
  test('finds no problem in a valid database, and counts its rows', () => {
    const folder = preparedFolder()
    addApps(folder, 'editor', 'player')
    const before = sha256(dataFile(folder))
    const report = examine(folder)
    expect(report).toMatchObject({ ok: true, findings: [], version: schemaVersion() })
    expect(report.rows).toMatchObject({ apps: 2, channels: 0, releases: 0, catalog_state: 1 })
    expect(report.databaseBytes).toBe(statSync(dataFile(folder)).size)
    expect(report.freeBytes).toBeGreaterThan(0)
    expect(sha256(dataFile(folder))).toBe(before)
  })

  test('examines beside a server that writes, its log included', async () => {
    const folder = preparedFolder()
    const sql = "INSERT INTO apps (id, ref, name, created_at) VALUES ('l', 'in-log', 'l', '')"
    await startFixture('run-sql.ts', 'crash', dataFile(folder), sql).exited
    const report = examine(folder)
    expect(report).toMatchObject({ ok: true, rows: { apps: 1 } })
    expect(report.logBytes).toBeGreaterThan(0)
  })

  test('finds a damaged index', () => {
    const folder = preparedFolder()
    addApps(folder, 'editor', 'player')
    const database = openDatabase(dataFile(folder))
    const page = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_apps_2'")
      .pluck()
      .get()
    database.close()
    const bytes = readFileSync(dataFile(folder))
    const root = bytes.subarray((Number(page) - 1) * 4_096, Number(page) * 4_096)
    root.write('dditor', root.indexOf('editor'))
    writeFileSync(dataFile(folder), bytes)
    const report = examine(folder)
    expect(report.ok).toBe(false)
    expect(described(report)[0]).toMatch(/damaged: .*apps.*restore a backup/)
  })

  test('finds rows that refer to nothing', () => {
    const folder = preparedFolder()
    const database = openDatabase(dataFile(folder))
    database.pragma('foreign_keys = OFF')
    database.exec(
      "INSERT INTO channels (app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision) VALUES (99, 'c', 'optional', '0.0.0', 'downgrade', '', 1)",
    )
    database.close()
    const report = examine(folder)
    expect(report.ok).toBe(false)
    expect(described(report)[0]).toContain('channels refers to missing rows of apps')
  })

  test('finds a broken history, and reports that updates are not affected', () => {
    const folder = preparedFolder()
    const database = openDatabase(dataFile(folder))
    database.pragma('foreign_keys = OFF')
    database.exec(`
      INSERT INTO devices (id, app_key, device_id, first_seen) VALUES (1, 1, 'one', 0);
      INSERT INTO device_states VALUES (1, 1, 0, 9, 9, 0, 0, 0), (2, 1, 0, 9, 0, (7 << 27) + 1, 0, 0), (3, 1, 0, 9, 0, 5 << 27, 0, 0);
      INSERT INTO offered_releases VALUES (5, 'known', 1, '1.0.0', 0);
      INSERT INTO release_counts VALUES (5, 1, 1), (8, 1, 1), (8, 2, 1), (9, 1, 1);
      INSERT INTO check_ins VALUES (3, 1, 0, 1, 3, 0), (9, 1, 0, 1, 3, 3), (10, 1, 0, 1, 3, 99);
      INSERT INTO profile_changes (id, device, at, profile, previous) VALUES (3, 1, 0, 1, 0), (5, 1, 0, 2, 4), (6, 7, 0, 1, 3);
      INSERT INTO hourly_adoption VALUES (8, 1, 1);
    `)
    const issues = historyIssues(database)
    database.close()
    expect(issues).toMatchObject([
      { code: 'history', issue: 'changes_without_device', count: 1 },
      { code: 'history', issue: 'changes_without_previous', count: 2 },
      { code: 'history', issue: 'devices_without_change', count: 1 },
      { code: 'history', issue: 'devices_without_release', count: 1 },
      { code: 'history', issue: 'counts_without_release', count: 3 },
      { code: 'history', issue: 'check_ins_out_of_order', count: 1 },
      { code: 'history', issue: 'hours_without_profile', count: 1 },
    ])
    const gaps = 'The history of some devices has gaps. Update decisions are not affected.'
    expect(issues.map(describeFinding)).toEqual([
      `Found 1 profile change without a device. ${gaps}`,
      `Found 2 profile changes without the previous change. ${gaps}`,
      `Found 1 device without the latest profile change. ${gaps}`,
      `Found 1 device whose offered release is missing. ${gaps}`,
      `Found 3 release counts without a release. ${gaps}`,
      `Found 1 check-in with a later check-in as the previous one. ${gaps}`,
      `Found 1 hourly count without a profile. ${gaps}`,
    ])
    const warnings = examine(folder).findings.filter(({ level }) => level === 'warning')
    expect(warnings).toHaveLength(issues.length)
  })

  test('reports that an older database will be migrated', () => {
    const folder = temporaryFolder()
    prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 1) })
    const report = examine(folder)
    expect(report).toMatchObject({ ok: true, version: 1, expectedVersion: schemaVersion() })
    const expected = schemaVersion()
    expect(report.findings).toEqual([{ level: 'warning', code: 'outdated', version: 1, expected }])
    expect(described(report)[0]).toContain('next start')
  })

  const broken: Record<string, [put: (file: string) => void, message: RegExp]> = {
    'nothing is there': [() => {}, /no database/],
    'the file is garbage': [
      (file) => writeFileSync(file, 'x'.repeat(5_000)),
      /not a SQLite database/,
    ],
    'a folder is in its place': [(file) => mkdirSync(file), /cannot be opened/],
    'it is newer': [
      (file) => {
        prepareDatabase(file.replace('/tidegate.db', ''), { lockHeld: false })
        const database = openDatabase(file)
        database.pragma('user_version = 999')
        database.close()
      },
      /newer version/,
    ],
  }

  for (const [what, [put, message]] of Object.entries(broken)) {
    test(`message so when ${what}, and creates nothing`, () => {
      const folder = temporaryFolder()
      put(dataFile(folder))
      const before = readdirSync(folder)
      const report = examine(folder)
      expect(report.ok).toBe(false)
      expect(report.rows).toEqual({})
      expect(described(report)[0]).toMatch(message)
      expect(readdirSync(folder)).toEqual(before)
    })
  }
})
