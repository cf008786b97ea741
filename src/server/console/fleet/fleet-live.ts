import { setTimeout as rest } from 'node:timers/promises'
import { LIVE_BATCH, LiveBatch, type LiveCheckIn } from '../../../shared/console/fleet.ts'
import type { FleetEvent, LiveFeed } from '../../fleet/ingest/live-feed.ts'

/** Milliseconds between two batches: at most four a second. */
const PAUSE = 250

/**
 * Check-ins as they happen, in batches, until `signal` is aborted. `channelName` says the channel
 * of those that are wanted, undefined for the others. Holds the newest of one batch and a count,
 * however slowly it is read, and nothing once it has ended.
 */
export async function* liveBatches(
  feed: LiveFeed,
  channelName: (channelKey: number) => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveBatch, void> {
  // Shown when they are sent: of a busy fleet most are left out, on the thread that answers checks.
  let waiting: Waiting[] = []
  let leftOut = 0
  let wake = () => {}
  const end = feed.subscribe((event) => {
    const channel = channelName(event.channelKey)
    if (channel === undefined) return
    waiting.push({ event, channel })
    if (waiting.length > LIVE_BATCH) {
      waiting.shift()
      leftOut++
    }
    wake()
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    yield { checkIns: [], leftOut: 0 }
    while (signal?.aborted !== true) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const batch = LiveBatch.parse({ checkIns: waiting.reverse().map(showCheckIn), leftOut })
      waiting = []
      leftOut = 0
      yield batch
      await rest(PAUSE, undefined, { signal, ref: false }).catch(() => {})
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    end()
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
