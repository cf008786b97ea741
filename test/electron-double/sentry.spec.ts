import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PRINCIPAL } from '../support/builders/actor.ts'
import { eventually } from '../support/eventually.ts'
import { publish } from '../support/servers/calls.ts'
import { startWithApp } from '../support/servers/server.ts'

const here = import.meta.dirname
const PLACE = { app: 'editor', channel: 'stable', version: '1.2.3' }

test('the SDK of Sentry for Electron reports how the main process ends', async () => {
  const server = await startWithApp()
  await publish(server, PLACE.version)
  const dsn = `${server.address.replace('://', '://any@')}/sentry/editor/1`
  const sessions = async () => (await server.updates.showHealth(PRINCIPAL, PLACE)).sessions
  startApp(dsn, 'quit')
  await eventually(async () =>
    expect(await sessions()).toMatchObject({ started: 1, ended: 1, healthy: 1 }),
  )
  startApp(dsn, 'crash')
  await eventually(async () =>
    expect(await sessions()).toMatchObject({ started: 2, ended: 2, healthy: 1, crashed: 1 }),
  )
})

/** Starts the app of the fixture, which goes on after an error, as Electron does: it is ended after the test. */
function startApp(dsn: string, end: 'quit' | 'crash'): void {
  const folder = mkdtempSync(join(tmpdir(), 'sentry-spec-'))
  const child = spawn(join(here, 'electron'), [join(here, 'sentry-fixture'), dsn, end], {
    env: { ...process.env, SENTRY_USER_DATA: folder },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
}
