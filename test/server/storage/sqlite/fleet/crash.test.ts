import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Catalog } from '../../../../../src/server/catalog/catalog.ts'
import { mintKey } from '../../../../../src/server/catalog/keys.ts'
import { isOfDevices } from '../../../../../src/server/fleet/health/cells.ts'
import { folderHolder } from '../../../../../src/server/storage/data-folder/lock.ts'
import { dataFile } from '../../../../../src/server/storage/sqlite/database.ts'
import { createSqliteCatalogStore } from '../../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { openFleetDatabase } from '../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { ACTOR } from '../../../../support/builders/actor.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { artifact } from '../../../../support/builders/releases.ts'
import { recountedCounters, storedCounters } from '../../../../support/check-in-log/counters.ts'
import { recountedHistory, storedHistory } from '../../../../support/check-in-log/history.ts'
import {
  recountedDeviceCells,
  storedReleaseCells,
} from '../../../../support/check-in-log/release-cells.ts'
import { connect } from '../../../../support/servers/database.ts'
import { request } from '../../../../support/servers/server.ts'
import { scriptFile } from '../../../../support/workers/script-file.ts'

const UNLIMITED = ['--device-limit', '0', '--key-limit', '0', '--log-level', 'error']

interface Folder {
  readonly folder: string
  readonly app: number
  readonly key: string
}

/** A data folder with the app `editor` and a key. */
async function makeFolder(): Promise<Folder> {
  const { file, folder, editor } = await makeFleetFile()
  const store = createSqliteCatalogStore(file)
  const { secret } = await mintKey(await Catalog.open(store), ACTOR, { name: 'crash' })
  store.close()
  return { folder, app: editor, key: secret }
}

/** A server in a process of its own, as the command line starts it. */
class ServerProcess {
  readonly #folder: string
  readonly #child
  readonly #lines
  readonly #ended
  readonly key: string
  address = ''

  constructor({ folder, key }: Folder) {
    const args = [scriptFile('cli'), 'serve', '--data', folder, '--port', '0', ...UNLIMITED]
    this.#folder = folder
    this.key = key
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#ended = once(this.#child, 'close')
    onTestFinished(() => this.kill())
  }

  /** Waits until it has claimed the data folder, and opens it. */
  async opening(): Promise<void> {
    const { pid } = this.#child
    const isOpening = () => expect(folderHolder(this.#folder)?.pid).toBe(pid)
    // Often: the moment passes.
    await vi.waitFor(isOpening, { timeout: 60_000, interval: 2 })
  }

  async listening(): Promise<void> {
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error('the server ended before it listened')
    this.address = /http:\S+$/.exec(value)?.[0] ?? ''
  }

  /** Ends it at once, with no chance to write anything. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Pauses it and, if `condition` holds for what it has written, kills it. Returns whether it did. */
  killIf(condition: () => boolean): boolean {
    this.#child.kill('SIGSTOP')
    const isMet = condition()
    this.#child.kill(isMet ? 'SIGKILL' : 'SIGCONT')
    return isMet
  }
}

async function startProcess(folder: Folder): Promise<ServerProcess> {
  const server = new ServerProcess(folder)
  await server.listening()
  return server
}

/** What the clients of the servers were told, and what they had sent. */
class Memory {
  /** By device: the newest step of which a report was acknowledged. */
  readonly acknowledged = new Map<string, number>()
  /** By device: the newest step that was sent at all. */
  readonly sent = new Map<string, number>()
  /** Versions that a check was offered. */
  readonly offered = new Set<string>()
  checks = 0
}

/** More than one flush writes the rows of. */
const DEVICES_A_REPORT = 400

/** How long each server works, and how many milliseconds the one after it has from its claim on. */
const ROUNDS = [
  { acknowledgements: 7, delay: 0 },
  // Loading.
  { acknowledgements: 60, delay: 25 },
  // Listening, and writing the rows that were behind.
  { acknowledgements: 23, delay: 90 },
]

/** Reports the next steps of its own devices, again and again, until the server is gone. */
async function reporter(
  server: ServerProcess,
  memory: Memory,
  name: string,
  onAcknowledged: () => void,
): Promise<void> {
  const ids = Array.from({ length: DEVICES_A_REPORT }, (_, at) => `${name}-${at}`)
  for (;;) {
    const steps = ids.map((id) => [id, (memory.sent.get(id) ?? 0) + 1] as const)
    for (const [id, step] of steps) memory.sent.set(id, step)
    const devices = steps.map(([deviceId, step]) => ({
      ...{ deviceId, version: `1.0.${step}`, platform: 'linux', arch: 'x86_64' },
      labels: { step: String(step) },
    }))
    const path = '/api/v1/fleet/report'
    const { status } = await call(server, 'POST', path, { app: 'editor', devices })
    if (status !== 200) throw new Error(`a report was answered ${status}`)
    for (const [id, step] of steps) memory.acknowledged.set(id, step)
    onAcknowledged()
  }
}

/** Checks for updates with one device after the other until the server is gone. */
async function checker(server: ServerProcess, memory: Memory, name: string): Promise<void> {
  for (let number = 0; ; number = (number + 1) % 50) {
    const url = `${server.address}/u/editor/stable/linux/x86_64/0.${number}.0`
    const headers = { 'x-service-device': `${name}-${number}` }
    const { status, body } = await request(url, 'GET', { headers })
    if (status === 200) memory.offered.add(body.version)
    memory.checks++
  }
}

function call(server: ServerProcess, method: string, path: string, body?: unknown) {
  return request(server.address + path, method, { key: server.key, body })
}

/**
 * Loads the server until that many reports are acknowledged, and kills it in the midst. Not between
 * a batch that writes every device row and the next one: then nothing is to be replayed.
 */
async function crashUnderLoad(
  server: ServerProcess,
  memory: Memory,
  acknowledgements: number,
  isBehind: () => boolean,
): Promise<void> {
  const killed = Promise.withResolvers<void>()
  let left = acknowledgements
  const onAcknowledged = () => {
    left--
    if (left <= 0 && server.killIf(isBehind)) killed.resolve()
  }
  const clients = [
    ...['a', 'b', 'c', 'd'].map((name) => reporter(server, memory, name, onAcknowledged)),
    ...['e', 'f', 'g', 'h', 'i', 'j'].map((name) => checker(server, memory, name)),
  ]
  const broken = Promise.allSettled(clients)
  await Promise.race([killed.promise, broken])
  await server.kill()
  for (const client of await broken) {
    // Only the end of the server ended them.
    expect(client).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) })
  }
  expect(left).toBeLessThanOrEqual(0)
}

