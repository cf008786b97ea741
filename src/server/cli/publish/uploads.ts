import { createHash } from 'node:crypto'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { messageOf } from '../../../shared/basics/message-of.ts'

/** A file as devices download it, and what is known of it. */
export interface Upload {
  readonly url: string
  /** In hex or base64; empty if it is unknown. */
  readonly sha512: string
  /** Bytes; 0 if it is unknown. */
  readonly size: number
}

/** What was downloaded. `sha512`: in hex. */
export interface Downloaded {
  readonly sha512: string
  /** Bytes. */
  readonly size: number
}

/** Why an upload is not the file that is to be published. */
export type UploadProblem =
  | { readonly code: 'status'; readonly status: number }
  | { readonly code: 'size'; readonly expected: number; readonly found: number }
  /** The rest was not downloaded. */
  | { readonly code: 'longer'; readonly expected: number }
  | { readonly code: 'sha512' }
  | { readonly code: 'empty' }
  /** A page for people, where nothing tells what the file is. */
  | { readonly code: 'page' }
  | { readonly code: 'silent'; readonly seconds: number }
  | { readonly code: 'unreachable'; readonly reason: string }

type Result =
  | { readonly ok: true; readonly downloaded: Downloaded }
  | { readonly ok: false; readonly problem: UploadProblem }

export type Checked = { readonly upload: Upload } & Result

/** Downloads at the same time. */
const AT_ONCE = 4

/** Downloads every upload, and compares size and SHA-512 as far as known. `patience`: seconds for an answer, and each next piece. */
export async function checkUploads(
  uploads: readonly Upload[],
  patience: number,
  onChecked: (checked: Checked) => void = () => {},
): Promise<Checked[]> {
  const results: Checked[] = []
  const waiting = uploads.entries()
  const work = async () => {
    for (const [index, upload] of waiting) {
      results[index] = await check(upload, patience)
      onChecked(results[index])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

async function check(upload: Upload, patience: number): Promise<Checked> {
  const silence = new AbortController()
  const wait = () => setTimeout(() => silence.abort(), patience * 1_000)
  let timer = wait()
  const onData = () => {
    clearTimeout(timer)
    timer = wait()
  }
  try {
    return { upload, ...(await download(upload, silence.signal, onData)) }
  } catch (error) {
    const problem: UploadProblem = silence.signal.aborted
      ? { code: 'silent', seconds: patience }
      : { code: 'unreachable', reason: reasonOf(error) }
    return { upload, ok: false, problem }
  } finally {
    clearTimeout(timer)
  }
}

async function download(
  { url, size: expected, sha512 }: Upload,
  signal: AbortSignal,
  onData: () => void,
): Promise<Result> {
  // The bytes as they are stored, which updaters hash.
  const response = await fetch(url, { signal, headers: { 'Accept-Encoding': 'identity' } })
  if (!response.ok) {
    await response.body?.cancel()
    return failed({ code: 'status', status: response.status })
  }
  if (sha512 === '' && isPage(response.headers)) {
    await response.body?.cancel()
    return failed({ code: 'page' })
  }
  const hash = createHash('sha512')
  let size = 0
  for await (const chunk of response.body ?? []) {
    onData()
    hash.update(chunk)
    size += chunk.length
    // Leaving the loop cancels the download.
    if (expected !== 0 && size > expected) return failed({ code: 'longer', expected })
  }
  if (size === 0) return failed({ code: 'empty' })
  if (expected !== 0 && size !== expected) return failed({ code: 'size', expected, found: size })
  const found = hash.digest('hex')
  if (sha512 !== '' && sha512InHex(sha512) !== found) return failed({ code: 'sha512' })
  return { ok: true, downloaded: { sha512: found, size } }
}

/** Hosts of repositories answer an address that is meant for people with a page, and status 200. */
function isPage(headers: Headers): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(headers.get('Content-Type') ?? '')
}

function failed(problem: UploadProblem): Result {
  return { ok: false, problem }
}

/** `fetch` says why in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return messageOf(cause)
}
