import type { z } from 'zod'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { forPrincipal } from '../../../src/server/console/context.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import { consoleRouter } from '../../../src/server/console/router.ts'
import { createServer } from '../../../src/server/server.ts'
import type { DeviceListInput } from '../../../src/shared/console/devices.ts'
import { ARCH, deviceId, LABEL, PLATFORM } from '../fleet/device.ts'
import { APP } from '../fleet/releases.ts'
import type { Data } from '../fleet/seeds.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { AIMS } from './aims.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from './figures.ts'
import type { Bench } from './scenario.ts'

type Asked = Omit<z.input<typeof DeviceListInput>, 'app'>

/** Devices that get a unique label. */
const FEW = 40

/** The console's list of devices with the queries of the screen, including the way to the reader thread. */
export async function devices({ seeds, scale }: Bench): Promise<Table> {
  const { manyDevices, rounds } = scale
  const figures = await seeds.lend(manyDevices, (data) => withServer(data, rounds, manyDevices))
  return {
    title: `Device table: ${manyDevices} devices, pages of 50`,
    columns: FIGURE_COLUMNS,
    rows: figures.map(figureRow),
    notes: ['One at a time; the first of each is not counted, but where it says so.'],
    details: figures,
  }
}

async function withServer({ folder, key }: Data, rounds: number, count: number): Promise<Figure[]> {
  const limits = { device: 0, key: 0, rejectedKey: 0 }
  const server = await createServer({ dataFolder: folder, port: 0, limits }).start()
  try {
    await labelFew(server, key, count)
    const list = consoleRouter.createCaller(forPrincipal(server.consoleContext, desktopPrincipal()))
      .devices.list
    const half = deviceId(count >>> 1)
    const { fleet } = server.consoleContext
    const middle = (await fleet.device(appKey(server), half))?.lastSeen ?? 0
    const cases: readonly (readonly [what: string, asked: Asked])[] = [
      ['last seen, first page', {}],
      ['last seen, deep page', { cursor: `${count >>> 1}.${middle}` }],
      ['first seen, deep page', { sort: 'firstSeen', cursor: `${count >>> 1}.${count >>> 1}` }],
      ['version, first page', { sort: 'version' }],
      ['version, deep page', { sort: 'version', cursor: `${count >>> 1}.1.5.0` }],
      ['device id, first page', { sort: 'deviceId', order: 'asc' }],
      ['device id, deep page', { sort: 'deviceId', order: 'asc', cursor: `1.${half}` }],
      ['device id, backwards', { sort: 'deviceId', cursor: `1.${half}`, direction: 'previous' }],
      ['one version, by device id', { version: '1.3.0', sort: 'deviceId' }],
      ['rare label, by last seen', { search: 'bench=rare' }],
      ['rare label, by device id', { search: 'bench=rare', sort: 'deviceId' }],
      ['common label, by last seen', { search: `${LABEL.key}=${LABEL.value}` }],
      ['beginning of an id, three letters', { search: half.slice(0, 3) }],
      ['beginning of an id, one letter', { search: half.slice(0, 1) }],
    ]
    const figures: Figure[] = []
    for (const [what, asked] of cases) {
      showProgress(`devices: ${what}`)
      const values: number[] = []
      for (let round = 0; round <= rounds * 4; round++) {
        const began = performance.now()
        await list({ app: APP, ...asked })
        values.push(performance.now() - began)
      }
      const [first = 0, ...rest] = values
      figures.push({ what, unit: 'ms', values: rest, aim: AIMS.deviceListMs })
      if (asked.search === undefined) continue
      figures.push({ what: `${what}, the first time`, unit: 'ms', values: [first] })
    }
    return figures
  } finally {
    await server.stop()
  }
}

async function labelFew({ address }: RunningServer, key: string, count: number): Promise<void> {
  const devices = Array.from({ length: FEW }, (_, at) => ({
    deviceId: deviceId(Math.floor((count / FEW) * at)),
    version: '1.3.0',
    platform: PLATFORM,
    arch: ARCH,
    labels: { bench: 'rare' },
  }))
  const reply = await fetch(`${address}/api/v1/fleet/report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ app: APP, devices }),
  })
  if (!reply.ok) throw new Error(`the report answered ${reply.status}`)
}

function appKey({ consoleContext }: RunningServer): number {
  return consoleContext.catalog.snapshot.appByName.get(APP)?.record.key ?? 0
}
