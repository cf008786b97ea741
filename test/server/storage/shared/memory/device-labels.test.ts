import { expect, test } from 'vitest'
import { LiveFeed } from '../../../../../src/server/fleet/ingest/live-feed.ts'
import { ClosedChannels } from '../../../../../src/server/storage/shared/ingest/closed-channels.ts'
import { PendingBatch } from '../../../../../src/server/storage/shared/ingest/pending-batch.ts'
import { DeviceLabels } from '../../../../../src/server/storage/shared/memory/device-labels.ts'
import { FleetMemory } from '../../../../../src/server/storage/shared/memory/fleet-memory.ts'
import { MAX_LABELS } from '../../../../../src/shared/devices/counting.ts'

test('labels that come and go without a key while nothing can be stored do not pile up', () => {
  const memory = new FleetMemory(10)
  const state = {
    batch: 0,
    lastCheckIn: 0,
    rowsThrough: 0,
    lost: 0,
    lastDevice: 0,
    lastProfile: 0,
    lastRelease: 0,
  }
  const pending = new PendingBatch(
    memory,
    new ClosedChannels(memory),
    new LiveFeed(() => {}),
    state,
  )
  const labels = new DeviceLabels(memory, pending, { labels: async () => [] }, 4_096)
  const device = memory.add(1, 'one', 1, Date.now())
  let taken = true
  for (let round = 0; round < 1_000; round++) {
    const key = `key-${round}`
    taken = labels.change(device, { set: { [key]: 'x' }, remove: [] }, false)
    labels.change(device, { set: {}, remove: [key] }, false)
  }
  const waiting = pending.labelsOf(device)?.change
  const size = Object.keys(waiting?.set ?? {}).length + (waiting?.remove.length ?? 0)
  expect(size).toBeLessThanOrEqual(4 * MAX_LABELS)
  expect(taken).toBe(false)
  expect(labels.change(device, { set: { ring: 'beta' }, remove: [] }, true)).toBe(true)
})
