import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { npmManifest, OLDEST_NODE } from '../../build/npm/manifest.ts'
import { type LockedPackage, lockedPackages } from '../../build/npm/production-packages.ts'
import manifest from '../../package.json' with { type: 'json' }
import { blocksOf, PageCode } from '../support/docs/page.ts'
import { eventually } from '../support/eventually.ts'
import { releaseBody } from './support/api.ts'
import { sharedBrowser } from './support/browser.ts'
import { check } from './support/device.ts'
import {
  createAppAndKey,
  createFirstAccount,
  publishWith,
  SETUP_LINK,
} from './support/first-run.ts'
import { goToScreen } from './support/release-console.ts'
import { openTerminal, type Terminal } from './support/terminal.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const README = join(ROOT, 'build/npm/README.md')
const [start = '', commands = ''] = blocksOf(readFileSync(README, 'utf8')).map(({ text }) => text)
const [build = '', set = ''] = new PageCode('docs/install.md').take('npm package', 'sh')
const [install = '', serve = ''] = set.split('\n')

/** Milliseconds for a command, such as an installation, which sometimes waits for ever. */
const COMMAND_TIME = 180_000

let folder = ''
let project = ''
let tarball = ''
let path = ''
let terminal: Terminal
let context: BrowserContext
let page: Page
let address = ''

/** Makes a folder with nothing but a `package.json`, and runs a command there. */
function runInNew(name: string, command: string, manifest: object = {}): string {
  const into = join(folder, name)
  mkdirSync(into)
  writeFileSync(join(into, 'package.json'), JSON.stringify(manifest))
  run('sh', ['-ec', command], into)
  return into
}

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: folder }
  // No timeout of a hook interrupts it.
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', timeout: COMMAND_TIME })
}

/** The packages in a folder and in those packages, by path. */
function installedIn(parent: string): LockedPackage[] {
  const manifests = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: parent })
  return manifests
    .map((file) => {
      const { version } = JSON.parse(readFileSync(join(parent, file), 'utf8'))
      return { path: dirname(file), version }
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-npm-package-'))
  path = process.env.PATH ?? ''
  run('sh', ['-ec', build.replace('npm ci && ', '')], ROOT)
  tarball = join(ROOT, `out/tidegate-${manifest.version}.tgz`)
  const node = runInNew('node', `npm install node@${OLDEST_NODE}`, { allowScripts: { node: true } })
  path = [join(node, 'node_modules/.bin'), path].join(delimiter)
  project = runInNew('project', `cp ${tarball} . && ${install}`)
  terminal = openTerminal(`PATH=${path} ${serve} --port 0`, project, folder)
  context = await (await sharedBrowser()).newContext()
  context.setDefaultTimeout(60_000)
  page = await context.newPage()
})
afterAll(async () => {
  await context?.close()
  await terminal?.interrupt()
  rmSync(folder, { recursive: true, force: true })
})

test('the package has what runs and its licenses, and no sources, tests or maps', () => {
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
  expect(files).toEqual(
    expect.arrayContaining(
      ['LICENSE', 'README.md', 'out/renderer/licenses.md', 'bin/tidegate.cjs'].map(
        (file) => `package/${file}`,
      ),
    ),
  )
  const wrong = /\.(?:tsx?|mts|cts|map|pem|key|db)$|\.(?:test|spec)\.|\/tests?\/|\/\.|sources\.txt/
  expect(files.filter((file) => wrong.test(file))).toEqual([])
})

test('what is installed are the production dependencies in the versions of the lock file', () => {
  const { bundleDependencies } = npmManifest(ROOT)
  const own = join(project, 'node_modules/tidegate')
  expect(installedIn(own)).toEqual(lockedPackages(ROOT, bundleDependencies))
  const others = installedIn(project).filter(({ path }) => !path.includes('/tidegate'))
  expect(others).toEqual(lockedPackages(ROOT, ['better-sqlite3']))
})

test('the server starts on the oldest Node with the console built, and prints a link', async () => {
  address = await terminal.waitFor(/listening on (\S+)/)
  const answer = await fetch(await terminal.waitFor(/Console: (\S+)/))
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  const node = run('node', ['--version'], project)
  expect(node.trim()).toBe(`v${OLDEST_NODE}`)
})

test('a person signs in, and a release that is published with a key is offered', async () => {
  await createFirstAccount(page, await terminal.waitFor(SETUP_LINK))
  const key = await createAppAndKey(page)
  expect(await check(address, '1.0.0', 'a-device')).toBeNull()
  const published = await publishWith(key, address, releaseBody('1.1.0'))
  expect(published.status).toBe(201)
  expect(await check(address, '1.0.0', 'a-device')).toMatchObject({ version: '1.1.0' })
  await goToScreen(page, 'Releases')
  await page.getByRole('link', { name: '1.1.0' }).first().waitFor()
})

test('the README starts it as the documentation does', () => {
  expect(start).toBe(serve)
})

test('the commands of the README run beside the server', () => {
  const shown = run('sh', ['-ec', commands.replace('create editor', 'create reader')], project)
  expect(shown).toMatch(/^reader +Editor/m)
})

test('Ctrl-C stops the server in order', async () => {
  await terminal.interrupt()
  expect(readdirSync(join(folder, 'tidegate'))).toEqual(['server.lock', 'tidegate.db'])
  expect(terminal.shown()).not.toMatch(/being built|error|warning/i)
})

test('SIGTERM to npx stops the server in order', async () => {
  const npx = spawn('npx', ['tidegate', 'serve', '--port', '0'], {
    cwd: project,
    env: { ...process.env, PATH: path, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => killGroup(npx.pid ?? 0))
  const [line] = await once(createInterface(npx.stdout), 'line')
  expect(String(line)).toContain('listening on')
  const holder = join(folder, 'tidegate/server.json')
  expect(existsSync(holder)).toBe(true)
  npx.kill('SIGTERM')
  // It can end after npx.
  await eventually(() => expect(existsSync(holder)).toBe(false))
})
