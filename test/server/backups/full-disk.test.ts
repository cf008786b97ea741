import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Backups } from '../../../src/server/backups/backups.ts'
import { backupDatabase } from '../../../src/server/storage/sqlite/backup/backup.ts'
import { backupParts } from '../../support/builders/backup-parts.ts'
import {
  canMount,
  fillDisk,
  freeDisk,
  NO_SMALL_DISK,
  smallDisk,
} from '../../support/builders/small-disk.ts'
import { addApps, heavyFolder, sentenceOf, storageFailure } from '../../support/servers/database.ts'

/** A data folder with some 8 MB. */
function folderWithBallast(): string {
  const folder = heavyFolder(2_000)
  addApps(folder, 'editor')
  return folder
}

test('a full disk is reported before anything is copied', async ({ skip }) => {
  skip(!canMount, NO_SMALL_DISK)
  const folder = folderWithBallast()
  const disk = smallDisk(4_096)
  const failed = vi.fn()
  const backups = new Backups(backupParts(folder), { everyHours: 0, keep: 3, folder: disk }, failed)
  onTestFinished(() => backups.stop())
  const failure = await storageFailure('full', () => backups.now())
  expect(sentenceOf(failure)).toMatch(/\d+\.\d MB needed, 4\.2 MB free/)
  expect(sentenceOf(failure)).toContain(disk)
  expect(readdirSync(disk)).toEqual([])
  expect(failed).toHaveBeenCalledOnce()
  expect(backups.failure).toEqual(failure.problem)
  expect((await backups.status()).lastFailure?.problem).toEqual(failure.problem)
  expect(failure.problem).toMatchObject({ code: 'full', file: disk, detail: null })
})

test('a disk that becomes full meanwhile leaves no half copy', async ({ skip }) => {
  skip(!canMount, NO_SMALL_DISK)
  const folder = folderWithBallast()
  const disk = smallDisk(32_768)
  let filled = false
  const copy = () =>
    backupDatabase(folder, join(disk, 'copy.db'), {
      onProgress: () => {
        if (!filled) fillDisk(disk)
        filled = true
      },
    })
  expect(sentenceOf(await storageFailure('full', copy))).toContain('no space left')
  const left = readdirSync(disk).filter((name) => !name.startsWith('filler'))
  expect(left).toEqual([])
  freeDisk(disk)
  await copy()
  expect(readdirSync(disk)).toEqual(['copy.db'])
})
