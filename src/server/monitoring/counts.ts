/** What update checks end with, in the order of the counters. */
const CHECK_OUTCOMES = [
  'update',
  'no_update',
  'invalid',
  'not_found',
  'rate_limited',
  'unavailable',
  'failed',
] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** Upper bounds of the durations, in seconds. */
export const DURATION_BOUNDS = [
  0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
  0.25, 1,
] as const

/** The counted checks of an app; `appKey` is 0 if its app is not known, or was not asked for. */
export interface CheckCount {
  readonly appKey: number
  readonly outcome: CheckOutcome
  readonly count: number
}

const OUTCOMES = CHECK_OUTCOMES.length
const MILLISECOND_BOUNDS = Float64Array.from(DURATION_BOUNDS, (seconds) => seconds * 1_000)

/** Counts update checks in plain numbers, because every check pays for it. Grows with the catalog, never with what callers send. */
export class CheckCounts {
  /** By app and outcome. */
  #counts = new Float64Array(OUTCOMES)
  /** By the first bound that is not exceeded; the last is for those beyond all of them. */
  readonly #durations = new Float64Array(DURATION_BOUNDS.length + 1)
  #milliseconds = 0

  /** Counts a check. `appKey`: of an app in the catalog, or 0. `status`: of the response. */
  add(appKey: number, status: number, milliseconds: number): void {
    const at = appKey * OUTCOMES + outcomeOf(status)
    if (at >= this.#counts.length) this.#grow(appKey)
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    let bound = 0
    while (milliseconds > (MILLISECOND_BOUNDS[bound] ?? Number.POSITIVE_INFINITY)) bound++
    this.#durations[bound] = (this.#durations[bound] ?? 0) + 1
    this.#milliseconds += milliseconds
  }

  /** All counts of an app, also those that are 0. */
  of(appKey: number): CheckCount[] {
    return CHECK_OUTCOMES.map((outcome, index) => {
      return { appKey, outcome, count: this.#counts[appKey * OUTCOMES + index] ?? 0 }
    })
  }

  /** How many checks took at most as long as each of `DURATION_BOUNDS`, how many there were, and their sum. */
  get durations(): { atMost: readonly number[]; count: number; seconds: number } {
    let count = 0
    const cumulative = Array.from(this.#durations, (checks) => (count += checks))
    return { atMost: cumulative.slice(0, -1), count, seconds: this.#milliseconds / 1_000 }
  }

  #grow(appKey: number): void {
    const grown = new Float64Array((appKey + 1) * 2 * OUTCOMES)
    grown.set(this.#counts)
    this.#counts = grown
  }
}

/** The index in `CHECK_OUTCOMES`. */
function outcomeOf(status: number): number {
  switch (status) {
    case 204:
      return 1
    case 200:
      return 0
    case 404:
      return 3
    case 429:
      return 4
    case 503:
      return 5
    default:
      return status < 500 ? 2 : 6
  }
}

/** What downloads send: a file, parts of one, a delta package of Squirrel and Velopack, a patch, or a block map. */
export const DOWNLOAD_KINDS = ['file', 'part', 'delta', 'patch', 'block_map'] as const
export type DownloadKind = (typeof DOWNLOAD_KINDS)[number]

interface Counted {
  downloads: number
  bytes: number
}

/** Counts the downloads that this server sends itself, by kind: whatever is stored, there are as many numbers. */
export class DownloadCounts {
  readonly #kinds = new Map<DownloadKind, Counted>(
    DOWNLOAD_KINDS.map((kind) => [kind, { downloads: 0, bytes: 0 }]),
  )
  #savedBytes = 0

  /** Bytes that answers with several parts and patches left out of their files. */
  get savedBytes(): number {
    return this.#savedBytes
  }

  of(kind: DownloadKind): Readonly<Counted> {
    return this.#counted(kind)
  }

  /** Counts bytes that were passed to a client, also one that left before the end. */
  addBytes(kind: DownloadKind, bytes: number): void {
    this.#counted(kind).bytes += bytes
  }

  /** Counts a download that was sent to its end. `saved`: bytes that it left out. */
  addCompleted(kind: DownloadKind, saved: number): void {
    this.#counted(kind).downloads += 1
    this.#savedBytes += saved
  }

  #counted(kind: DownloadKind): Counted {
    const counted = this.#kinds.get(kind)
    if (counted === undefined) throw new RangeError(`${kind} is not a kind of download`)
    return counted
  }
}

/** What envelopes of Sentry contain: counted sessions, sessions that were not, and ignored items. Any other name is `other`. */
export const ENVELOPE_ITEMS = [
  'session',
  'session_unknown_release',
  'session_over_limit',
  ...['event', 'transaction', 'attachment', 'client_report', 'user_report', 'feedback', 'log'],
  ...['profile', 'profile_chunk', 'replay_event', 'replay_recording', 'replay_video'],
  ...['check_in', 'span', 'statsd', 'metric_buckets', 'trace_metric', 'other'],
] as const
type EnvelopeItem = (typeof ENVELOPE_ITEMS)[number]

/** Counts what envelopes contain. Grows with nothing that callers send. */
export class EnvelopeCounts {
  readonly #counts = new Map<EnvelopeItem, number>()

  of(item: EnvelopeItem): number {
    return this.#counts.get(item) ?? 0
  }

  add(name: string, count = 1): void {
    const item = ENVELOPE_ITEMS.find((known) => known === name) ?? 'other'
    this.#counts.set(item, this.of(item) + count)
  }
}
