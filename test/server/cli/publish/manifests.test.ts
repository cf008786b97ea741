import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { artifactTarget } from '../../../../src/shared/artifacts/target.ts'
import type { Artifact } from '../../../../src/shared/releases/release.ts'
import { builderManifest, writeBuild } from '../../../support/builders/builds.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { copyManifests, copyTauriManifest } from '../../../support/builders/manifests.ts'
import { TAURI_SIGNATURE } from '../../../support/builders/minisign.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { expectRefused, refusal, startCommand } from '../../../support/processes/cli.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { startUploadStore } from '../../../support/servers/upload-store.ts'

const BASE = 'https://downloads.example/editor'

/** A server, and the command that publishes to it. */
async function start() {
  const server = await startWithApp()
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const run = (...args: string[]) =>
    startCommand(['publish', 'editor', 'stable', ...args], env).ended
  const artifacts = async (version: string): Promise<Artifact[]> => {
    const { body } = await server.call('GET', `/api/v1/releases/editor/stable/${version}`)
    return body.release.artifacts
  }
  const targets = async (version: string) => (await artifacts(version)).map(artifactTarget)
  const check = async (devices: string, query = '') =>
    (await fetch(`${server.address}/u/editor/stable/${devices}/0.0.1${query}`)).status
  const feed = async (name: string) =>
    await fetch(`${server.address}/electron/editor/stable/${name}`)
  return { server, run, artifacts, targets, check, feed }
}

/** The same, with the files of a `latest.json` of the test's own store. */
async function startWithTauri(name: string) {
  const store = await startUploadStore()
  const { path, files } = copyTauriManifest(name, store.address)
  for (const file of files) store.files.set(file, file)
  return { ...(await start()), store, path }
}

test('an architecture that nothing names is published as electron-updater has it, with a warning', async () => {
  const { run, targets, check } = await start()
  const folder = copyManifests('electron-arch-not-named')
  const from = ['latest.yml', 'latest-mac.yml'].flatMap((name) => ['--from', join(folder, name)])
  const { code, stderr } = await run(...from, '--url-base', BASE)
  expect([code, stderr.split('\n')]).toEqual([
    0,
    [
      'warning: latest.yml: nothing names the architecture of Editor-Setup-1.4.0.exe. It is published for windows x86_64. To choose the architecture, pass --file windows/<arch>=<path of Editor-Setup-1.4.0.exe>; the architecture any is for all.',
      'warning: latest-mac.yml: nothing names the architecture of Editor-1.4.0.zip. It is published for every architecture of darwin. To choose the architecture, pass --file darwin/<arch>=<path of Editor-1.4.0.zip>; the architecture any is for all.',
      '',
    ],
  ])
  expect(await targets('1.4.0')).toEqual(['windows x86_64 nsis', 'darwin any zip'])
  expect(await Promise.all(['darwin/aarch64', 'windows/i686'].map((at) => check(at)))).toEqual([
    200, 204,
  ])
})

test('the architecture of --file wins over all that names say', async () => {
  const { run, artifacts, targets, check } = await start()
  const folder = copyManifests('electron-explicit-arch')
  const at = (name: string) => join(folder, name)
  writeBuild(folder, {
    'Editor-x64.zip': 'universal',
    'latest-mac.yml': builderManifest('2.0.0', { 'Editor-x64.zip': 'universal' }),
  })
  const any = ['--url-base', BASE, '--file', `windows/any=${at('Editor-Setup-1.4.0.exe')}`]
  const ended = await run(
    ...['--from', at('latest.yml'), '--from', at('latest-mac.yml'), ...any],
    ...['--file', `macos/universal=${at('Editor-x64.zip')}`],
  )
  const warning = 'warning: Editor-Setup-1.4.0.exe looks like version 1.4.0, not version'
  expect([ended.code, ended.stderr]).toEqual([0, `${warning} 2.0.0.\n`])
  expect(await targets('2.0.0')).toEqual(['windows any nsis', 'macos universal zip'])
  const other = await run('--from', at('latest2.yml'), ...any)
  expect([other.code, other.stderr]).toEqual([0, `${warning} 2.0.1.\n`])
  expect(await artifacts('2.0.1')).toMatchObject([{ arch: 'any', size: 3_000 }])
  expect(await Promise.all(['windows/arm64', 'windows/ia32'].map((each) => check(each)))).toEqual([
    200, 200,
  ])
})