async function expectNothingAcknowledgedLost(
  { folder, app }: Folder,
  memory: Memory,
): Promise<void> {
  const database = connect(dataFile(folder))
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  const store = openFleetDatabase(dataFile(folder))
  try {
    const wrong: unknown[] = []
    for (const [id, step] of memory.acknowledged) {
      const device = await store.device(app, id)
      const found = Number(device?.profile.version.split('.')[2])
      const labelled = Number(device?.labels.step)
      const isPossible = found >= step && found <= (memory.sent.get(id) ?? 0)
      if (!isPossible || labelled !== found) wrong.push({ id, step, found, labelled })
    }
    expect(wrong).toEqual([])
  } finally {
    await store.close()
  }
  expect(storedCounters(database)).toEqual(recountedCounters(database))
  const ofDevices = Object.entries(storedReleaseCells(database)).filter(([name]) =>
    isOfDevices(Number(name.split(' ').at(-1))),
  )
  expect(Object.fromEntries(ofDevices)).toEqual(recountedDeviceCells(database))
  expect(storedHistory(database)).toEqual(recountedHistory(database))
  const offered = database.prepare('SELECT version FROM releases WHERE offered = 1').pluck().all()
  expect(offered).toEqual(expect.arrayContaining([...memory.offered]))
  database.close()
}

test('a server that is killed under load, and again while it starts, loses nothing', async () => {
  const folder = await makeFolder()
  const memory = new Memory()
  const database = connect(dataFile(folder.folder))
  const rows = database.prepare('SELECT rows_through < last_check_in FROM telemetry_state').pluck()
  const areRowsBehind = () => rows.get() === 1
  for (const [round, { acknowledgements, delay }] of ROUNDS.entries()) {
    const server = await startProcess(folder)
    // Above that of the last round, so that there is a first offer in every round.
    const version = `${round + 1}.0.0`
    const artifacts = [artifact({ platform: 'linux', arch: 'x86_64' })]
    const body = { app: 'editor', channel: 'stable', version, artifacts }
    expect((await call(server, 'POST', '/api/v1/releases', body)).status).toBe(201)
    await crashUnderLoad(server, memory, acknowledgements, areRowsBehind)
    expect(memory.offered).toContain(version)
    expect(areRowsBehind(), 'check-ins to replay').toBe(true)
    await expectNothingAcknowledgedLost(folder, memory)

    const starting = new ServerProcess(folder)
    await starting.opening()
    // Another moment of the start in every round.
    await new Promise((resolve) => setTimeout(resolve, delay))
    await starting.kill()
    await expectNothingAcknowledgedLost(folder, memory)
  }
  expect(memory.acknowledged.size).toBe(4 * DEVICES_A_REPORT)
  expect(memory.checks).toBeGreaterThan(100)

  const server = await startProcess(folder)
  // What the server has in memory is what its counters go on from.
  const one = { deviceId: 'last', version: '1.0.0' }
  await call(server, 'POST', '/api/v1/fleet/report', { app: 'editor', devices: [one] })
  const { body } = await call(server, 'GET', '/api/v1/releases?app=editor')
  const offered = body.releases.filter((release: { offered: boolean }) => release.offered)
  expect(offered.map(({ version }: { version: string }) => version).sort()).toEqual(
    [...memory.offered].sort(),
  )
  await expectNothingAcknowledgedLost(folder, memory)
})
