import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeviceIndex } from '../../../../../src/server/storage/shared/memory/device-index.ts'

const step = fc.record({
  app: fc.integer({ min: 1, max: 3 }),
  id: fc.oneof(
    fc.string({ minLength: 1, maxLength: 128 }),
    // Few, so that the same device often comes again.
    fc.nat({ max: 30 }).map((number) => `device-${number}`),
  ),
})

test('equals a Map of the same devices', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const index = new DeviceIndex()
      const model = new Map<string, number>()
      for (const { app, id } of steps) {
        const name = `${app} ${id}`
        const known = model.get(name) ?? 0
        expect(index.find(app, id)).toBe(known)
        if (known !== 0) continue
        model.set(name, model.size + 1)
        index.add(app, id, model.size)
        expect(index.find(app, id)).toBe(model.size)
      }
    }),
  )
})

test('finds every remaining device while others are removed', async () => {
  const index = new DeviceIndex()
  const count = 20_000
  const nameOf = (device: number) => [1 + (device % 3), `device-${device}`] as const
  for (let device = 1; device <= count; device++) index.add(...nameOf(device), device)
  // Shards are two thirds full: many slots were moved past others.
  for (let device = 2; device <= count; device += 2) index.remove(...nameOf(device))
  index.remove(1, 'never came')
  const left = (gone: (device: number) => boolean) =>
    Array.from({ length: count }, (_, at) => (gone(at + 1) ? 0 : at + 1))
  const found = () => Array.from({ length: count }, (_, at) => index.find(...nameOf(at + 1)))
  expect(found()).toEqual(left((device) => device % 2 === 0))
  await index.forget((device) => device % 3 === 0)
  expect(found()).toEqual(left((device) => device % 2 === 0 || device % 3 === 0))
  for (let device = 2; device <= count; device += 2) index.add(...nameOf(device), device)
  expect(found()).toEqual(left((device) => device % 2 === 1 && device % 3 === 0))
})

test('finds every device of three apps while it grows', () => {
  const index = new DeviceIndex()
  const count = 30_000
  const nameOf = (device: number) => [(device % 3) + 1, `device-${device - (device % 3)}`] as const
  for (let device = 1; device <= count; device++) {
    const [app, id] = nameOf(device)
    if (index.find(app, id) !== 0) throw new Error(`found ${id} of ${app} before it was added`)
    index.add(app, id, device)
    // One of those before, which growing may have moved.
    const earlier = 1 + ((device * 7_919) % device)
    if (index.find(...nameOf(earlier)) !== earlier) throw new Error(`lost device ${earlier}`)
  }
  const found = Array.from({ length: count }, (_, at) => index.find(...nameOf(at + 1)))
  expect(found).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  expect(index.find(4, 'device-3')).toBe(0)
  expect(index.find(1, `device-${count + 3}`)).toBe(0)
})

test.for([0, 100, 5_000])('finds devices that were appended to room for %i', (room) => {
  const index = new DeviceIndex()
  const count = 5_000
  index.reserve(room)
  for (let device = 1; device <= count; device++) index.append(1, `device-${device}`, device)
  index.arrange()
  for (let device = count + 1; device <= 2 * count; device++) {
    expect(index.find(1, `device-${device}`)).toBe(0)
    index.add(1, `device-${device}`, device)
  }
  const found = Array.from({ length: 2 * count }, (_, at) => index.find(1, `device-${at + 1}`))
  expect(found).toEqual(Array.from({ length: 2 * count }, (_, at) => at + 1))
})

test('holds the highest number that fits', () => {
  const index = new DeviceIndex()
  index.add(2 ** 31 - 1, 'last', 2 ** 31 - 1)
  expect(index.find(2 ** 31 - 1, 'last')).toBe(2 ** 31 - 1)
})
