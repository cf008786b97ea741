import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { item } from '../../../support/builders/devices.ts'
import { canMount, NO_SMALL_DISK, smallDisk } from '../../../support/builders/small-disk.ts'
import { storedCounters } from '../../../support/check-in-log/counters.ts'
import { eventually } from '../../../support/eventually.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { publish } from '../../../support/servers/calls.ts'
import { connectTo, countRows } from '../../../support/servers/database.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { checkAs, offeredTo, report } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { storedColumn, storedLabels } from '../../../support/servers/stored.ts'

const MIB = 1_024 * 1_024
const TABLES = ['devices', 'profiles', 'check_ins', 'profile_changes', 'presence']

/** A server that believes the disk to have as much free space as `disk.freeBytes`. */
async function startOnDisk(minFreeDiskMiB: number) {
  const disk = { bytes: 1_000 * MIB, fails: false }
  const freeBytes = async () => {
    if (disk.fails) throw new Error('no such file system')
    return disk.bytes
  }
  const config = { budgets: { minFreeDiskMiB } }
  const server = await startWithApp(config, undefined, { disk: { freeBytes, interval: 5 } })
  const become = (bytes: number) => {
    disk.bytes = bytes
    const addsRows = bytes >= minFreeDiskMiB * MIB
    return eventually(() => expect(server.fleet.admission.addsRows).toBe(addsRows))
  }
  return { server, disk, become }
}

test.skipIf(isOnPostgres)(
  'on a disk that is nearly full, checks are answered and add no rows; calls with a key go on',
  async () => {
    const { server, become } = await startOnDisk(100)
    await publish(server, '2.0.0')
    await checkAs(server, '1.0.0', { device: 'known' })
    await checkAs(server, '1.1.0', { device: 'other' })
    await server.fleet.settled()
    const database = connectTo(server)
    const rows = () => TABLES.map((table) => countRows(database, table))
    const before = rows()

    await become(100 * MIB - 1)
    for (const device of ['known', 'new', null]) {
      for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
        expect(await offeredTo(server, version, { device, query: '?l.ring=beta' })).toBe('2.0.0')
      }
    }
    await server.fleet.settled()
    // A device that moves to a version that is known takes its cell along.
    expect(rows()).toEqual(before.map((count, at) => (TABLES[at] === 'presence' ? 1 : count)))
    expect(Object.values(storedCounters(database).presence)).toEqual([2])
    const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    expect((await profileOf(server.fleet, app, 'known'))?.version).toBe('1.1.0')
    expect(await server.fleet.labelsOf(app, ['known'])).toEqual([{}])
    const traffic = 'SELECT sum(check_ins), sum(anonymous), sum(offers) FROM traffic'
    expect(database.prepare(traffic).raw().get()).toEqual([11, 6, 11])
    const { body } = await server.call('GET', '/healthz', { key: null })
    expect(body.budgets).toMatchObject([{ name: 'disk_space', count: 9 }])

    await report(server, [item('keyed', { version: '3.0.0', labels: { ring: 'beta' } })])
    expect(countRows(database, 'devices')).toBe(3)

    await become(100 * MIB)
    await checkAs(server, '1.2.0', { device: 'new', query: '?l.ring=beta' })
    await server.fleet.settled()
    expect(countRows(database, 'devices')).toBe(4)
    expect(await server.fleet.labelsOf(app, ['new'])).toEqual([{ ring: 'beta' }])
  },
)

test.skipIf(isOnPostgres)('free space that cannot be read counts as enough', async () => {
  const { server, disk, become } = await startOnDisk(100)
  await become(0)
  disk.fails = true
  await eventually(() => expect(server.fleet.admission.addsRows).toBe(true))
  await checkAs(server, '1.0.0', { device: 'one' })
  await server.fleet.settled()
  expect(countRows(connectTo(server), 'devices')).toBe(1)
})

test.skipIf(isOnPostgres)('the real disk is looked at before the first check', async () => {
  // More than any disk has free.
  const server = await startWithApp({ budgets: { minFreeDiskMiB: 2 ** 40 } })
  expect(server.fleet.admission.addsRows).toBe(false)
  const off = await startWithApp({ budgets: { minFreeDiskMiB: 0 } })
  expect(off.fleet.admission.addsRows).toBe(true)
})

test.skipIf(!isOnPostgres)(
  'the disk of a data folder limits nothing that is stored elsewhere',
  async () => {
    const disk = { freeBytes: async () => 0, interval: 5 }
    const server = await startWithApp({ budgets: { minFreeDiskMiB: 100 } }, undefined, { disk })
    await checkAs(server, '1.0.0', { device: 'one', query: '?l.ring=beta' })
    await server.fleet.settled()
    expect(server.fleet.admission.addsRows).toBe(true)
    expect(await storedColumn(server, 'SELECT device_id FROM devices')).toEqual(['one'])
    expect(await storedLabels(server)).toEqual([{ ring: 'beta' }])
    const { body } = await server.call('GET', '/healthz', { key: null })
    expect(body.budgets).toEqual([])
  },
)

test.skipIf(isOnPostgres)(
  'a disk that fills up and is freed again is noticed while the server runs',
  async ({ skip }) => {
    skip(!canMount, NO_SMALL_DISK)
    const disk = smallDisk(48 * 1_024)
    const config = { dataFolder: disk, budgets: { minFreeDiskMiB: 16 } }
    const server = await startWithApp(config, undefined, { disk: { interval: 5 } })
    const { admission } = server.fleet
    expect(admission.addsRows).toBe(true)
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(36 * MIB))
    await eventually(() => expect(admission.addsRows).toBe(false))
    await checkAs(server, '1.0.0', { device: 'one' })
    await report(server, [item('keyed')])
    const names = () => connectTo(server).prepare('SELECT device_id FROM devices').pluck().all()
    expect(names()).toEqual(['keyed'])
    rmSync(filler)
    await eventually(() => expect(admission.addsRows).toBe(true))
    await checkAs(server, '1.0.0', { device: 'one' })
    await server.fleet.settled()
    expect(names()).toEqual(['keyed', 'one'])
    await server.stop()
  },
)
