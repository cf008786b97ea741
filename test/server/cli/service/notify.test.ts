import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFile } from '../../../support/after-file.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { collect } from '../../../support/docs/run.ts'
import { eventualValue } from '../../../support/eventually.ts'
import { startCli } from '../../../support/processes/cli.ts'
import { needs } from '../../../support/tools.ts'

const LISTENER = join(import.meta.dirname, '../../../support/systemd/listener.py')
const PARTS = needs('systemd-notify', 'python3')

/** Listens as systemd does. */
async function listen() {
  const socket = join(fileFolder(), 'notify')
  const child = spawn('python3', [LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  afterFile(() => {
    child.kill('SIGKILL')
    return ended
  })
  const received = collect(child.stdout)
  await eventualValue(() => received.text.includes('LISTENING') || undefined)
  const lines = () => received.text.trim().split('\n').slice(1)
  return { socket, lines }
}

test.concurrent.each([
  ['http', []],
  ['https', ['--tls-self-signed', '--host', '0.0.0.0']],
])(
  'systemd hears over %s that the server is ready, alive and stopping',
  PARTS,
  async (scheme, options) => {
    const { socket, lines } = await listen()
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000' }
    const serve = ['serve', '--data', fileFolder(), '--port', '0', ...options]
    const server = startCli(serve, { ...env, TIDEGATE_CONSOLE: 'off' })
    await eventualValue(
      () => lines().filter((line) => line === 'WATCHDOG=1').length > 2 || undefined,
    )
    const address = /listening on (\S+)\n/.exec(server.output.stdout)?.[1]
    expect(address).toMatch(new RegExp(`^${scheme}://`))
    expect(lines().slice(0, 3)).toEqual(['READY=1', `STATUS=Listening on ${address}`, 'WATCHDOG=1'])
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(lines().at(-1)).toBe('STOPPING=1')
  },
)

test('a watchdog of another process gets no signs', PARTS, async () => {
  const { socket, lines } = await listen()
  const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000', WATCHDOG_PID: '1' }
  const serve = ['serve', '--data', fileFolder(), '--port', '0']
  const server = startCli(serve, { ...env, TIDEGATE_CONSOLE: 'off' })
  await eventualValue(() => lines().includes('READY=1') || undefined)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
  expect(lines()).not.toContain('WATCHDOG=1')
})

test.concurrent('a socket that nobody reads stops nothing, and is in the log', async () => {
  const env = { NOTIFY_SOCKET: join(fileFolder(), 'nobody'), TIDEGATE_CONSOLE: 'off' }
  const server = startCli(['serve', '--data', fileFolder(), '--port', '0'], env)
  await eventualValue(() => server.output.stderr.includes('could not notify') || undefined)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})
