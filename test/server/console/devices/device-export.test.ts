import { expect, test } from 'vitest'
import type { ExportPiece } from '../../../../src/shared/console/audit.ts'
import { item } from '../../../support/builders/devices.ts'
import { readCsv } from '../../../support/csv.ts'
import { type Caller, callerOf, failureOf, startConsole } from '../../../support/servers/console.ts'
import { report } from '../../../support/servers/fleet-calls.ts'
import type { TestServer } from '../../../support/servers/server.ts'

const MANY = 2_300

async function exported(
  console: Caller,
  filter: Omit<Parameters<Caller['devices']['export']>[0], 'app'> = {},
) {
  const pieces: ExportPiece[] = []
  for await (const piece of await console.devices.export({ app: 'editor', ...filter })) {
    pieces.push(piece)
  }
  const [header, ...rows] = readCsv(pieces.map(({ text }) => text).join(''))
  return { pieces, header, rows }
}

async function startWithMany(): Promise<{ server: TestServer; console: Caller }> {
  const started = await startConsole()
  const names = Array.from({ length: MANY }, (_, n) => `device-${String(n).padStart(5, '0')}`)
  for (let start = 0; start < MANY; start += 500) {
    const devices = names.slice(start, start + 500).map((name) => item(name))
    await report(started.server, devices)
  }
  return started
}

test('the file holds the devices of the filtered list, with what the list shows', async () => {
  const { server, console } = await startConsole()
  await report(server, [
    item('pc-1', { labels: { ring: 'early', site: 'Graz' } }),
    item('pc-2', { version: '1.1.0' }),
    item('mac'),
  ])
  const { header, rows, pieces } = await exported(console, { search: 'PC' })
  expect(header).toEqual([
    ...['deviceId', 'channel', 'version', 'platform', 'arch'],
    ...['firstSeen', 'lastSeen', 'labels'],
  ])
  const list = { app: 'editor', search: 'PC', sort: 'deviceId', order: 'asc' } as const
  const { devices } = await console.devices.list(list)
  expect(rows).toEqual(
    devices.map(({ labels, ...one }) => [
      ...[one.deviceId, one.channel, one.version, one.platform, one.arch],
      ...[one.firstSeen, one.lastSeen],
      Object.keys(labels).length === 0 ? '' : JSON.stringify(labels),
    ]),
  )
  expect(rows).toHaveLength(2)
  expect(pieces.at(-1)).toMatchObject({ done: 2, total: 2 })
})

test('many devices come in slices, each once, and stop when nobody wants them', async () => {
  const { server, console } = await startWithMany()
  const { rows, pieces } = await exported(console)
  const ids = rows.map(([deviceId]) => deviceId)
  expect(new Set(ids).size).toBe(MANY)
  expect(ids).toEqual(ids.toSorted())
  expect(pieces.map(({ done, total }) => [done, total])).toEqual([
    [1_000, MANY],
    [2_000, MANY],
    [MANY, MANY],
  ])
  const stop = new AbortController()
  const received: ExportPiece[] = []
  const export_ = await callerOf(server, stop.signal).devices.export({ app: 'editor' })
  for await (const piece of export_) {
    received.push(piece)
    stop.abort()
  }
  expect(received).toHaveLength(1)
})

test.each(['=1+1', '-1', '@SUM(A1)', '+1'])('an id such as %j is no formula', async (deviceId) => {
  const { server, console } = await startConsole()
  await report(server, [item(deviceId)])
  const { rows } = await exported(console)
  expect(rows[0]?.[0]).toBe(`'${deviceId}`)
})

test('the export of nothing is the header alone, and an unknown app is refused', async () => {
  const { console } = await startConsole()
  expect((await exported(console)).rows).toEqual([])
  const unknown = async () => {
    for await (const _ of await console.devices.export({ app: 'gone' }));
  }
  expect(await failureOf(unknown())).toMatchObject({ code: 'unknown' })
})
