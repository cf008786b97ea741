import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { whileHeld } from '../../../shared/basics/held-file.ts'
import { syncFolder } from '../../hosting/durable.ts'
import { freeBytesOf } from '../../hosting/uploads/space.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'

/** Files to copy, each named by its SHA-512 in lower-case hex. Plain data, for a thread. */
export interface FileCopyTask {
  readonly from: string
  /** Created if it is missing, inside a folder that is there. */
  readonly to: string
  readonly hashes: readonly string[]
  /** Bytes that stay free on the disk. */
  readonly reserve: number
}

export interface FileCopyResult {
  readonly copied: number
  /** Bytes of those that were copied. */
  readonly bytes: number
  /** SHA-512 of those that are missing in `from`, or have another content. */
  readonly lost: readonly string[]
}

export interface FileCopyProgress {
  readonly done: number
  readonly total: number
}

/** Bytes that are read at once. */
const PIECE = 1_024 * 1_024
/** What a copy is called until it is complete, with the process that writes it. */
const PARTIAL = /^[0-9a-f]{128}\.\d+\.partial$/
/** Milliseconds without another byte after which nobody writes a copy any longer. */
const ABANDONED = 60 * 60_000

/**
 * Copies the files that the destination does not have. Each is verified while it is copied, and gets its name once it is on
 * the disk. Throws `StorageError` `full` before it copies anything that does not fit, the reason of `signal`, and errors of
 * the operating system; what was copied completely stays, so that the next call goes on from there.
 */
export async function copyFiles(
  { from, to, hashes, reserve }: FileCopyTask,
  signal: AbortSignal,
  onProgress: (progress: FileCopyProgress) => void = () => {},
): Promise<FileCopyResult> {
  await mkdir(to, { mode: 0o700 }).catch(ignoreExisting)
  await removeAbandoned(to)
  const lost: string[] = []
  const wanted: { hash: string; size: number }[] = []
  for (const hash of new Set(hashes)) {
    signal.throwIfAborted()
    const size = await sizeOf(join(from, hash))
    if (size === undefined) lost.push(hash)
    else if (size !== (await sizeOf(join(to, hash)))) wanted.push({ hash, size })
  }
  const total = wanted.reduce((sum, { size }) => sum + size, 0)
  await requireSpace(to, total, reserve)
  let [copied, bytes, done] = [0, 0, 0]
  onProgress({ done, total })
  for (const { hash, size } of wanted) {
    const before = done
    const isCopied = await copyOne(from, to, hash, signal, (count) => {
      done += count
      onProgress({ done, total })
    })
    if (!isCopied) lost.push(hash)
    copied += isCopied ? 1 : 0
    bytes += isCopied ? size : 0
    done = before + size
  }
  if (copied > 0) await syncFolder(to)
  return { copied, bytes, lost }
}

/** Returns false, and leaves nothing, if the file is gone or has another content. */
async function copyOne(
  from: string,
  to: string,
  hash: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<boolean> {
  const source = await open(join(from, hash)).catch(ignoreMissing)
  if (source === undefined) return false
  const partial = join(to, `${hash}.${process.pid}.partial`)
  try {
    const target = await open(partial, 'w', 0o600)
    try {
      if ((await copyBytes(source, target, signal, onBytes)) !== hash) {
        await rm(partial)
        return false
      }
      await target.sync()
    } finally {
      await target.close()
    }
    await whileHeld(process.platform, () => rename(partial, join(to, hash)))
    return true
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await source.close()
  }
}

/** Returns the SHA-512 of what was copied. */
async function copyBytes(
  source: FileHandle,
  target: FileHandle,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<string> {
  const hash = createHash('sha512')
  const buffer = Buffer.allocUnsafeSlow(PIECE)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await source.read(buffer, 0, PIECE, null)
    if (bytesRead === 0) return hash.digest('hex')
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    for (let written = 0; written < bytesRead; ) {
      written += (await target.write(piece, written, bytesRead - written)).bytesWritten
    }
    onBytes(bytesRead)
  }
}

async function requireSpace(folder: string, bytes: number, reserve: number): Promise<void> {
  if (bytes === 0) return
  const [freeBytes, neededBytes] = [await freeBytesOf(folder), bytes + reserve]
  if (freeBytes >= neededBytes) return
  const circumstance = { kind: 'too_little_space', neededBytes, freeBytes } as const
  throw new StorageError({ code: 'full', file: folder, circumstance })
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!PARTIAL.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(ignoreMissing)
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED)
      await rm(path, { force: true })
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(ignoreMissing)
  return found?.isFile() === true ? found.size : undefined
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
