import { text } from './strings.ts'

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
export async function hashFile(
  file: File,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    signal.throwIfAborted()
    return await runWorker(file, onProgress, signal)
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

function runWorker(
  file: File,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  worker.onerror = (event) => reject(new Error(event.message || text.workerFailed))
  worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
    if (data.type === 'progress') onProgress(data.done)
    else if (data.type === 'done') resolve(data.sha512)
    else reject(new Error(data.reason))
  }
  worker.postMessage(file)
  return promise.finally(() => {
    signal.removeEventListener('abort', abort)
    worker.terminate()
  })
}
