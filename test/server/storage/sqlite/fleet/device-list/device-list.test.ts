import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeviceSort } from '../../../../../../src/server/fleet/device-query.ts'
import {
  compareVersions,
  parseVersion,
} from '../../../../../../src/server/rules/decision/version.ts'
import {
  type Asked,
  firstSeenOf,
  type ListedDevice,
  makeListFile,
  PROFILES,
  pageThrough,
  queryOf,
} from '../../../../../support/builders/device-lists.ts'

const SORTS: readonly DeviceSort[] = ['lastSeen', 'firstSeen', 'deviceId', 'version']

const device: fc.Arbitrary<ListedDevice> = fc.record({
  deviceId: fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', '=', '~', '%', '_'),
    minLength: 1,
    maxLength: 5,
  }),
  profile: fc.nat(PROFILES.length - 1),
  lastSeen: fc.integer({ min: 1, max: 6 }),
  labels: fc.dictionary(fc.constantFrom('a', 'ring'), fc.constantFrom('b', '"x\\', 'b=')),
  unknownSet: fc.boolean(),
  gone: fc.boolean(),
})

const fleet = fc.uniqueArray(device, { selector: ({ deviceId }) => deviceId, maxLength: 60 })

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values)

const asked: fc.Arbitrary<Asked> = fc
  .record({
    channel: maybe('stable', 'beta'),
    version: maybe('1.9.0', '1.10.0', '7.0.0'),
    platform: maybe('darwin', 'windows'),
    seenSince: fc.integer({ min: 0, max: 5 }),
    prefix: maybe('a', 'B', 'aB', '~', 'a=b', '%', '_a'),
    label: maybe({ key: 'a', value: 'b' }, { key: 'ring', value: undefined }),
    sort: fc.constantFrom(...SORTS),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 9 }),
  })
  // A label is searched for by a text, which could be the beginning of an id as well.
  .map((all) => ({ ...all, label: all.prefix === undefined ? undefined : all.label }))

const MAC = ['darwin', 'macos']

/** The same list, by filtering and sorting all devices: their numbers. */
function modelOf(devices: readonly ListedDevice[], wanted: Asked): number[] {
  const profileOf = ({ profile }: ListedDevice) => PROFILES[profile] ?? PROFILES[0]
  const isListed = (one: ListedDevice) => {
    const { channel, version, platform } = profileOf(one)
    const { label, prefix } = wanted
    const platforms = wanted.platform === 'darwin' ? MAC : [wanted.platform]
    const hasLabel =
      label !== undefined &&
      Object.hasOwn(one.labels, label.key) &&
      (label.value === undefined || one.labels[label.key] === label.value)
    return (
      !one.gone &&
      channel !== 'other' &&
      (wanted.channel === undefined || wanted.channel === channel) &&
      (wanted.version === undefined || wanted.version === version) &&
      (wanted.platform === undefined || platforms.includes(platform)) &&
      one.lastSeen >= wanted.seenSince &&
      (prefix === undefined ||
        one.deviceId.toLowerCase().startsWith(prefix.toLowerCase()) ||
        hasLabel)
    )
  }
  const numbered = devices.map((one, at) => ({ one, number: at + 1 }))
  type Numbered = (typeof numbered)[number]
  const versionOf = ({ one }: Numbered) => parseVersion(profileOf(one).version)
  const compare: Record<DeviceSort, (a: Numbered, b: Numbered) => number> = {
    lastSeen: (a, b) => a.one.lastSeen - b.one.lastSeen,
    firstSeen: (a, b) => firstSeenOf(a.number) - firstSeenOf(b.number),
    deviceId: (a, b) => (a.one.deviceId < b.one.deviceId ? -1 : 1),
    version: (a, b) => compareVersions(versionOf(a), versionOf(b)),
  }
  const listed = numbered.filter(({ one }) => isListed(one))
  listed.sort((a, b) => compare[wanted.sort](a, b) || a.number - b.number)
  if (wanted.descending) listed.reverse()
  return listed.map(({ number }) => number)
}

test('paging on gives every matching device once and in order, paging back the same pages', async () => {
  const file = await makeListFile()
  fc.assert(
    fc.property(fleet, asked, fc.constantFrom(0, 3, 4_000), (devices, wanted, few) => {
      const filled = file.fill(devices, few)
      const query = queryOf(file, filled, wanted)
      const model = modelOf(devices, wanted)
      const { forward, backward } = pageThrough(filled.list, query)
      const numbers = forward.map((rows) => rows.map((row) => row.device))
      expect(numbers.flat()).toEqual(model)
      expect(numbers.slice(0, -1).every((page) => page.length === wanted.limit)).toBe(true)
      // From a last page that is not full, the pages before it are those that came before it.
      expect(backward.reverse()).toEqual(forward)
      expect(filled.list.page(query).total).toBe(model.length)
    }),
    { numRuns: 300 },
  )
})

