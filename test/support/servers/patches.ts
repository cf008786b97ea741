import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { StoredFile } from '../../../src/server/hosting/file-index.ts'
import { MakingQueue, type makeOnThread } from '../../../src/server/hosting/making/making-queue.ts'
import { Patches, type WantedPatch } from '../../../src/server/hosting/patches/patches.ts'
import { openFolder } from '../../../src/server/hosting/shared/open-shared.ts'
import { temporaryFolder } from '../builders/folders.ts'
import { builtFile } from './hosting.ts'

type Make = typeof makeOnThread

/** Of the base, whatever it is. */
export const SHA256 = 'a'.repeat(64)

interface Options {
  readonly make?: Make
  readonly maxBytes?: number
  readonly hasRoom?: boolean
}

/** Files in a new folder, and what makes something of them, which ends with the test. */
export async function openMaking(make?: Make) {
  const folder = temporaryFolder()
  const stored = await openFolder(join(folder, 'files'))
  const queue = new MakingQueue(make)
  const failures: unknown[] = []
  let now = 0
  const store = async (bytes = 1_000): Promise<StoredFile> => {
    const { content, sha512 } = builtFile(bytes)
    const path = join(folder, `upload-${sha512}`)
    writeFileSync(path, content)
    return await stored.add(path, { sha512, name: 'Editor.exe', size: bytes })
  }
  const later = (milliseconds: number) => {
    now += milliseconds
  }
  /** Ends `made` after the queue, at the latest with the test. */
  const ending = (made: { stop(): Promise<void> }) => {
    const stop = async () => {
      queue.stop()
      await made.stop()
    }
    onTestFinished(stop)
    return stop
  }
  const parts = {
    stored,
    queue,
    clock: () => now,
    onFailure: (error: unknown) => failures.push(error),
  }
  return { folder, stored, failures, store, later, ending, parts }
}

/** Patches of stored files, without a server, whose rounds the test starts. */
export async function openPatches({
  make = writing(100),
  maxBytes = 1_000,
  hasRoom = true,
}: Options = {}) {
  const { folder, stored, failures, store, later, ending, parts: making } = await openMaking(make)
  let wanted: readonly WantedPatch[] = []
  let catalog = {}
  const parts = {
    ...{ ...making, folder: join(folder, 'patches'), maxBytes },
    space: { hasRoomFor: async () => hasRoom },
    catalog: () => catalog,
    wanted: () => wanted,
  }
  const patches = new Patches(parts)
  const stop = ending(patches.job)
  const want = (...pairs: (readonly [base: StoredFile, next: StoredFile])[]) => {
    wanted = pairs.map(([base, next]) => ({ base, next, app: 1 }))
    catalog = {}
  }
  const { signal } = new AbortController()
  const round = () => patches.round(signal)
  /** A round of a server that starts with that space. */
  const restart = (space: number) => new Patches({ ...parts, maxBytes: space }).round(signal)
  const made = () => readdirSync(join(folder, 'patches')).sort()
  return { patches, stored, store, want, round, restart, made, later, failures, stop, folder }
}

/** Writes patches of that many bytes, and keeps what it was asked for. */
export function writing(bytes: number, asked: string[] = []): Make {
  return async (task) => {
    if (task.makes === 'comparison') throw new Error('only patches are made here')
    asked.push(task.to)
    writeFileSync(`${task.to}${SHA256}`, 'p'.repeat(bytes))
    return { failure: null, refused: [] }
  }
}

/** How the patch of two files is named. */
export const nameOf = (base: StoredFile, next: StoredFile) =>
  [next.sha512.slice(0, 32), base.sha512.slice(0, 32), SHA256].join('-')
