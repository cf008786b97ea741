import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { cli, done, expectRefused, refusal, startCommand } from '../../../support/processes/cli.ts'
import { serve } from '../../../support/servers/calls.ts'
import { startHosting } from '../../../support/servers/hosting.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import {
  chosenBySquirrel,
  chosenByVelopack,
  type OfferedPackage,
  readAssets,
  readReleases,
} from '../../../support/updaters/package-clients.ts'

const BASE = 'https://downloads.example/editor'
const CHECK = ['release', 'check', 'editor', 'stable'] as const
const FULL = 40_000
const DELTA = 900

/** A folder of builds, with the list of all packages that were built into it, as `releasify` and `vpk pack` leave it. */
function startBuilds() {
  const folder = temporaryFolder()
  const packages: { name: string; version: string; sha1: string; size: number; type: string }[] = []
  const write = (name: string, version: string, type: string, size: number) => {
    const content = randomBytes(size)
    writeFileSync(join(folder, name), content)
    const sha1 = createHash('sha1').update(content).digest('hex').toUpperCase()
    packages.push({ name, version, sha1, size, type })
  }
  return {
    folder,
    at: (name: string) => join(folder, name),
    build(version: string, delta = DELTA) {
      const isFirst = packages.length === 0
      write(`Editor-${version}-full.nupkg`, version, 'Full', FULL)
      if (!isFirst) write(`Editor-${version}-delta.nupkg`, version, 'Delta', delta)
      const lines = packages.map(({ sha1, name, size }) => `${sha1} ${name} ${size}`)
      writeFileSync(join(folder, 'RELEASES'), `\uFEFF${lines.join('\r\n')}\r\n`)
      const assets = packages.map(({ name, sha1, size, type, ...each }) => ({
        ...{ PackageId: 'Editor', Version: each.version, Type: type, FileName: name },
        ...{ SHA1: sha1, SHA256: '', Size: size, NotesMarkdown: `Notes of ${each.version}` },
      }))
      writeFileSync(join(folder, 'releases.win.json'), JSON.stringify({ Assets: assets }))
    },
  }
}

function publishing(server: TestServer) {
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  return (...args: string[]) => startCommand(['publish', 'editor', 'stable', ...args], env).ended
}

async function squirrel(server: TestServer, version: string): Promise<OfferedPackage[]> {
  const path = `/squirrel/editor/stable/win32/x64/${version}/RELEASES`
  const { status, text } = await server.call('GET', path, { key: null })
  expect(status, text).toBe(200)
  return readReleases(text, `${server.address}${path}`)
}

async function velopack(server: TestServer, version: string): Promise<OfferedPackage[]> {
  const path = `/velopack/editor/stable/windows/x64/releases.win.json?localVersion=${version}`
  return readAssets((await server.call('GET', path, { key: null })).text)
}

/** What both updaters download in place of that version. */
async function downloads(server: TestServer, version: string) {
  const [one, other] = [await squirrel(server, version), await velopack(server, version)]
  const chosen = chosenBySquirrel(version, one)
  expect(chosenByVelopack(version, other)).toEqual(chosen)
  return chosen.map((name) => name.replace(/^Editor-(.*)\.nupkg$/, '$1'))
}

/** Publishes builds of those versions, each with its list. */
async function published(server: TestServer, list: string, ...versions: string[]) {
  const builds = startBuilds()
  const run = publishing(server)
  for (const version of versions) {
    builds.build(version)
    const from = ['--from', builds.at(list), '--url-base', BASE]
    const file = `windows/x64=${builds.at(`Editor-${version}-full.nupkg`)}`
    const more = `windows/x64=${builds.at(`Editor-${version}-delta.nupkg`)}`
    const files = ['--file', file, ...(version === versions[0] ? [] : ['--file', more])]
    expect(await run(...from, ...files)).toMatchObject({ code: 0, stderr: '' })
  }
  return { ...builds, run }
}

describe.each(['RELEASES', 'releases.win.json'])('packages that are published from %s', (list) => {
  test('are offered with the deltas that lead to them, while all of those are published', async () => {
    const server = await startWithApp()
    await published(server, list, '1.0.0', '1.1.0', '1.2.0')
    expect(await downloads(server, '1.1.0')).toEqual(['1.2.0-delta'])
    expect(await downloads(server, '1.0.0')).toEqual(['1.1.0-delta', '1.2.0-delta'])
    expect(await downloads(server, '0.9.0')).toEqual(['1.2.0-full'])
    expect(await downloads(server, '1.2.0')).toEqual([])
    await serve(server, '1.1.0', { status: 'paused' })
    expect(await downloads(server, '1.0.0')).toEqual(['1.2.0-full'])
    // It runs what the delta was built from, whether that is still served or not.
    expect(await downloads(server, '1.1.0')).toEqual(['1.2.0-delta'])
    await serve(server, '1.1.0', { status: 'published' })
    await serve(server, '1.2.0', { status: 'rolled_back' })
    expect(await downloads(server, '1.0.0')).toEqual(['1.1.0-delta'])
  })
})