test('a build for 32-bit ARM is offered to nothing else', async () => {
  const { run, targets, check, feed } = await start()
  const path = join(copyManifests('electron-linux-arm'), 'latest-linux-arm.yml')
  expect(await run('--from', path, '--url-base', BASE)).toMatchObject({ code: 0, stderr: '' })
  expect(await targets('1.8.2')).toEqual(['linux armv7 appimage'])
  expect(await Promise.all(['linux/armv7l', 'linux/x86_64'].map((at) => check(at)))).toEqual([
    200, 204,
  ])
  const names = ['latest-linux-arm.yml', 'latest-linux.yml', 'latest-linux-arm64.yml']
  const statuses = await Promise.all(names.map(async (name) => (await feed(name)).status))
  expect(statuses).toEqual([200, 404, 404])
})

test('two manifests that name one file with different checksums are refused', async () => {
  const { run } = await start()
  const folder = copyManifests('electron-same-name-other-hash')
  const [x64, arm64] = ['x64', 'arm64'].map((arch) => join(folder, arch, 'latest-mac.yml'))
  const ended = await run('--from', `${x64}`, '--from', `${arm64}`, '--url-base', BASE)
  expect([ended.code, refusal(ended)]).toEqual([
    2,
    `error: ${x64} and ${arm64} name Editor-1.4.0-mac.zip with different SHA-512. Give the files different names, or publish the manifests of one build.`,
  ])
})

test('a size that is a text is published as a number', async () => {
  const { run, artifacts } = await start()
  const path = join(copyManifests('electron-size-as-text'), 'latest-mac.yml')
  expect(await run('--from', path)).toMatchObject({ code: 0, stderr: '' })
  expect(await artifacts('0.4.0')).toMatchObject([{ arch: 'x86_64', size: 91_421_057 }])
})

test('latest.json can have a name for its version, and no notes', async () => {
  const { run, path, targets } = await startWithTauri('tauri-name-for-version')
  expect(await run('--from', path, '--verify-urls')).toMatchObject({ code: 0 })
  expect(await targets('0.1.3')).toEqual(['windows x86_64'])
})

test('keys with systems and endings of their own are read; names that contradict them cause warnings', async () => {
  const { run, path, targets, check } = await startWithTauri('tauri-only-appimage')
  const { code, stderr } = await run('--from', path, '--verify-urls')
  expect([code, stderr.match(/^warning: .*$/gm)]).toEqual([
    0,
    [
      'warning: Editor_0.1.3_amd64.deb is published for armv7, but its name has x86_64.',
      'warning: Editor-0.1.3-1.x86_64.rpm is published for i686, but its name has x86_64.',
    ],
  ])
  expect(await targets('0.1.3')).toEqual([
    'windows x86_64 nsis',
    'darwin aarch64 app',
    'windows x86_64',
    'darwin x86_64 app',
    'linux armv7 deb',
    'linux i686 rpm',
    'linux x86_64 appimage',
  ])
  const offers = ['', '?bundle=appimage', '?bundle=deb'].map((query) =>
    check('linux/x86_64', query),
  )
  expect(await Promise.all(offers)).toEqual([200, 200, 204])
})

test('signatures that Tauri cannot read are refused, and white space around one is left out', async () => {
  const { run, path, artifacts } = await startWithTauri('tauri-signature-forms')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  for (const [key, problem] of [
    ['windows-x86_64-msi', 'Editor_0.1.3_x64_en-US.msi has line breaks or spaces in it'],
    ['linux-x86_64', 'Editor_0.1.3_amd64.AppImage is the text that minisign writes'],
    ['linux-x86_64-deb', 'Editor_0.1.3_amd64.deb is not base64'],
  ] as const) {
    const ended = await run('--from', path, '--verify-urls')
    expectRefused(ended, 2, `latest.json: The signature of ${problem}`)
    delete manifest.platforms[key]
    writeFileSync(path, JSON.stringify(manifest))
  }
  expect(await run('--from', path, '--verify-urls')).toMatchObject({ code: 0 })
  const { signature } = manifest.platforms['windows-x86_64-nsis']
  expect(signature).toMatch(/\r\n$/)
  expect(await artifacts('0.1.3')).toMatchObject([{ signature: signature.trim() }])
})

