import { statfsSync, statSync } from 'node:fs'
import { freeName, sidecars } from '../data-folder/folder.ts'
import { isFolderHeld, namedHolder } from '../data-folder/lock.ts'
import type { UpgradePlan } from '../interface/upgrades.ts'
import { dataFile } from './database.ts'
import { storedVersion } from './header.ts'
import { MIGRATIONS, type Migration, schemaVersion } from './migrations/index.ts'

/** The copy, and the write-ahead log of a migration that rebuilds every table. */
const COPIES = 2

/**
 * Returns what `prepareDatabase` would do to the database of a data folder, and what it needs. Changes
 * nothing; a server may be running. Throws `StorageError` if the database is newer or cannot be read.
 */
export function planUpgrade(
  folder: string,
  migrations: readonly Migration[] = MIGRATIONS,
): UpgradePlan {
  const file = dataFile(folder)
  const from = storedVersion(file, migrations)
  const to = schemaVersion(migrations)
  const isCurrent = from === to
  const isInUse = isFolderHeld(folder)
  return {
    file,
    from,
    to,
    copy: isCurrent ? null : freeName(`${file}.before-${to}`),
    neededBytes: isCurrent ? 0 : COPIES * sizeOf(file),
    freeBytes: freeBytes(folder),
    isInUse,
    holder: isInUse ? namedHolder(folder) : null,
  }
}

function sizeOf(file: string): number {
  const sizes = [file, ...sidecars(file)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
