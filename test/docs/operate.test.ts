import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode, readPage } from '../support/docs/page.ts'
import { homeIn, runBlocks, runShell, startServer } from '../support/docs/run.ts'
import { call, pageHeaders, send } from '../support/servers/browser.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const code = new PageCode('docs/operate.md')
const start = code.takeOne('Settings', 'sh')
const onNetwork = code.takeOne('The console in a browser', 'sh')
const behindProxy = code.takeOne('Behind a reverse proxy', 'sh')
// Run by test/docs/proxies.test.ts.
code.takeOne('Behind a reverse proxy', 'nginx')
code.takeOne('Behind a reverse proxy', 'caddy')
const health = code.takeOne('Monitoring', 'sh')
const [backup = '', doctor = ''] = code.take('Backups', 'sh')
const restore = code.takeOne('Restore a backup', 'sh')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('variables set the options of the server, and its health can be monitored', async () => {
  const environment = homeIn(temporaryFolder())
  const address = await startServer(start, environment)
  const answer = await runShell(health.replace('http://127.0.0.1:8440', address), environment)
  const members = readPage('docs/operate.md').match(/^\| `[a-z.]+` \|/gm) ?? []
  const paths = members.map((member) => member.replace(/[|` ]/g, '').split('.'))
  expect(paths.length).toBeGreaterThan(3)
  for (const path of paths) expect(JSON.parse(answer)).toHaveProperty(path)
})

test('the console is offered to the network with a self-signed certificate', async () => {
  const environment = { ...homeIn(temporaryFolder()), TIDEGATE_CONSOLE: undefined }
  const address = await startServer(onNetwork, environment)
  expect(address).toMatch(/^https:/)
  expect((await send(address, '/healthz')).status).toBe(200)
})

test('the console answers under the name of a proxy', async () => {
  const environment = { ...homeIn(temporaryFolder()), TIDEGATE_CONSOLE: undefined }
  const address = await startServer(behindProxy, environment)
  const headers = { host: 'updates.example.com', 'x-forwarded-proto': 'https' }
  const state = await call(address, 'account/state', undefined, {
    ...pageHeaders('https://updates.example.com'),
    ...headers,
  })
  expect([state.status, JSON.parse(state.text).result.data]).toEqual([
    200,
    { hasAccounts: false, signedInAs: null, singleSignOn: null },
  ])
})

test('a backup is made, and restored once the server has stopped', async () => {
  const folder = temporaryFolder()
  const environment = homeIn(folder)
  await runShell('npm run -s tidegate -- app create editor --init', environment)
  const blocks = [backup, doctor, restore].map((block) =>
    block.replace('tidegate-backup.db', join(folder, 'tidegate-backup.db')),
  )
  const [, checked, restored] = await runBlocks(blocks, environment)
  expect(checked).toContain('No problems found.')
  expect(restored).not.toBe('')
  const data = readdirSync(join(folder, 'tidegate'))
  expect(data).toContainEqual(expect.stringMatching(/^tidegate\.db\.before-restore-/))
})

test('the table of settings has every option of serve, and its default', async () => {
  const help = await runShell('npm run -s tidegate -- serve --help', homeIn(temporaryFolder()))
  const options = new Map<string, string | undefined>()
  for (const [, text = ''] of help.matchAll(/^ {2}(--[\s\S]*?)(?=\n {2}-|\n$|$(?![\s\S]))/gm)) {
    const flat = text.replace(/\s+/g, ' ')
    const [, name = ''] = /^(--[a-z-]+)/.exec(flat) ?? []
    options.set(name, /default: ([^,)]+)/.exec(flat)?.[1]?.replaceAll('"', ''))
  }
  options.delete('--help')
  const rows = readPage('docs/operate.md').matchAll(/^\| (`--[^|]+) \| ([^|]*?) ?\| /gm)
  const table = new Map(
    [...rows].flatMap(([, names = '', value = '']) =>
      names.split(', ').map((name) => [name.replaceAll('`', ''), value] as const),
    ),
  )
  expect([...table.keys()].sort()).toEqual([...options.keys()].sort())
  for (const [name, value] of table) {
    if (/^(\w|\.)+$/.test(value) && value !== 'false') {
      expect(`${name} ${value}`).toBe(`${name} ${options.get(name)}`)
    }
  }
})
