import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { dataFile } from '../../../src/server/storage/sqlite/database.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import { afterFile } from '../after-file.ts'

/** Makes a folder that is removed after the running test. */
export function temporaryFolder(): string {
  const folder = makeFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** Makes a folder that is removed after the tests of the file, which share it or run at the same time. */
export function fileFolder(): string {
  const folder = makeFolder()
  afterFile(() => remove(folder))
  return folder
}

/** Makes a data folder with an empty, current database. */
export function preparedFolder(): string {
  const folder = temporaryFolder()
  emptyDatabase ??= newDatabase()
  writeFileSync(dataFile(folder), emptyDatabase, { mode: 0o600 })
  return folder
}

/** Kept, because every migration takes its time. */
let emptyDatabase: Buffer | undefined

function newDatabase(): Buffer {
  const folder = makeFolder()
  prepareDatabase(folder, { lockHeld: false })
  const content = readFileSync(dataFile(folder))
  remove(folder)
  return content
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tidegate-test-'))
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
