import { setTimeout as rest } from 'node:timers/promises'
import { LIVE_BATCH, LiveBatch, type LiveCheckIn } from '../../../shared/console/fleet.ts'
import { pull } from '../../../shared/console/pull.ts'
import type { FleetEvent, LiveFeed } from '../../fleet/ingest/live-feed.ts'

/** Milliseconds between two batches: at most four a second. */
const PAUSE = 250

/**
 * Yields check-ins as they happen, in batches, until `signal` is aborted; the first batch, at once, is
 * empty. `channelName` returns the channel of a check-in that is wanted, undefined for the others. Holds
 * the latest check-ins of one batch and a count, however slowly it is read, and nothing once it has ended.
 */
export async function* liveBatches(
  feed: LiveFeed,
  channelName: (channelKey: number) => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveBatch, void> {
  // Shown when they are sent: of a busy fleet most are left out, on the thread that answers checks.
  let waiting: Waiting[] = []
  let leftOut = 0
  let isFirst = true
  const listen = (wake: () => void) =>
    feed.subscribe((event) => {
      const channel = channelName(event.channelKey)
      if (channel === undefined) return
      leftOut += event.leftOut ?? 0
      waiting.push({ event, channel })
      if (waiting.length > LIVE_BATCH) {
        waiting.shift()
        leftOut++
      }
      wake()
    })
  const take = () => {
    if (waiting.length === 0 && !isFirst) return []
    const batch = LiveBatch.parse({ checkIns: waiting.reverse().map(showCheckIn), leftOut })
    waiting = []
    leftOut = 0
    isFirst = false
    return [batch]
  }
  for await (const batch of pull(signal, listen, take)) {
    yield batch
    if (batch.checkIns.length > 0)
      await rest(PAUSE, undefined, { signal, ref: false }).catch(() => {})
  }
}

interface Waiting {
  readonly event: FleetEvent
  readonly channel: string
}

function showCheckIn({ event, channel }: Waiting): LiveCheckIn {
  const { sequence, deviceId, version, platform, arch, source, reason } = event
  const at = new Date(event.at).toISOString()
  return { sequence, at, channel, deviceId, version, platform, arch, source, reason }
}
