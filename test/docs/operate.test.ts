import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { PageCode, readPage } from '../support/docs/page.ts'
import { homeIn, homeWithData, runBlocks, runShell, startServer } from '../support/docs/run.ts'
import { freePort } from '../support/processes/ports.ts'
import { call, pageHeaders, send } from '../support/servers/browser.ts'
import { needs } from '../support/tools.ts'

const code = new PageCode('docs/operate.md')
const start = code.takeOne('Settings', 'sh')
const example = code.takeOne('Configuration file', 'json')
const configuration = code.takeOne('Configuration file', 'sh')
const onNetwork = code.takeOne('The console in a browser', 'sh')
const behindProxy = code.takeOne('Behind a reverse proxy', 'sh')
// Run by test/docs/proxies.test.ts.
code.takeOne('Behind a reverse proxy', 'nginx')
code.takeOne('Behind a reverse proxy', 'caddy')
const status = code.takeOne('Monitoring', 'sh')
const health = code.takeOne('Probes', 'sh')
const [withMetrics = '', metrics = ''] = code.take('Metrics', 'sh')
const supportBundle = code.takeOne('Support bundle', 'sh')
const servicePlan = code.takeOne('Run as a service', 'sh')
const [backup = '', doctor = ''] = code.take('Backups', 'sh')
const restore = code.takeOne('Restore a backup', 'sh')
const [drill = '', cleanUp = ''] = code.take('Practice a restore', 'sh')
const [pack = '', unpack = ''] = code.take('Move to another machine', 'sh')

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test(
  'variables set the options of the server, and its health can be monitored',
  needs('curl'),
  async () => {
    // With scheduled backups, which are for SQLite.
    const environment = homeIn(temporaryFolder())
    const address = await startServer(start, environment)
    const answer = await runShell(health.replace('http://127.0.0.1:8440', address), environment)
    const members = readPage('docs/operate.md').match(/^\| `[a-z.]+` \|/gm) ?? []
    const paths = members.map((member) => member.replace(/[|` ]/g, '').split('.'))
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) expect(JSON.parse(answer)).toHaveProperty(path)
  },
)

test('the configuration file is checked, and shown with its values', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tidegate.json'), example)
  const environment = { ...homeIn(folder), TIDEGATE_DATA: folder, TIDEGATE_CONSOLE: undefined }
  const output = await runShell(configuration, environment)
  expect(output).toContain('tidegate.json is valid.')
  for (const [field, value] of Object.entries(JSON.parse(example))) {
    if (field !== '$schema') {
      expect(output).toMatch(new RegExp(`^${field} +${value} +tidegate\\.json$`, 'm'))
    }
  }
})

test(
  'metrics are answered with every metric of the table, and status shows the server',
  needs('curl'),
  async () => {
    const folder = temporaryFolder()
    const environment = await homeWithData(folder)
    const port = String(await freePort())
    await startServer(withMetrics.replace('9440', port), environment)
    const exposed = await runShell(metrics.replace('9440', port), environment)
    const page = readPage('docs/operate.md')
    const rows = page.match(/^\| `tidegate_[^|]+/gm)?.join() ?? ''
    const names = [...new Set(rows.match(/tidegate_\w+/g))]
    const exposedNames = Array.from(
      exposed.matchAll(/^# TYPE (tidegate_\w+)/gm),
      ([, name]) => name,
    )
    expect(names.toSorted()).toEqual(exposedNames.toSorted())
    expect(await runShell(status, environment)).toContain('is ready to answer update checks')
    const bundle = supportBundle.replace('tidegate-support.zip', join(folder, 'support.zip'))
    expect(await runShell(bundle, environment)).toContain('settings.json')
  },
)

test('the alert rules pass their tests', needs('promtool'), () => {
  for (const args of [
    ['check', 'config', 'docs/monitoring/prometheus.yml'],
    ['test', 'rules', 'test/docs/monitoring/alerts.test.yml'],
  ]) {
    const { status, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }
})

test.runIf(process.platform === 'linux')('the installation of the service is shown', async () => {
  const plan = await runShell(servicePlan, homeIn(temporaryFolder()))
  expect(plan).toContain('Write /etc/systemd/system/tidegate.service')
  expect(plan).toContain('Run systemctl enable tidegate.service')
})

test('the console is offered to the network with a self-signed certificate', async () => {
  const environment = { ...(await homeWithData(temporaryFolder())), TIDEGATE_CONSOLE: undefined }
  const address = await startServer(onNetwork, environment)
  expect(address).toMatch(/^https:/)
  expect((await send(address, '/healthz')).status).toBe(200)
})

test('the console answers under the name of a proxy', async () => {
  const environment = { ...(await homeWithData(temporaryFolder())), TIDEGATE_CONSOLE: undefined }
  const address = await startServer(behindProxy, environment)
  const headers = { host: 'updates.example.com', 'x-forwarded-proto': 'https' }
  const state = await call(address, 'account/state', undefined, {
    ...pageHeaders('https://updates.example.com'),
    ...headers,
  })
  expect([state.status, JSON.parse(state.text).result.data]).toEqual([
    200,
    { needsCode: false, hasAccounts: false, signedInAs: null, singleSignOn: null },
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

test('a restore is practiced in another folder, while the server runs', async () => {
  const folder = temporaryFolder()
  const environment = homeIn(folder)
  await startServer('npm run serve', environment)
  const make = `npm run -s tidegate -- app create editor
    npm run -s tidegate -- person setup-link >/dev/null
    npm run -s tidegate -- backup ${folder}/tidegate-backup.db`
  await runShell(make, environment)
  const inFolder = (block: string) =>
    block
      .replaceAll('restore-drill', `${folder}/restore-drill`)
      .replace(' tidegate-b', ` ${folder}/tidegate-b`)
  const restored = await runShell(inFolder(drill), environment)
  expect(restored).toContain('No problems found.')
  expect(restored).toMatch(/^editor /m)
  expect(readdirSync(folder)).toContain('restore-drill')
  await runShell(inFolder(cleanUp), environment)
  expect(readdirSync(folder)).not.toContain('restore-drill')
})

test('the data folder moves to another home, and nothing is lost', needs('tar'), async () => {
  const [old, fresh] = [temporaryFolder(), temporaryFolder()]
  const environmentOf = (home: string) => {
    mkdirSync(join(home, '.local/share'), { recursive: true })
    return { ...homeIn(home), XDG_DATA_HOME: undefined }
  }
  const archive = join(old, 'tidegate-data.tar.gz')
  const move = (block: string) => block.replace('tidegate-data.tar.gz', archive)
  await runShell(
    `npm run -s tidegate -- app create editor --init\n${move(pack)}`,
    environmentOf(old),
  )
  const environment = environmentOf(fresh)
  expect(await runShell(move(unpack), environment)).toContain('No problems found.')
  expect(await runShell('npm run -s tidegate -- app list', environment)).toMatch(/^editor /m)
  expect(statSync(join(fresh, '.local/share/tidegate')).mode & 0o777).toBe(0o700)
})

test('the table of settings has every option of serve, and its default', async () => {
  const help = await runShell('npm run -s tidegate -- serve --help', homeIn(temporaryFolder()))
  const options = new Map<string, string | undefined>()
  for (const [, text = ''] of help.matchAll(/^ {2}(--[\s\S]*?)(?=\n {2}-|\n$|$(?![\s\S]))/gm)) {
    const flat = text.replace(/\s+/g, ' ')
    const [, name = ''] = /^(--[a-z\d-]+)/.exec(flat) ?? []
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
