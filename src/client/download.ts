import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { applying, type Dictionary, frameOf, readDictionary } from './dictionary.ts'
import { CheckError, readFailure, type Update } from './update.ts'

export interface DownloadOptions {
  /** Where the file is written. What is there is replaced once the file is complete and verified. */
  readonly to: string
  /**
   * The file of the version that runs, exactly as it was downloaded. Then only what has changed since is downloaded, where the
   * server has a patch. It may be missing.
   */
  readonly from?: string
  readonly signal?: AbortSignal
}

/** A file that was downloaded. */
export interface Downloaded {
  /** Bytes that were received. */
  readonly received: number
  /** Whether the file was made of `from` and a patch. */
  readonly patched: boolean
}

/** What the parts of a download share. */
interface Download {
  readonly update: Update
  /** Where the file is until it is verified. */
  readonly file: string
  readonly signal: AbortSignal | undefined
  /** Milliseconds without data until it gives up. */
  readonly timeout: number
}

/** Downloads the file of an update, as `UpdateClient.download` says. */
export async function download(
  update: Update,
  { to, from, signal }: DownloadOptions,
  timeout: number,
): Promise<Downloaded> {
  const parts = { update, file: `${to}.${randomUUID()}`, signal, timeout }
  try {
    const dictionary = from === undefined ? undefined : await readDictionary(from)
    const done = (dictionary && (await tryPatch(parts, dictionary))) ?? (await receive(parts))
    signal?.throwIfAborted()
    await rename(parts.file, to)
    return done
  } finally {
    await rm(parts.file, { force: true })
  }
}

/** Undefined if all of the file is to be downloaded: for whatever goes wrong with a patch, and with the request for one. */
async function tryPatch(parts: Download, dictionary: Dictionary): Promise<Downloaded | undefined> {
  try {
    return await receive(parts, dictionary)
  } catch (error) {
    parts.signal?.throwIfAborted()
    if (error instanceof CheckError && isFinal(error)) throw error
    return undefined
  }
}

/** Whether the same would happen again: the server is busy, or it has sent all of another file. */
function isFinal({ problem, status }: CheckError): boolean {
  return problem === 'limited' || (problem === 'invalid' && status === undefined)
}

/** Asks for the file once and writes what comes. Throws `CheckError`, and what a patch that does not apply throws. */
async function receive(parts: Download, dictionary?: Dictionary): Promise<Downloaded> {
  const { update, signal, timeout } = parts
  const patience = new Patience(timeout, signal)
  try {
    const response = await patience.fetch(update.url, headersFor(dictionary))
    if (response.status !== 200 || response.body === null) throw await readFailure(response)
    const isPatch = dictionary !== undefined && response.headers.get('Content-Encoding') === 'dcz'
    if (
      isPatch &&
      update.size > 0 &&
      Number(response.headers.get('Content-Length')) >= update.size
    ) {
      throw new Error('the patch is larger than the file')
    }
    const pieces = patience.read(response.body)
    await (isPatch ? patch(pieces, parts, dictionary) : write(pieces, parts))
    return { received: patience.received, patched: isPatch }
  } catch (error) {
    throw patience.explain(error)
  } finally {
    patience.end()
  }
}

function headersFor(dictionary: Dictionary | undefined): Record<string, string> {
  if (dictionary === undefined) return { 'Accept-Encoding': 'identity' }
  const hash = dictionary.hash.toString('base64')
  return { 'Accept-Encoding': 'dcz', 'Available-Dictionary': `:${hash}:` }
}

async function patch(
  pieces: AsyncIterable<Uint8Array>,
  parts: Download,
  dictionary: Dictionary,
): Promise<void> {
  const frame = Readable.from(frameOf(pieces, dictionary))
  try {
    await pipeline(frame, applying(dictionary), (made) => write(made, parts))
  } catch (error) {
    throw new Error('the patch does not apply', { cause: error })
  }
}

/** Writes a file and verifies it. Throws `CheckError` for another one than was published, and errors of the file system. */
async function write(pieces: AsyncIterable<Uint8Array>, { update, file }: Download): Promise<void> {
  const { size, sha512 } = update
  const hash = createHash('sha512')
  let length = 0
  const verified = async function* () {
    for await (const piece of pieces) {
      length += piece.length
      if (size > 0 && length > size) throw otherFile()
      hash.update(piece)
      yield piece
    }
    if (![hash.copy().digest('base64'), hash.digest('hex')].some((each) => isSame(each, sha512)))
      throw otherFile()
  }
  await pipeline(verified, createWriteStream(file, { flush: true }))
}

/** Hex digits have no case, and base64 may lack its end. */
function isSame(digest: string, published: string): boolean {
  return published.length === 128
    ? digest === published.toLowerCase()
    : digest.replace(/=+$/, '') === published.replace(/=+$/, '')
}

function otherFile(): CheckError {
  return new CheckError('invalid', 'The file is not the one that was published.')
}

/** A request that gives up when nothing arrives for a while. */
class Patience {
  readonly #late = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  /** Bytes that have arrived. */
  received = 0
  /** What the network said of a connection that was lost. */
  #lost: unknown

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#signal = signal
    this.#timer = setTimeout(() => this.#late.abort(), timeout)
  }

  async fetch(url: string, headers: Record<string, string>): Promise<Response> {
    const { signal: late } = this.#late
    const signal = this.#signal === undefined ? late : AbortSignal.any([this.#signal, late])
    try {
      return await fetch(url, { headers, signal })
    } catch (error) {
      this.#lost = error
      throw error
    }
  }

  async *read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const pieces = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await pieces.next().catch((error: unknown) => {
          this.#lost = error
          throw error
        })
        if (done === true) return
        this.#timer.refresh()
        this.received += value.length
        yield value
      }
    } finally {
      await pieces.return?.()
    }
  }

  /** Returns what an error means: the reason of the signal, `CheckError` for the network, and itself for every other. */
  explain(error: unknown): unknown {
    if (this.#signal?.aborted === true) return this.#signal.reason
    if (error instanceof CheckError) return error
    if (this.#late.signal.aborted) return new CheckError('timeout', 'The file does not arrive.')
    if (this.#lost === undefined) return error
    return new CheckError('unreachable', 'The file cannot be downloaded.', { cause: this.#lost })
  }

  /** Ends the request, also one of which something is still to come. */
  end(): void {
    clearTimeout(this.#timer)
    this.#late.abort()
  }
}
