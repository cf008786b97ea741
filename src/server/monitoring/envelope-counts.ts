/**
 * What envelopes of Sentry contain: sessions that were counted, and those that were not, and the items that are ignored.
 * Any other name is `other`.
 */
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
