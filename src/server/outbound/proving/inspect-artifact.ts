import { type FileHandle, open } from 'node:fs/promises'
import type { ProofFailure } from '../../../shared/files/proof.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { FileFacts, InspectedFile } from '../../preflight/inspect/facts.ts'
import { inspectFile } from '../../preflight/inspect/inspect.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'
import { failureOf, ProofError } from './proof-error.ts'
import { openBody, type ProofTask } from './prove-artifact.ts'
import { Watch } from './timeouts.ts'

/** A file to look into. `size`: bytes; 0, if it is not known, can be read only where this server keeps it. */
export interface InspectedArtifact extends Pick<Artifact, 'url' | 'size'> {
  readonly name: string
}

/** What one file is looked into with. Plain data, for a thread. */
export interface InspectTask extends Omit<ProofTask, 'artifact' | 'unchecked'> {
  readonly artifact: InspectedArtifact
}

export type Inspection =
  /** `isStored`: this server keeps the file, so that it is what its checksum says. */
  { readonly facts: FileFacts; readonly isStored: boolean } | { readonly failure: ProofFailure }

/** Bytes that are asked for at once of a file elsewhere, and how many such pieces are kept. */
const PIECE = 1_024 * 1_024
const KEPT_PIECES = 32
/** Pieces that are asked for in all. */
const MAX_PIECES = 256

/** Looks into a file where devices get it, at a few places; nothing is kept. Throws only the reason of `signal`. */
export async function inspectArtifact(task: InspectTask, signal: AbortSignal): Promise<Inspection> {
  const { stored } = task
  let host = ''
  try {
    if (stored !== undefined && 'path' in stored) return await inspectStored(task, stored.path)
    const read = readPieces(task, signal, (asked) => {
      host = asked
    })
    const { name, size } = task.artifact
    if (size === 0) throw new ProofError({ code: 'size_differs', expected: 0, actual: null })
    return { facts: await inspectFile({ name, size, read }), isStored: false }
  } catch (error) {
    signal.throwIfAborted()
    return { failure: failureOf(error, host) }
  }
}

async function inspectStored(
  { artifact: { name } }: InspectTask,
  path: string | null,
): Promise<Inspection> {
  const handle = path === null ? undefined : await open(path).catch(() => undefined)
  if (handle === undefined) throw new ProofError({ code: 'status', status: 404 })
  try {
    const { size } = await handle.stat()
    const read: InspectedFile['read'] = (offset, length) => readAt(handle, offset, length)
    return { facts: await inspectFile({ name, size, read, isNear: true }), isStored: true }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, offset)
  return bytes.subarray(0, bytesRead)
}

/** Reads a file elsewhere in pieces, of which the last ones are kept: readers come back to them. */
function readPieces(
  task: InspectTask,
  signal: AbortSignal,
  onHost: (host: string) => void,
): InspectedFile['read'] {
  const { size } = task.artifact
  const kept = new Map<number, Buffer>()
  let asked = 0

  async function piece(at: number): Promise<Buffer> {
    const known = kept.get(at)
    if (known !== undefined) return known
    asked += 1
    if (asked > MAX_PIECES) throw new ProofError({ code: 'too_large', maximum: MAX_PIECES * PIECE })
    const offset = at * PIECE
    const bytes = await readRange(task, signal, onHost, offset, Math.min(PIECE, size - offset))
    keepLatest(kept, at, bytes, KEPT_PIECES)
    return bytes
  }

  return async (offset, length) => {
    const parts: Buffer[] = []
    const end = offset + length
    for (let at = offset; at < end; ) {
      const number = Math.floor(at / PIECE)
      const begin = number * PIECE
      parts.push((await piece(number)).subarray(at - begin, end - begin))
      at = begin + PIECE
    }
    return Buffer.concat(parts)
  }
}

async function readRange(
  task: InspectTask,
  signal: AbortSignal,
  onHost: (host: string) => void,
  offset: number,
  length: number,
): Promise<Buffer> {
  const watch = new Watch(task.limits.timeouts)
  try {
    const body = await openBody(task, watch, signal, onHost, { offset, length })
    try {
      const parts: Buffer[] = []
      let read = 0
      watch.reading()
      for await (const bytes of body.pieces) {
        read += bytes.length
        if (read > length) break
        watch.arrived(bytes.length)
        parts.push(bytes)
      }
      if (read !== length) throw new ProofError({ code: 'broken_off' })
      return Buffer.concat(parts)
    } finally {
      body.destroy()
    }
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error
  } finally {
    watch.stop()
  }
}