test('a signature for another version than that of the release is refused', async () => {
  const { server, run, path } = await startWithTauri('tauri-signed-version')
  const ended = await run('--from', path, '--verify-urls')
  expect(ended.stderr).toContain(
    'artifacts.0.signature: is a signature for version 0.1.3, not 0.1.4; sign the file',
  )
  expect(ended.code).toBe(2)
  const draft = await run('--from', path, '--verify-urls', '--draft')
  expect([draft.code, draft.stderr]).toEqual([2, expect.stringContaining('version 0.1.3')])
  const { signature } = JSON.parse(readFileSync(path, 'utf8')).platforms['windows-x86_64']
  const given = { artifacts: [artifact({ signature })] }
  expect((await publish(server, '0.1.3', given)).version).toBe('0.1.3')
})

test('what protects devices in a manifest is served again, and its percentage only on demand', async () => {
  const { run, artifacts, feed, server } = await start()
  const path = join(copyManifests('electron-protecting-fields'), 'latest.yml')
  const args = ['--from', path, '--url-base', BASE]
  const undecided = await run(...args)
  expect(undecided.code).toBe(2)
  expect(undecided.stderr).toContain(
    `error: ${path} limits the release to 10% of devices; choose its rollout with --rollout 10, or --rollout manifest`,
  )
  const other = await run(...args, '--rollout', '20', '--draft')
  expect(other.code).toBe(2)
  expect(await run(...args, '--rollout', 'manifest')).toMatchObject({ code: 0 })
  const { body } = await server.call('GET', '/api/v1/releases/editor/stable/1.4.0')
  expect(body.release.rolloutPct).toBe(10)
  const details = { minimumSystemVersion: '23.4.0', isAdminRightsRequired: true }
  expect(await artifacts('1.4.0')).toMatchObject([details])
  await serve(server, '1.4.0', { rolloutPct: 100 })
  const served = parse(await (await feed('latest.yml')).text())
  expect(served).toMatchObject({
    minimumSystemVersion: '23.4.0',
    files: [{ isAdminRightsRequired: true, size: 20_000 }],
  })
  expect(served.stagingPercentage).toBeUndefined()
})

test('another rollout than that of the manifest causes a warning', async () => {
  const { run } = await start()
  const path = join(copyManifests('electron-protecting-fields'), 'latest.yml')
  const args = ['--from', path, '--url-base', BASE]
  const { code, stderr } = await run(...args, '--rollout', '50%')
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`warning: ${path} has the stagingPercentage 10, which is not served.`),
  ])
  const folder = temporaryFolder()
  writeBuild(folder, {
    'latest.yml': `${builderManifest('1.5.0', { 'Editor-x64.exe': 'w' })}stagingPercentage: 10\n`,
    'latest-mac.yml': `${builderManifest('1.5.0', { 'Editor-x64.zip': 'm' })}stagingPercentage: '20'\n`,
  })
  const from = ['latest.yml', 'latest-mac.yml'].flatMap((name) => ['--from', join(folder, name)])
  const two = await run(...from, '--url-base', BASE, '--rollout', 'manifest')
  expect([two.code, two.stderr]).toEqual([
    2,
    expect.stringMatching(
      /latest\.yml has the stagingPercentage 10, but .*latest-mac\.yml has 20;/,
    ),
  ])
  const none = await run('1.6.0', '--artifact', 'platform=a,arch=b', '--rollout', 'manifest')
  expect(none.code).toBe(2)
})

