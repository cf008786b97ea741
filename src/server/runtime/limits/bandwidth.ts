interface Options {
  /** Bytes per second of everybody together; 0 for no limit. */
  readonly total: number
  /** Bytes per second of one client; 0 for no limit. */
  readonly perClient: number
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number
}

/** When the bytes that were granted so far will have been sent, in milliseconds of the clock. */
interface Line {
  freeAt: number
}

interface Client extends Line {
  downloads: number
}

/** Shares out bandwidth: each piece is granted for when those before it have been sent. What nobody used is not saved up. */
export class Bandwidth {
  readonly #options: Options
  readonly #clock: () => number
  readonly #everybody: Line = { freeAt: 0 }
  readonly #clients = new Map<string, Client>()

  constructor(options: Options) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Whether there is a limit. */
  get isLimited(): boolean {
    return this.#options.total > 0 || this.#options.perClient > 0
  }

  /** Begins a download of a client. `wait`: milliseconds to wait before that many bytes are sent. */
  begin(client: string): { wait(bytes: number): number; end(): void } {
    const line = this.#clients.get(client) ?? { freeAt: 0, downloads: 0 }
    line.downloads += 1
    this.#clients.set(client, line)
    const { total, perClient } = this.#options
    return {
      wait: (bytes) => {
        const now = this.#clock()
        const own = grant(line, bytes, perClient, now)
        return Math.max(own, grant(this.#everybody, bytes, total, now)) - now
      },
      end: () => {
        line.downloads -= 1
        if (line.downloads === 0) this.#clients.delete(client)
      },
    }
  }
}

/** Returns when the bytes may be sent. */
function grant(line: Line, bytes: number, bytesPerSecond: number, now: number): number {
  if (bytesPerSecond === 0) return now
  const from = Math.max(now, line.freeAt)
  line.freeAt = from + (bytes / bytesPerSecond) * 1_000
  return from
}
