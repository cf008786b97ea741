import { useCallback, useRef } from 'react'
import { fileNameOf } from '../../../shared/artifacts/address.ts'
import type { MeasureInput } from '../../../shared/console/releases/releases.ts'
import type { ProofFailure } from '../../../shared/files/proof.ts'
import { proofFailureSentence } from '../../../shared/wording/proof.ts'
import { serverClient } from '../../bridge/clients.ts'
import { text } from './strings.ts'
import { type OnProgress, useJobs } from './use-jobs.ts'

/** A file that the server downloads, from the allowed hosts of the app. */
export type RemoteFile = MeasureInput

/** What is hashed: a file of this computer, or one that the server downloads. */
export type HashSource = File | RemoteFile

/** What is known of a file once it is hashed. `size`: in bytes. */
export interface Hashed {
  readonly sha512: string
  readonly size: number
}

/** Hashes files in the background, each for one row. Everything ends with the component. */
export function useHashing(onHashed: (id: string, source: HashSource, hashed: Hashed) => void) {
  const { jobs, start: begin, cancel, drop } = useJobs<HashSource>()
  const report = useRef(onHashed)
  report.current = onHashed
  const start = useCallback(
    (id: string, source: HashSource) =>
      begin(
        id,
        { subject: source, total: source instanceof File ? source.size : 0 },
        (onProgress, signal) =>
          source instanceof File
            ? hashFile(source, onProgress, signal)
            : measureFile(source, onProgress, signal),
        (hashed) => report.current(id, source, hashed),
      ),
    [begin],
  )
  return { jobs, start, cancel, drop }
}

/** What the hashing worker sends. */
export type HashMessage =
  | { readonly type: 'progress'; readonly done: number }
  | { readonly type: 'done'; readonly sha512: string }
  | { readonly type: 'failed'; readonly reason: string }

/** More at once would only share the same disk and cores. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

/**
 * Computes the SHA-512 of a file, in hex, in a worker of its own; at most two run at once.
 * `onProgress` is given the bytes read so far. Rejects with an `AbortError` once `signal` is
 * aborted, and with an Error where the file cannot be read.
 */
async function hashFile(file: File, onProgress: OnProgress, signal: AbortSignal): Promise<Hashed> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    signal.throwIfAborted()
    return { sha512: await runWorker(file, onProgress, signal), size: file.size }
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/** Has the server download a file for its SHA-512, in hex. Rejects as `hashFile` does, and with what is wrong with the download. */
function measureFile(
  file: RemoteFile,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Hashed> {
  return untilAborted(signal, (resolve: (hashed: Hashed) => void, reject) => {
    const subscription = serverClient.releases.measure.subscribe(file, {
      onData: (event) => {
        if (event.type === 'progress') onProgress({ done: event.read, total: event.total })
        else if (event.type === 'measured') resolve(event)
        else reject(new Error(measureFailure(event.failure)))
      },
      onError: reject,
      onComplete: () => reject(new Error(text.downloadEnded)),
    })
    return () => subscription.unsubscribe()
  })
}

/** Settles as what `begin` starts does, or rejects once `signal` is aborted; then calls what `begin` returned. */
function untilAborted<Result>(
  signal: AbortSignal,
  begin: (resolve: (result: Result) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  const end = begin(resolve, reject)
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    end()
  })
}

/** Nothing was published yet that the size could differ from. */
function measureFailure(failure: ProofFailure): string {
  return failure.code === 'size_differs' ? text.otherSize : proofFailureSentence(failure)
}

/** Returns the name of a file that is hashed. */
export function nameOfSource(source: HashSource): string {
  return source instanceof File ? source.name : fileNameOf(source.url)
}

function runWorker(file: File, onProgress: OnProgress, signal: AbortSignal): Promise<string> {
  return untilAborted(signal, (resolve: (sha512: string) => void, reject) => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    worker.onerror = (event) => reject(new Error(event.message || text.workerFailed))
    worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
      if (data.type === 'progress') onProgress({ done: data.done })
      else if (data.type === 'done') resolve(data.sha512)
      else reject(new Error(data.reason))
    }
    worker.postMessage(file)
    return () => worker.terminate()
  })
}
