import { expect, test } from 'vitest'
import { DeviceLabels } from '../../../../../src/server/storage/shared/memory/device-labels.ts'
import { MAX_LABELS } from '../../../../../src/shared/devices/counting.ts'
import { emptyBatch } from '../ingest/memory-store.ts'

test('labels that come and go without a key while nothing can be stored do not pile up', () => {
  const { memory, pending } = emptyBatch()
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