test('notes by version are notes with headings, and a list again for electron-updater', async () => {
  const { run, server, feed } = await start()
  const folder = temporaryFolder()
  const list = [
    { version: '1.5.0', note: '- Faster' },
    { version: '1.4.0', note: null },
  ]
  const extra = { releaseName: 'Summer', vendor: { on: [1, null] }, releaseNotes: list }
  const packages = { x64: { path: 'Editor-x64.nsis.7z', sha512: 'abc', blockMapSize: 7 } }
  writeBuild(folder, {
    // JSON is YAML as well.
    'latest.yml': `${builderManifest('1.5.0', { 'web/Editor-x64.exe': 'w' })}${Object.entries({
      ...extra,
      packages,
    })
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join('')}`,
  })
  const args = ['--from', join(folder, 'latest.yml')]
  const upload = await run(...args, '--upload')
  expect(refusal(upload)).toContain(
    'Editor-x64.exe downloads Editor-x64.nsis.7z from its own folder',
  )
  expect(await run(...args, '--url-base', BASE)).toMatchObject({ code: 0, stderr: '' })
  const { body } = await server.call('GET', '/api/v1/releases/editor/stable/1.5.0')
  expect(body.release.notes).toBe('## 1.5.0\n\n- Faster\n\n## 1.4.0')
  expect(parse(await (await feed('latest.yml')).text())).toMatchObject({
    ...extra,
    packages: { x64: { ...packages.x64, path: `${BASE}/Editor-x64.nsis.7z` } },
  })
  writeFileSync(join(folder, 'notes.md'), 'Other notes')
  const again = await run(...args, '--url-base', BASE, '--if-exists', 'same-ok')
  expect(again).toMatchObject({ code: 0 })
  const changed = join(folder, 'beta.yml')
  writeFileSync(
    changed,
    readFileSync(join(folder, 'latest.yml'), 'utf8').replace('Summer', 'Winter'),
  )
  const differs = await run('--from', changed, '--url-base', BASE, '--if-exists', 'same-ok')
  expect(differs.stderr).toContain('members of the manifest of windows/x86_64/nsis')
})

test('files that no feed offers cause warnings, which are errors with --strict', async () => {
  const { server, run } = await start()
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  writeBuild(folder, {
    'Editor-1.5.0-full.nupkg': 'full',
    'Editor-1.5.0-delta.nupkg': 'delta',
    'latest-mac.yml': builderManifest('1.5.0', { 'Editor-x64.dmg': 'm' }),
    'latest-linux.yml': builderManifest('1.5.0', { 'editor_amd64.snap': 'l' }),
    RELEASES: `${'0'.repeat(40)} Editor-1.5-full.nupkg 4`,
    'releases.win.json': JSON.stringify({ Assets: [{ FileName: 'Editor-1.5.0-full.nupkg' }] }),
  })
  for (const list of ['RELEASES', 'releases.win.json']) {
    const ended = await run('--from', at(list))
    expect(refusal(ended)).toContain(`--from ${at(list)}: Not a RELEASES file of Squirrel`)
  }
  const args = [
    ...['--from', at('latest-mac.yml'), '--from', at('latest-linux.yml'), '--url-base', BASE],
    ...['--file', `windows/x64=${at('Editor-1.5.0-full.nupkg')}`],
    ...['--file', `windows/arm64=${at('Editor-1.5.0-delta.nupkg')}`],
  ]
  const warnings = [
    'Editor-1.5.0-full.nupkg is offered to no app that uses Squirrel.Windows or Velopack. Publish it with the RELEASES file or releases.*.json of its build, or its line as its signature.',
    'Editor-1.5.0-delta.nupkg is a delta package that is offered to no device: nothing says which package it was built from. Publish it with the RELEASES file or releases.*.json of its build, and with the full package.',
    'latest-mac.yml has no .zip file, so electron-updater is not offered this release on darwin.',
    'latest-linux.yml has no .AppImage, .deb, .rpm, or .pacman file, so electron-updater is not offered this release on linux.',
  ]
  const strict = await run(...args, '--strict')
  expect([strict.code, strict.stderr]).toEqual([
    2,
    `error: nothing was published, because of 4 warnings (--strict): ${warnings.join(' ')}\n`,
  ])
  expect((await server.call('GET', '/api/v1/releases/editor/stable/1.5.0')).status).toBe(404)
  const ended = await run(...args)
  expect([ended.code, ended.stderr.trimEnd().split('\n')]).toEqual([
    0,
    warnings.map((warning) => `warning: ${warning}`),
  ])
  const line = `${'0'.repeat(40)} Editor-1.6.0-full.nupkg 4`
  const artifact = (signature: string) =>
    [...['--artifact', `platform=windows,arch=x64,url=${BASE}/Editor-1.6.0-full.nupkg`]].map(
      (text) =>
        text.startsWith('platform')
          ? `${text},sha512=${'ab'.repeat(64)},signature=${signature}`
          : text,
    )
  const given = await run('1.6.0', ...artifact('sig'), '--strict')
  expect(given.stderr).toContain('Editor-1.6.0-full.nupkg is offered to no app')
  expect(await run('1.6.0', ...artifact(line), '--strict')).toMatchObject({ code: 0, stderr: '' })
})

