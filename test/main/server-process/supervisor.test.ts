import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Supervisor } from '../../../src/main/server-process/supervisor.ts'
import { callServer } from '../../../src/main/settings/backup-service.ts'
import { MIGRATIONS } from '../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import type { CallRequest, SubscriptionEvent } from '../../../src/shared/console/bridge/bridge.ts'
import { PortClient } from '../../../src/shared/console/bridge/port-client.ts'
import type {
  ServerProcessConfig,
  ServerProcessMessage,
} from '../../../src/shared/console/desktop/server-process.ts'
import type { ServerState } from '../../../src/shared/console/desktop/shell.ts'
import type { MessagePortMain } from '../../electron-double/message-port.ts'
import { type Forked, forkServer } from '../../support/processes/server-process.ts'

const OVERVIEW = { type: 'query', path: 'overview.get', input: undefined } as const

let folder: string
let supervisors: Supervisor<MessagePortMain>[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-server-'))
  supervisors = []
})
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop()))
  rmSync(folder, { recursive: true })
})

/** A supervisor of a real server process, and what it has told so far. */
function supervise(change: Partial<ServerProcessConfig> = {}, env: Record<string, string> = {}) {
  const config = { dataFolder: folder, host: '127.0.0.1', port: 0, ...change }
  const states: ServerState[] = []
  const processes: Forked[] = []
  const waiting = new Set<() => void>()
  const supervisor = new Supervisor({
    fork() {
      const forked = forkServer(env)
      processes.push(forked)
      return forked
    },
    config: () => config,
    onState(state) {
      states.push(state)
      for (const look of waiting) look()
    },
    onTrouble() {},
  })
  supervisors.push(supervisor)
  /** Resolves when the server is in `wanted`, after the `seen` states that were told before. */
  const reach = (wanted: ServerState['state'], seen = 0) =>
    new Promise<ServerState>((resolve) => {
      const look = () => {
        const state = states.slice(seen).find(({ state }) => state === wanted)
        if (state !== undefined) resolve(state)
      }
      waiting.add(look)
      look()
    })
  return { supervisor, config, states, processes, reach }
}

const call = async (supervisor: Supervisor<MessagePortMain>, request: CallRequest) =>
  callServer(await supervisor.connect(), request)

/** The events of a subscription until one that is no data. */
async function eventsOf(
  supervisor: Supervisor<MessagePortMain>,
  path: string,
): Promise<SubscriptionEvent[]> {
  const port = await supervisor.connect()
  const client = new PortClient((request) => port?.postMessage(request))
  port?.on('message', ({ data }) => client.receive(data))
  port?.on('close', () => client.close({ code: 'unavailable', reason: 'server_ended' }))
  port?.start()
  return new Promise((resolve) => {
    const events: SubscriptionEvent[] = []
    client.subscribe({ path, input: undefined }, (event) => {
      events.push(event)
      if (event.type !== 'data') resolve(events)
    })
  })
}

test('a call waits for the start, is answered, and its errors are values', async () => {
  const { supervisor, states } = supervise()
  await supervisor.start()
  expect(await call(supervisor, OVERVIEW)).toMatchObject({ ok: true, data: { apps: [] } })
  expect(states.map(({ state }) => state)).toEqual(['starting', 'running'])
  expect(await call(supervisor, { ...OVERVIEW, path: 'no.such' })).toMatchObject({
    ok: false,
    error: { code: 'unknown' },
  })
  expect(await call(supervisor, { ...OVERVIEW, path: 'releases.list', input: 7 })).toMatchObject({
    ok: false,
    error: { code: 'invalid' },
  })
})

test('a killed server is restarted, and pending requests are rejected', async () => {
  const { supervisor, states, processes, reach } = supervise()
  await supervisor.start()
  await reach('running')
  const events = eventsOf(supervisor, 'events.changes')
  await call(supervisor, OVERVIEW)
  const seen = states.length
  processes[0]?.child.kill('SIGKILL')
  const answer = call(supervisor, OVERVIEW)
  expect(await reach('restarting', seen)).toMatchObject({
    wasReady: true,
  })
  expect(await answer).toMatchObject({ ok: false, error: { code: 'unavailable' } })
  expect((await events).at(-1)).toMatchObject({ type: 'error', error: { code: 'unavailable' } })
  await reach('running', seen)
  expect(await call(supervisor, OVERVIEW)).toMatchObject({ ok: true })
})

