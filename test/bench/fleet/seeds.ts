import { drive } from '../load/drive.ts'
import { showProgress } from '../output/progress.ts'
import type { Tidegate } from '../process/tidegate.ts'
import type { Workspace } from '../process/workspace.ts'
import { APP, type ChannelPlan, SEEDED } from './releases.ts'
import { fleetCalls, onceEach, post } from './requests.ts'

/** A data folder that is ready to be served, and a key for it. */
export interface Data {
  readonly folder: string
  readonly key: string
}

/** Data folders with a number of known devices: filled through the API once, then copied. */
export class Seeds {
  readonly #workspace: Workspace
  readonly #tidegate: Tidegate
  readonly #made = new Map<number, Promise<Data>>()

  constructor(workspace: Workspace, tidegate: Tidegate) {
    this.#workspace = workspace
    this.#tidegate = tidegate
  }

  /** Lends a copy of the folder with that many devices to `work`, and removes it afterwards. */
  async lend<T>(devices: number, work: (data: Data) => Promise<T>): Promise<T> {
    const made = this.#made.get(devices) ?? this.#make(devices)
    this.#made.set(devices, made)
    const { folder, key } = await made
    const copy = this.#workspace.copyOf(folder)
    try {
      return await work({ folder: copy, key })
    } finally {
      this.#workspace.remove(copy)
    }
  }

  async #make(devices: number): Promise<Data> {
    const folder = this.#workspace.folder(`seed-${devices}`)
    return { folder, key: await fill(this.#tidegate, folder, devices) }
  }
}

/**
 * Fills an empty data folder through the API, or the database that the options in `place` name. Returns a key for it.
 */
export async function fill(
  tidegate: Tidegate,
  folder: string,
  devices: number,
  place: readonly string[] = [],
): Promise<string> {
  const createApp = ['app', 'create', APP, ...place]
  // An older revision makes the folder without being told.
  await tidegate
    .command(folder, ...createApp, '--init')
    .catch(() => tidegate.command(folder, ...createApp))
  for (const { name } of SEEDED) await createChannel(tidegate, folder, name, place)
  const minted = await tidegate.command(folder, 'key', 'mint', 'bench', ...place)
  const key = minted.stdout.trim()
  const server = await tidegate.serve(folder, undefined, place)
  for (const channel of SEEDED) await publish(server.port, key, channel)
  const path = '/api/v1/fleet/report'
  const calls = fleetCalls({ path, body: { app: APP }, labels: true }, key, devices)
  const began = performance.now()
  await drive({ port: server.port, connections: 8, next: onceEach(calls), expect: 200 })
  const seconds = (performance.now() - began) / 1000
  const stopMs = await server.stop()
  showProgress(
    `seeded ${devices} devices in ${seconds.toFixed(1)} s, stopped in ${stopMs.toFixed(0)} ms`,
  )
  return key
}

/** Creates a channel from the command line. */
export async function createChannel(
  tidegate: Tidegate,
  folder: string,
  name: string,
  place: readonly string[] = [],
) {
  await tidegate.command(folder, 'channel', 'create', APP, name, ...place)
}

/** Publishes the releases of a channel over HTTP, eight at a time. */
export async function publish(port: number, key: string, channel: ChannelPlan): Promise<void> {
  const requests = channel.releases.map((release) => post('/api/v1/releases', key, release))
  await drive({ port, connections: 8, next: onceEach(requests), expect: 201 })
}