test('a floor that nothing can compare causes a warning, and is shown in the draft', async () => {
  const { run } = await start()
  const folder = temporaryFolder()
  const manifest = builderManifest('1.5.0', { 'Editor-x64.exe': 'e' })
  writeBuild(folder, { 'latest.yml': `${manifest}minimumSystemVersion: Vista\n` })
  const ended = await run('--from', join(folder, 'latest.yml'), '--url-base', BASE, '--draft')
  expect([ended.code, ended.stderr.trimEnd().split('\n')]).toEqual([
    0,
    [
      'warning: Editor-x64.exe is offered whatever the operating system: its minimumSystemVersion Vista is not a version of windows.',
      'warning: latest.yml: electron-updater ignores the minimumSystemVersion Vista. It needs three numbers, such as 10.0.22631.',
    ],
  ])
  expect(ended.stdout).toMatch(
    /\nPLATFORM +ARCH +KIND +SIZE +MINIMUM OS +URL\nwindows +x86_64 +nsis +\d+ +Vista +https:/,
  )
})

test('latest.json says what it has that update checks do not, and what Tauri cannot install', async () => {
  const { run, artifacts } = await start()
  const folder = temporaryFolder()
  const url = `${BASE}/Editor_x64.dmg`
  const platforms = { 'darwin-x86_64': { url, signature: TAURI_SIGNATURE, format: 'dmg' } }
  const manifest = { version: '1.5.0', channel: 'beta', platforms }
  writeBuild(folder, { 'latest.json': JSON.stringify(manifest), 'Editor_x64.dmg': 'm' })
  const ended = await run('--from', join(folder, 'latest.json'))
  expect([ended.code, ended.stderr.trimEnd().split('\n')]).toEqual([
    0,
    [
      'warning: latest.json: Tauri apps on darwin cannot install Editor_x64.dmg.',
      'warning: latest.json has channel, which is kept with the release but not part of update checks.',
      'warning: latest.json: darwin-x86_64 has format, which is kept with the release but not part of update checks.',
    ],
  ])
  expect(await artifacts('1.5.0')).toMatchObject([
    { extra: { updater: 'tauri', file: { format: 'dmg' }, manifest: { channel: 'beta' } } },
  ])
})

test('notes of a manifest that are too long are refused in the words of the server', async () => {
  const { run } = await start()
  const path = join(temporaryFolder(), 'latest.json')
  const platforms = { 'windows-x86_64': { signature: TAURI_SIGNATURE, url: `${BASE}/setup.exe` } }
  writeFileSync(path, JSON.stringify({ version: '1.4.0', notes: 'x'.repeat(70_000), platforms }))
  writeFileSync(join(path, '../setup.exe'), 'installer')
  for (const draft of [[], ['--draft']]) {
    const { code, stderr } = await run('--from', path, ...draft)
    expect([code, stderr]).toEqual([2, 'error: notes: must be at most 64 KiB of UTF-8\n'])
  }
})