test('a server with an unhandled rejection exits and is restarted', async () => {
  const log = join(folder, 'server.log')
  const env = { TIDEGATE_LOG_LEVEL: 'fatal', TIDEGATE_LOG_FILE: log }
  const { supervisor, states, processes, reach } = supervise({}, env)
  await supervisor.start()
  await reach('running')
  const seen = states.length
  processes[0]?.child.kill('SIGUSR2')
  expect(await reach('restarting', seen)).toMatchObject({
    exitCode: 1,
  })
  expect(readFileSync(log, 'utf8')).toContain('nobody handles this')
  await reach('running', seen)
})

test('a last word arrives, however long it takes: the process waits for it', async () => {
  const first = supervise()
  await first.supervisor.start()
  await first.reach('running')
  const slow = supervise({}, { SERVER_POST_DELAY: '300' })
  await slow.supervisor.start()
  expect(await slow.reach('failed')).toMatchObject({
    failure: { code: 'storage', problem: { code: 'locked' } },
  })
  await slow.supervisor.stop()
  expect(slow.states.map(({ state }) => state)).toEqual(['starting', 'failed', 'stopped'])
  expect(slow.processes[0]?.child.exitCode).toBe(0)
})

test('a data folder in use is reported, and retried on request', async () => {
  const first = supervise()
  await first.supervisor.start()
  await first.reach('running')
  const second = supervise()
  await second.supervisor.start()
  expect(await second.reach('failed')).toMatchObject({
    failure: { code: 'storage', problem: { code: 'locked' } },
  })
  expect(await call(second.supervisor, OVERVIEW)).toMatchObject({ error: { code: 'unavailable' } })
  await first.supervisor.stop()
  await second.supervisor.start()
  await second.reach('running')
})

test('a port in use is reported, and a restart can use another one', async () => {
  const listener = createServer()
  const port = await new Promise<number>((resolve) => {
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const { supervisor, config, reach } = supervise({ port })
  await supervisor.start()
  expect(await reach('failed')).toMatchObject({
    failure: { code: 'port_in_use', host: '127.0.0.1', port },
  })
  config.port = 0
  await supervisor.restart()
  await reach('running')
  listener.close()
})

test('it stops gracefully: the process ends by itself, and calls are refused', async () => {
  const { supervisor, states, processes, reach } = supervise()
  await supervisor.start()
  await reach('running')
  await supervisor.stop()
  expect(processes[0]?.child.exitCode).toBe(0)
  expect(states.at(-1)).toEqual({ state: 'stopped' })
  expect(await call(supervisor, OVERVIEW)).toMatchObject({ error: { code: 'unavailable' } })
})

test('a server reports that it upgrades its database', async () => {
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 5) })
  const { supervisor, states, reach } = supervise()
  await supervisor.start()
  await reach('running')
  expect(states).toEqual([
    { state: 'starting' },
    { state: 'starting', upgrading: true },
    { state: 'running', address: expect.any(String) },
  ])
})

test('a server that does not become ready is killed, later while it upgrades its database', async () => {
  vi.useFakeTimers()
  try {
    for (const [upgrades, minutes] of [
      [false, 3],
      [true, 60],
    ] as const) {
      let post: (message: ServerProcessMessage) => void = () => {}
      const kill = vi.fn()
      const supervisor = new Supervisor({
        fork: () => ({
          post() {},
          connect() {},
          onMessage(listener) {
            post = listener
          },
          onExit() {},
          kill,
        }),
        config: () => ({ dataFolder: folder, host: '127.0.0.1', port: 0 }),
        onState() {},
        onTrouble() {},
      })
      await supervisor.start()
      if (upgrades) post({ type: 'migrating', from: 5, to: 7 })
      vi.advanceTimersByTime(minutes * 60_000 - 1)
      expect(kill).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(kill).toHaveBeenCalledOnce()
    }
  } finally {
    vi.useRealTimers()
  }
})
