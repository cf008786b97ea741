import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Actor } from '../../../src/server/catalog/store.ts'
import { dataFile, openDatabase } from '../../../src/server/storage/sqlite/database.ts'
import { StorageError } from '../../../src/server/storage/sqlite/errors.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import type { StorageErrorCode } from '../../../src/shared/storage-problem.ts'

/** Who restores are made by. */
export const ACTOR: Actor = { kind: 'command_line', name: 'test' }

/** A folder of its own for the running test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-storage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder with an empty, current database. */
export function preparedFolder(): string {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false })
  return folder
}

export function addApps(folder: string, ...refs: string[]): void {
  const database = openDatabase(dataFile(folder))
  const insert = database.prepare(
    'INSERT INTO apps (id, ref, name, created_at) VALUES (?, ?, ?, ?)',
  )
  for (const ref of refs) insert.run(`id-${ref}`, ref, ref, '2026-01-01T00:00:00.000Z')
  database.close()
}

export function appRefs(folder: string): unknown[] {
  const database = openDatabase(dataFile(folder))
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') throw new Error('damaged')
    return database.prepare('SELECT ref FROM apps ORDER BY key').pluck().all()
  } finally {
    database.close()
  }
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

export interface Fixture {
  readonly child: ChildProcess
  /** The next line that it prints. Rejects when it ends first. */
  readonly line: () => Promise<string>
  /** Ends it without a chance to clean up, and waits for the end. */
  readonly kill: () => Promise<void>
  readonly exited: Promise<{ code: number | null; signal: string | null; stderr: string }>
}

/** Runs a file of `fixtures` as a process of its own. */
export function startFixture(name: string, ...args: string[]): Fixture {
  const file = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const line = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${name} ended: ${(await exited).stderr}`)
    return String(value)
  }
  return { child, line, kill, exited }
}

/** The `StorageError` that `work` throws, which must have that code. */
export async function storageFailure(
  code: StorageErrorCode,
  work: () => unknown,
): Promise<StorageError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof StorageError && error.code === code) return error
    throw error
  }
  throw new Error(`no StorageError "${code}" was thrown`)
}
