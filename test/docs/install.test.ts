import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode, ROOT } from '../support/docs/page.ts'
import { homeIn, runShell, startServer } from '../support/docs/run.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const code = new PageCode('docs/install.md')
const [start = '', health = ''] = code.take('Server', 'sh')
const onNetwork = code.takeOne('On your network', 'sh')
const unit = code.takeOne('As a systemd service', 'ini')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the server starts and is healthy', async () => {
  const environment = homeIn(temporaryFolder())
  const address = await startServer(start, environment)
  const answer = await runShell(health.replace('http://127.0.0.1:8440', address), environment)
  expect(JSON.parse(answer)).toMatchObject({ status: 'ok' })
})

test('the server can be reached from the network', async () => {
  const address = await startServer(onNetwork, homeIn(temporaryFolder()))
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('the service starts as its unit defines', async () => {
  const folder = temporaryFolder()
  const lines = unit
    .replaceAll('/opt/tidegate', ROOT)
    .replaceAll('/var/lib/tidegate', folder)
    .split('\n')
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  const [command = ''] = valuesOf('ExecStart')
  expect(valuesOf('WorkingDirectory')).toEqual([ROOT])
  const environment = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=')))
  expect(Object.keys(environment)).toContain('TIDEGATE_DATA')
  const address = await startServer(command, { PATH: process.env.PATH, ...environment })
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})