test('a page includes the number of matching devices and of those before it', async () => {
  const file = await makeListFile()
  const devices = Array.from({ length: 25 }, (_, at) => someDevice(at))
  const filled = file.fill(devices, 4_000)
  for (const sort of SORTS) {
    const query = queryOf(file, filled, { seenSince: 0, sort, descending: true, limit: 10 })
    const first = filled.list.page(query)
    expect(first).toMatchObject({ total: 25, known: 25, offset: 0, previous: undefined })
    const second = filled.list.page({ ...query, cursor: first.next })
    expect(second).toMatchObject({ total: 25, offset: 10 })
    const back = filled.list.page({ ...query, cursor: second.previous, backward: true })
    expect(back.rows).toEqual(first.rows)
    expect(back.offset).toBe(0)
  }
})

test('a cursor that leaves no full page before it, or nothing behind it, gives the first page', async () => {
  const file = await makeListFile()
  const filled = file.fill(
    Array.from({ length: 12 }, (_, at) => someDevice(at)),
    4_000,
  )
  for (const sort of SORTS) {
    const query = queryOf(file, filled, { seenSince: 0, sort, descending: false, limit: 5 })
    const first = filled.list.page(query)
    const [, , third] = first.rows
    const key = { lastSeen: 1, firstSeen: 3, deviceId: third?.deviceId ?? '', version: '1.9.0' }[
      sort
    ]
    const cursor = { key, device: 3 }
    expect(filled.list.page({ ...query, cursor, backward: true })).toEqual(first)
    const last = {
      key: sort === 'deviceId' ? '~~' : sort === 'version' ? '9.0.0' : 100_000,
      device: 100_000,
    }
    expect(filled.list.page({ ...query, cursor: last })).toEqual(first)
  }
})

test('devices are listed once they are committed', async () => {
  const file = await makeListFile()
  const filled = file.fill([someDevice(0)], 4_000)
  filled.table.load(2, 1, 5)
  filled.table.load(1, 77, 5)
  const query = queryOf(file, filled, {
    seenSince: 0,
    sort: 'lastSeen',
    descending: true,
    limit: 5,
  })
  expect(filled.list.page(query)).toMatchObject({ rows: [], total: 0, known: 0 })
  filled.table.load(1, 1, 6)
  expect(filled.list.page(query).rows).toMatchObject([{ device: 1, lastSeen: 6 }])
})

test('twenty thousand devices, by every order and filter, in pages of fifty', async () => {
  const file = await makeListFile()
  const devices = Array.from({ length: 20_000 }, (_, at) => someDevice(at))
  const filled = file.fill(devices, 100)
  for (const sort of SORTS) {
    for (const narrowed of [
      {},
      { version: '1.10.0-rc.1' },
      // One in a hundred: the walk through the ids goes on for slices.
      { seenSince: 968 },
      { prefix: 'device-1' },
      { prefix: 'ring=early', label: { key: 'ring', value: 'early' } },
    ]) {
      const wanted: Asked = { seenSince: 0, sort, descending: true, limit: 50, ...narrowed }
      const model = modelOf(devices, wanted)
      const query = queryOf(file, filled, wanted)
      const first = filled.list.page(query)
      const second = filled.list.page({ ...query, cursor: first.next })
      const found = [...first.rows, ...second.rows].map((row) => row.device)
      expect(found, `${sort} ${JSON.stringify(narrowed)}`).toEqual(model.slice(0, 100))
      expect(second.total).toBe(model.length)
      expect(second.rows[0]?.labels).toEqual(devices[(found[50] ?? 0) - 1]?.labels)
    }
  }
})

test("the choices are the facts of the app's devices, most common first", async () => {
  const file = await makeListFile()
  const on = (profile: number, at: number) => ({ ...someDevice(at), profile })
  const filled = file.fill([on(0, 0), on(2, 1), on(2, 2), on(4, 3)], 4_000)
  const query = queryOf(file, filled, {
    ...{ seenSince: 0, sort: 'lastSeen', descending: true, limit: 5 },
    version: '1.9.0',
  })
  expect(filled.list.page(query)).toMatchObject({
    total: 1,
    known: 3,
    versions: ['1.10.0-rc.1', '1.9.0'],
    platforms: ['linux', 'darwin'],
    arches: ['x86_64', 'aarch64'],
  })
})

function someDevice(at: number): ListedDevice {
  return {
    deviceId: `device-${(at * 7919) % 20_011}`,
    profile: at % 4,
    lastSeen: 1 + ((at * 31) % 977),
    labels: at % 10 === 0 ? { ring: at % 20 === 0 ? 'early' : 'late' } : {},
    unknownSet: at % 30 === 0,
    gone: false,
  }
}
