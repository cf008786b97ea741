import { gt, valid } from 'semver'
import { z } from 'zod'
import type { VersionState } from '../../shared/console/desktop/shell.ts'
import { readOptionalJsonFile, writeJsonFile } from '../settings/json-file.ts'

/** Milliseconds between requests, across restarts. */
const INTERVAL = 24 * 60 * 60_000
/** Milliseconds between checks whether a request is due. Timers do not run while a laptop sleeps. */
const LOOK = 10 * 60_000
const TIMEOUT = 10_000
/** Maximum bytes read of a response. */
const MAX_ANSWER = 256 * 1_024

const Remembered = z.strictObject({
  /** Unix time in milliseconds of the last request; 0 for none. */
  askedAt: z.number().default(0),
  /** The latest version that the server named; null if the installed one is the latest. */
  latest: z.string().nullable().default(null),
  failed: z.boolean().default(false),
})
type Remembered = z.output<typeof Remembered>

const Manifest = z.object({ version: z.string().max(256) })

export interface VersionCheckParts {
  /** Where the last request and its result are kept. */
  readonly file: string
  /** The installed version. */
  readonly version: string
  /** Base URL of the update server; null if the check is off. */
  readonly server: () => string | null
  /** Called once for each new version, when it is first found. */
  readonly onFound: (version: string) => void
  /** Called with the cause of a failed request. */
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock?: () => number
  readonly fetch: (address: string, options: RequestInit) => Promise<Response>
}

/**
 * Checks a Tidegate server once a day for a new version of this program, as any app does, but without
 * a device identifier. It only notifies: nothing is downloaded.
 */
export class VersionCheck {
  readonly #parts: VersionCheckParts
  readonly #clock: () => number
  readonly #stopped = new AbortController()
  #remembered: Remembered
  #timer: NodeJS.Timeout | undefined

  constructor(parts: VersionCheckParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? Date.now
    this.#remembered = readOptionalJsonFile(parts.file, Remembered)
  }

  /** What the console shows about new versions. */
  get state(): VersionState {
    if (this.#parts.server() === null) return { state: 'off' }
    const { askedAt, failed } = this.#remembered
    const checkedAt = new Date(askedAt).toISOString()
    const version = this.#later
    if (version !== null) return { state: 'available', version, checkedAt }
    if (askedAt === 0) return { state: 'unchecked' }
    return { state: failed ? 'failed' : 'current', checkedAt }
  }

  /** Sends a request now if one is due, and then whenever one is due, until `stop`. */
  start(): void {
    void this.askIfDue()
    this.#timer = setInterval(() => void this.askIfDue(), LOOK).unref()
  }

  /** Sends no further requests and cancels the one in progress. */
  stop(): void {
    clearInterval(this.#timer)
    this.#stopped.abort()
  }

  /** Sends a request unless the check is off or the last one was less than a day ago. Never rejects. */
  async askIfDue(): Promise<void> {
    const server = this.#parts.server()
    const { askedAt } = this.#remembered
    const now = this.#clock()
    // A last request in the future means that the clock was wrong.
    if (server === null || (askedAt <= now && now - askedAt < INTERVAL)) return
    const before = this.#later
    // Stored before the request, so that repeated starts send only one.
    try {
      this.#remember({ ...this.#remembered, askedAt: now })
      const latest = await this.#ask(server)
      this.#remember({ askedAt: now, latest, failed: false })
      if (this.#later !== null && this.#later !== before) this.#parts.onFound(this.#later)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      this.#remembered = { ...this.#remembered, failed: true }
      this.#parts.onFailure(error)
    }
  }

  /** Returns the latest version if it is later than the installed one, which may have been updated. */
  get #later(): string | null {
    const { latest } = this.#remembered
    return latest !== null && valid(latest) && gt(latest, this.#parts.version) ? latest : null
  }

  async #ask(server: string): Promise<string | null> {
    const path = [process.platform, process.arch, this.#parts.version].map(encodeURIComponent)
    const address = `${server.replace(/\/+$/, '')}/u/tidegate/stable/${path.join('/')}`
    const response = await this.#parts.fetch(address, {
      redirect: 'error',
      credentials: 'omit',
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(TIMEOUT)]),
    })
    if (response.status === 204) return null
    if (response.status !== 200) throw new Error(`${server} answered ${response.status}`)
    return Manifest.parse(JSON.parse(await readText(response))).version
  }

  #remember(remembered: Remembered): void {
    this.#remembered = remembered
    writeJsonFile(this.#parts.file, remembered)
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER) throw new Error(`the answer is longer than ${MAX_ANSWER} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
