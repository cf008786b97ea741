import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Backups } from '../../src/server/backups/backups.ts'
import { backupDatabase } from '../../src/server/storage/backup.ts'
import { dataFile, openDatabase } from '../../src/server/storage/database.ts'
import { addApps, preparedFolder, storageFailure, temporaryFolder } from '../storage/helpers.ts'

const REASON = 'A small disk is mounted, which takes Linux and the right to mount'
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mounts()

/** A disk with that many kilobytes. */
function smallDisk(kilobytes: number): string {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  return folder
}

/** Root in a container may still not mount anything. */
function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

/** A data folder with some 8 MB. */
function folderWithBallast(): string {
  const folder = preparedFolder()
  addApps(folder, 'editor')
  const database = openDatabase(dataFile(folder))
  database.exec(`
    CREATE TABLE ballast (id INTEGER PRIMARY KEY, filler BLOB);
    WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 2000)
      INSERT INTO ballast SELECT n, randomblob(4000) FROM count`)
  database.close()
  return folder
}

/** Takes whatever is left of the disk. */
function fill(disk: string): void {
  try {
    for (let n = 0; ; n++) writeFileSync(join(disk, `filler-${n}`), Buffer.alloc(65_536))
  } catch {
    // It is full now.
  }
}

test('a disk without room is said before anything is copied', async ({ skip }) => {
  skip(!canMount, REASON)
  const folder = folderWithBallast()
  const disk = smallDisk(4_096)
  const failed = vi.fn()
  const backups = new Backups(folder, { everyHours: 0, keep: 3, folder: disk }, failed)
  onTestFinished(() => backups.stop())
  const { message } = await storageFailure('full', () => backups.now())
  expect(message).toMatch(/it takes \d+\.\d MB, and 4\.2 MB are free/)
  expect(message).toContain(disk)
  expect(readdirSync(disk)).toEqual([])
  expect(failed).toHaveBeenCalledOnce()
  expect((await backups.status()).lastFailure?.message).toBe(message)
})

test('a disk that becomes full meanwhile leaves no half copy', async ({ skip }) => {
  skip(!canMount, REASON)
  const folder = folderWithBallast()
  const disk = smallDisk(32_768)
  let filled = false
  const copy = () =>
    backupDatabase(folder, join(disk, 'copy.db'), {
      onProgress: () => {
        if (!filled) fill(disk)
        filled = true
      },
    })
  const { message } = await storageFailure('full', copy)
  expect(message).toContain('no space left')
  const left = readdirSync(disk).filter((name) => !name.startsWith('filler'))
  expect(left).toEqual([])
  for (const name of readdirSync(disk)) rmSync(join(disk, name))
  await copy()
  expect(readdirSync(disk)).toEqual(['copy.db'])
})