test('a delta of a package that no release has is not offered', async () => {
  const server = await startWithApp()
  const builds = await published(server, 'RELEASES', '1.0.0')
  builds.build('1.1.0')
  builds.build('1.2.0')
  const from = ['--from', builds.at('RELEASES'), '--url-base', BASE]
  expect((await builds.run(...from)).code).toBe(0)
  expect(await downloads(server, '1.0.0')).toEqual(['1.2.0-full'])
  expect(await downloads(server, '1.1.0')).toEqual(['1.2.0-full'])
  const asked = ['--client', 'velopack', '--client', 'squirrel_windows', '--json']
  const checked = await cli(server.folder, ...CHECK, '1.2.0', ...asked)
  expect(checked.code).toBe(1)
  const [delta, full] = ['Editor-1.2.0-delta.nupkg', 'Editor-1.2.0-full.nupkg']
  const notOffered = [{ file: delta, code: 'delta_base' }]
  const { targets, unoffered } = JSON.parse(checked.stdout).check
  expect(targets).toMatchObject([
    { client: 'velopack', offered: [{ file: full }], notOffered },
    { client: 'squirrel_windows', offered: [{ file: full }], notOffered },
  ])
  expect(unoffered).toMatchObject([{ file: delta }])
})

test('release check lists the delta of a package that a release has, paused or not', async () => {
  const server = await startWithApp()
  await published(server, 'RELEASES', '1.0.0', '1.1.0')
  await serve(server, '1.0.0', { status: 'paused' })
  expect(await done(server.folder, ...CHECK, '1.1.0', '--client', 'velopack')).toMatch(
    /Velopack +windows +x86_64 +40\.0 kB +Editor-1\.1\.0-full\.nupkg \(nupkg\), Editor-1\.1\.0-delta\.nupkg \(delta\)/,
  )
})

test('deltas that are larger than the full package are left to the updaters', async () => {
  const server = await startWithApp()
  const builds = await published(server, 'RELEASES', '1.0.0')
  builds.build('1.1.0', FULL + 1)
  await builds.run('--from', builds.at('RELEASES'), '--url-base', BASE)
  expect(await downloads(server, '1.0.0')).toEqual(['1.1.0-full'])
})

test('packages are uploaded with their list, and downloaded as it says', async () => {
  const server = await startHosting()
  const builds = startBuilds()
  const run = publishing(server)
  for (const version of ['1.0.0', '1.1.0']) {
    builds.build(version)
    expect((await run('--from', builds.at('RELEASES'), '--upload')).code).toBe(0)
  }
  const offered = await squirrel(server, '1.0.0')
  expect(offered.map(({ name }) => name)).toEqual([
    ...['Editor-1.0.0-full.nupkg', 'Editor-1.1.0-full.nupkg', 'Editor-1.1.0-delta.nupkg'],
  ])
  for (const { url, sha1, size, name } of offered) {
    const beside = await server.call('GET', new URL(url).pathname, { key: null })
    const { pathname } = new URL(beside.headers.get('location') ?? '')
    const content = Buffer.from(await (await fetch(`${server.address}${pathname}`)).arrayBuffer())
    expect(content.length).toBe(size)
    expect(createHash('sha1').update(content).digest('hex')).toBe(sha1)
    const named = `/velopack/editor/stable/windows/x64/${name}`
    const { headers } = await server.call('GET', named, { key: null })
    expect(new URL(headers.get('location') ?? '').pathname).toBe(pathname)
  }
})

test('a device that asks with the update check gets the full package', async () => {
  const server = await startWithApp()
  await published(server, 'RELEASES', '1.0.0', '1.1.0')
  const { body } = await server.call('GET', '/u/editor/stable/windows/x86_64/1.0.0', { key: null })
  expect(body.url).toMatch(/-1\.1\.0-full\.nupkg$/)
})

test('a package beside its list has its line, and one that is not in it is named', async () => {
  const server = await startWithApp()
  const { build, at, folder } = startBuilds()
  build('1.0.0')
  const run = publishing(server)
  const file = (name: string) => ['--file', `windows/x64=${at(name)}`, '--url-base', BASE]
  copyFileSync(at('Editor-1.0.0-full.nupkg'), at('Other-1.0.0-full.nupkg'))
  const other = await run('1.0.0', ...file('Other-1.0.0-full.nupkg'), '--strict')
  expect(refusal(other)).toContain('Other-1.0.0-full.nupkg is offered to no app')
  expect(await run('1.0.0', ...file('Editor-1.0.0-full.nupkg'))).toMatchObject({
    ...{ code: 0, stderr: '' },
  })
  expect(await downloads(server, '0.9.0')).toEqual(['1.0.0-full'])
  build('1.1.0')
  const changed = readFileSync(at('Editor-1.1.0-full.nupkg'))
  changed[7] = (changed[7] ?? 0) ^ 1
  writeFileSync(at('Editor-1.1.0-full.nupkg'), changed)
  const damaged = await run('--from', at('RELEASES'), '--url-base', BASE)
  expectRefused(damaged, 2, 'Editor-1.1.0-full.nupkg is not the package whose SHA-1')
  const elsewhere = join(temporaryFolder(), 'dist')
  mkdirSync(elsewhere)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('RELEASES')) copyFileSync(at(name), join(elsewhere, name))
  }
  writeFileSync(join(elsewhere, 'releases.win.json'), '{')
  const alone = `windows/x64=${join(elsewhere, 'Editor-1.1.0-delta.nupkg')}`
  const delta = await run('1.1.0', '--file', alone, '--url-base', BASE, '--strict')
  expect(refusal(delta)).toContain('Editor-1.1.0-delta.nupkg is a delta package that is offered to')
})
