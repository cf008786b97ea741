// @module-tag long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serverConfig } from '../../../src/main/server-process/server-config.ts'
import { Supervisor } from '../../../src/main/server-process/supervisor.ts'
import { SettingsFile } from '../../../src/main/settings/settings-file.ts'
import { SettingsTrial } from '../../../src/main/settings/settings-trial.ts'
import type { ServerState } from '../../../src/shared/console/desktop/shell.ts'
import { DEFAULT_SETTINGS } from '../../../src/shared/console/settings/settings.ts'
import type { StartFailure } from '../../../src/shared/operation/start-failure.ts'
import type { MessagePortMain } from '../../electron-double/message-port.ts'
import { freePort, takePort } from '../../support/processes/ports.ts'
import { type Forked, forkServer } from '../../support/processes/server-process.ts'

let folder: string
let supervisors: Supervisor<MessagePortMain>[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-trial-'))
  supervisors = []
})
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop()))
  rmSync(folder, { recursive: true })
})

/** A supervised server with the settings in the folder, as the app has them after a start. */
function desktop() {
  const file = new SettingsFile(join(folder, 'settings.json'))
  const fallBacks: StartFailure[] = []
  const states: ServerState[] = []
  const processes: Forked[] = []
  const started = new Supervisor<MessagePortMain>({
    fork() {
      const forked = forkServer()
      processes.push(forked)
      return forked
    },
    config: () => serverConfig(join(folder, 'data'), file.server),
    onState: (state) => states.push(state),
    onTrouble() {},
    trial: new SettingsTrial(file, {
      onFallBack: (failure) => fallBacks.push(failure),
      onError(error) {
        throw error
      },
    }),
  })
  supervisors.push(started)
  /** Resolves once the server has started or has failed to. */
  const settled = async () => {
    await started.connect()
    return started.state
  }
  return { file, started, states, processes, fallBacks, settled }
}

/** Settings with a free port that a server runs with. */
async function running() {
  const it = desktop()
  const working = { host: '127.0.0.1', port: await freePort() }
  it.file.setServer({ address: working })
  await it.started.start()
  expect(await it.settled()).toMatchObject({ state: 'running' })
  return { ...it, working }
}

test('a server that cannot start with new settings starts with the last working ones', async () => {
  const { file, started, states, settled, fallBacks, working } = await running()
  const { port, release } = await takePort()
  const taken = { host: '127.0.0.1', port }
  file.setServer({ address: taken })
  await started.restart()
  // A call that waits is answered by the server that runs in the end.
  expect(await settled()).toEqual({ state: 'running', address: `http://127.0.0.1:${working.port}` })
  expect(states.map(({ state }) => state)).not.toContain('failed')
  const failure = { code: 'port_in_use', ...taken } as const
  expect(fallBacks).toEqual([failure])
  expect(file.server).toEqual({ ...DEFAULT_SETTINGS, address: working })
  expect(file.notApplied).toMatchObject({ settings: { address: taken }, failure })

  // The next start of the app does not fail again, and still knows what was not applied.
  await started.stop()
  const next = desktop()
  await next.started.start()
  expect(await next.settled()).toMatchObject({ state: 'running' })
  expect(next.fallBacks).toEqual([])
  expect(next.file.notApplied).toMatchObject({ settings: { address: taken } })
  await release()
})

test('the last working settings are tried once', async () => {
  const { file, started, settled, processes, fallBacks, working } = await running()
  const { port, release } = await takePort()
  await started.stop()
  const again = await takePort(working.port)
  file.setServer({ address: { host: '127.0.0.1', port } })
  await started.start()
  expect(await settled()).toEqual({
    state: 'failed',
    failure: { code: 'port_in_use', ...working },
  })
  expect(fallBacks).toHaveLength(1)
  expect(processes).toHaveLength(3)
  await release()
  await again.release()
})

test('a server that ends before it is ready with new settings starts with the last ones', async () => {
  const { file, started, settled, processes, working } = await running()
  file.setServer({ address: { ...working, port: await freePort() } })
  const restart = started.restart()
  await vi.waitUntil(() => processes.length === 2, { timeout: 60_000 })
  processes[1]?.child.kill('SIGKILL')
  await restart
  expect(await settled()).toMatchObject({ state: 'running' })
  expect(file.server.address).toEqual(working)
  expect(file.notApplied?.failure).toMatchObject({ code: 'ended' })
})

test('new settings stay if the data folder is the problem', async () => {
  const { file, settled, working } = await running()
  const other = desktop()
  other.file.setServer({ address: { ...working, port: await freePort() } })
  await other.started.start()
  expect(await other.settled()).toMatchObject({ state: 'failed', failure: { code: 'storage' } })
  expect(other.file.notApplied).toBe(null)
  expect(await settled()).toMatchObject({ state: 'running' })
  expect(file.notApplied).toBe(null)
})
