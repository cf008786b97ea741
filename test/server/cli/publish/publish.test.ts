import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import {
  type Build,
  builderManifest,
  sha512Base64,
  sha512Hex,
  tauriManifest,
  writeBuild,
} from '../../../support/builders/builds.ts'
import { fileFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { TAURI_SIGNATURE } from '../../../support/builders/minisign.ts'
import { type Ended, expectRefused, refusal, startCommand } from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { databaseVariables } from '../../../support/servers/engine.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { startUploadStore } from '../../../support/servers/upload-store.ts'
import { scriptFile } from '../../../support/workers/script-file.ts'

const FILES: Build = {
  'Editor 1.4.0-setup.exe': 'a program',
  'Editor 1.4.0-setup.exe.sig': `${TAURI_SIGNATURE}\n`,
}
const BASE = 'https://downloads.example/1.4.0'

/** A pipeline with a key for a server, and a folder with its build. */
async function start(files: Build = FILES) {
  const server = await startWithApp()
  const folder = temporaryFolder()
  writeBuild(folder, files)
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const runWith = (key: string, ...args: string[]): Promise<Ended> =>
    startCommand(['publish', 'editor', 'stable', ...args], { ...env, TIDEGATE_KEY: key }).ended
  const run = (...args: string[]) => runWith(server.key, ...args)
  const at = (name: string) => join(folder, name)
  return { server, folder, run, runWith, at }
}

async function published({ call }: TestServer, version = '1.4.0') {
  return (await call('GET', `/api/v1/releases/editor/stable/${version}`)).body?.release
}

test('a built file is published with its size, SHA-512 and signature', async () => {
  const { server, run, at } = await start()
  writeFileSync(at('CHANGELOG.md'), '# Changes\n\n## [1.4.0] - 2026-11-02\n\nFast.\n\n## 1.3.0\n')
  const ended = await run(
    ...['v1.4.0', '--file', `win32/x64=${at('Editor 1.4.0-setup.exe')}`, '--url-base', BASE],
    ...['--notes', `${at('CHANGELOG.md')}#`, '--rollout', '10%', '--json'],
    ...['--targets', 'ring=beta', '--targets', 'ring=internal'],
  )
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const shown = JSON.parse(ended.stdout)
  expectDescribed(['publish'], shown)
  expect(shown).toEqual({ release: await published(server), created: true })
  expect(shown.release).toMatchObject({
    ...{ version: '1.4.0', notes: 'Fast.', rolloutPct: 10, status: 'published' },
    targets: { matchLabels: { ring: ['beta', 'internal'] } },
    artifacts: [
      {
        ...{ platform: 'win32', arch: 'x64', size: 9, signature: TAURI_SIGNATURE },
        url: `${BASE}/Editor%201.4.0-setup.exe`,
        sha512: sha512Hex('a program'),
      },
    ],
  })
})

test('a file without its signature causes a warning before it is published', async () => {
  const { run, at } = await start({ 'Editor-setup.exe': 'x' })
  const file = `windows/x86_64=${at('Editor-setup.exe')}`
  const { code, stderr } = await run('1.4.0', '--file', file, '--url-base', BASE)
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^warning: Editor-setup\.exe has no signature\./),
  ])
})

test('latest.json gets what it lacks from the uploads', async () => {
  const store = await startUploadStore()
  store.files.set('app.tar.gz', 'for two')
  store.files.set('setup.exe', 'for one')
  const urls = {
    'darwin-aarch64': `${store.address}app.tar.gz`,
    'darwin-x86_64': `${store.address}app.tar.gz`,
    'windows-x86_64': `${store.address}setup.exe`,
  }
  const { server, run, at } = await start({ 'latest.json': tauriManifest('v1.4.0', urls) })
  const lacking = await run('--from', at('latest.json'))
  expect(lacking).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(lacking)).toContain('app.tar.gz has no SHA-512; put the built file next to')
  const ended = await run('--from', at('latest.json'), '--verify-urls')
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.stderr).toContain(`Verified ${store.address}setup.exe (7 B)\n`)
  expect(await published(server)).toMatchObject({
    notes: 'Tauri',
    artifacts: [
      { platform: 'darwin', arch: 'aarch64', sha512: sha512Hex('for two'), size: 7 },
      { platform: 'darwin', arch: 'x86_64', sha512: sha512Hex('for two'), size: 7 },
      { platform: 'windows', sha512: sha512Hex('for one'), signature: TAURI_SIGNATURE },
    ],
  })
})

test('a given file completes the entry for its devices, whatever the name of its upload', async () => {
  const urls = { 'darwin-aarch64': 'https://d.example/Editor_aarch64.app.tar.gz' }
  const files = { 'latest.json': tauriManifest('1.4.0', urls), 'Editor.app.tar.gz': 'built' }
  const { server, run, at } = await start(files)
  const file = `macos/arm64=${at('Editor.app.tar.gz')}`
  expect(await run('--from', at('latest.json'), '--file', file)).toMatchObject({ code: 0 })
  const { artifacts } = await published(server)
  expect(artifacts).toMatchObject([
    {
      url: urls['darwin-aarch64'],
      sha512: sha512Hex('built'),
      size: 5,
      signature: TAURI_SIGNATURE,
    },
  ])
})

test('files of several kinds for the same devices are published side by side', async () => {
  const files = { 'editor.deb': 'd', 'editor.rpm': 'r', 'Editor.AppImage': 'a', 'setup.bin': 's' }
  const { server, run, at } = await start(files)
  const given = [
    ...[`linux/x86_64=${at('editor.deb')}`, `linux/x86_64=${at('editor.rpm')}`],
    ...[`linux/x86_64=${at('Editor.AppImage')}`, `linux/amd64/Custom=${at('setup.bin')}`],
  ].flatMap((file) => ['--file', file])
  expect(await run('1.4.0', ...given, '--url-base', BASE)).toMatchObject({ code: 0 })
  const { artifacts } = await published(server)
  expect(artifacts.map(({ kind, url }: Build) => [kind, url])).toEqual([
    ['deb', `${BASE}/editor.deb`],
    ['rpm', `${BASE}/editor.rpm`],
    ['appimage', `${BASE}/Editor.AppImage`],
    ['custom', `${BASE}/setup.bin`],
  ])
  const wrong = await run('1.4.1', '--file', `linux/x86_64/a b=${at('setup.bin')}`)
  expect(refusal(wrong)).toContain('"a b" must be 1 to 64 letters')
})

test('a given file completes the entry of its kind, or the only one, of a manifest', async () => {
  const urls = {
    'linux-x86_64-deb': `${BASE}/1.deb`,
    'linux-x86_64-rpm': `${BASE}/1.rpm`,
    'windows-x86_64': `${BASE}/1.exe`,
  }
  const files = {
    'latest.json': tauriManifest('1.4.0', urls),
    'a.deb': 'd',
    b: 'r',
    'c-setup.exe': 'e',
  }
  const { server, run, at } = await start(files)
  const given = [
    ...[`linux/x86_64=${at('a.deb')}`, `linux/x86_64/rpm=${at('b')}`],
    `windows/x64=${at('c-setup.exe')}`,
  ].flatMap((file) => ['--file', file])
  expect(await run('--from', at('latest.json'), ...given)).toMatchObject({ code: 0 })
  const { artifacts } = await published(server)
  expect(artifacts).toMatchObject([
    { kind: 'deb', url: `${BASE}/1.deb`, sha512: sha512Hex('d') },
    { kind: 'rpm', url: `${BASE}/1.rpm`, sha512: sha512Hex('r') },
    { kind: '', url: `${BASE}/1.exe`, sha512: sha512Hex('e') },
  ])
})

test('manifests of electron-builder make one release', async () => {
  const [windows, mac] = [{ 'Editor-x64.exe': 'w' }, { 'Editor-arm64.zip': 'm' }]
  const linux = { 'Editor.AppImage': 'l' }
  const { server, run, at } = await start({
    'latest.yml': builderManifest('1.4.0', windows),
    'latest-mac.yml': builderManifest('1.4.0', mac),
    'latest-linux.yml': builderManifest('1.4.0', linux),
    ...windows,
    'other.yml': builderManifest('1.5.0', mac),
  })
  const from = ['latest.yml', 'latest-mac.yml', 'latest-linux.yml'].flatMap((name) => [
    ...['--from', at(name)],
  ])
  const noBase = await run(...from)
  expect(noBase).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(noBase)).toContain('Editor-x64.exe has no URL')
  const other = await run('--from', at('latest.yml'), '--from', at('other.yml'))
  expect(refusal(other)).toMatch(
    /latest\.yml is for version 1\.4\.0, but .*other\.yml is for 1\.5\.0/,
  )
  const wrong = await run('1.4.1', ...from, '--url-base', BASE)
  expect(refusal(wrong)).toContain('latest.yml is for version 1.4.0, not version 1.4.1')
  expect(await run(...from, '--url-base', BASE)).toMatchObject({ code: 0, stderr: '' })
  expect((await published(server)).artifacts).toMatchObject([
    // In hex, because the file beside the manifest was read.
    { platform: 'windows', arch: 'x86_64', url: `${BASE}/Editor-x64.exe`, sha512: sha512Hex('w') },
    { platform: 'darwin', arch: 'aarch64', sha512: sha512Base64('m') },
    { platform: 'linux', arch: 'x86_64', size: 1 },
  ])
})

test('a file that electron-builder calls otherwise on GitHub is found by its content', async () => {
  const { server, run, at } = await start({
    'latest.yml': builderManifest('1.4.0', { 'editor-Setup-1.4.0.exe': 'built' }),
    'Another 1.4.0.exe': 'other',
    'Editor Setup 1.4.0.exe': 'built',
  })
  expect(await run('--from', at('latest.yml'), '--url-base', BASE)).toMatchObject({ code: 0 })
  // In hex, because the file was read.
  const url = `${BASE}/editor-Setup-1.4.0.exe`
  expect((await published(server)).artifacts).toMatchObject([{ url, sha512: sha512Hex('built') }])
})

test('files of another build than the manifest are refused', async () => {
  const { server, run, at } = await start({
    'latest.yml': builderManifest('1.4.0', { 'Editor.exe': 'listed' }),
    'Editor.exe': 'rebuilt',
    'tauri/latest.json': tauriManifest('1.4.0', { 'windows-x86_64': `${BASE}/Editor.exe` }),
    'tauri/Editor.exe': 'signed',
    'tauri/Editor.exe.sig': 'b3RoZXI=',
  })
  const hash = await run('--from', at('latest.yml'), '--url-base', BASE)
  expectRefused(hash, 2, 'Editor.exe is not the file that latest.yml describes')
  const signature = await run('--from', at('tauri/latest.json'))
  expectRefused(signature, 2, 'Editor.exe.sig is not the signature that latest.json has')
  expect(await published(server)).toBeUndefined()
})

test('nothing is published unless every upload is the built file', async () => {
  const store = await startUploadStore()
  const names = ['same', 'missing', 'short', 'long', 'other', 'silent', 'stuck']
  const { server, run, at } = await start(Object.fromEntries(names.map((name) => [name, 'bytes'])))
  for (const name of ['same', 'silent']) store.files.set(name, 'bytes')
  store.files.set('short', 'byte')
  store.files.set('long', 'bytes and more')
  store.files.set('other', 'BYTES')
  store.faults.set('silent', () => {})
  store.faults.set('stuck', (response) => response.writeHead(200).write('by'))
  const files = names.flatMap((name) => ['--file', `${name}/any=${at(name)}`])
  const ended = await run(
    ...['1.4.0', ...files, '--url-base', store.address, '--verify-urls', '--url-timeout', '1'],
  )
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(`Verified ${store.address}same (5 B)\n`)
  const [error = ''] = ended.stderr.match(/^error: .*$/m) ?? []
  expect(error).toContain('nothing was published, because 6 of 7 uploads failed the check: ')
  const problems = {
    missing: 'answered with status 404',
    short: 'has 4 bytes instead of 5',
    long: 'has more than 5 bytes',
    other: 'has another SHA-512',
    silent: 'sent nothing for 1 second',
    stuck: 'sent nothing for 1 second',
  }
  for (const [name, problem] of Object.entries(problems)) {
    expect(error).toContain(`${store.address}${name} ${problem}`)
  }
  expect(await published(server)).toBeUndefined()
})

test('at most four uploads are downloaded at once', async () => {
  const store = await startUploadStore()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const { run, at } = await start(Object.fromEntries(names.map((name) => [name, 'bytes'])))
  // All wait for the fourth and a moment longer, so that a fifth at once is seen and a slow machine changes nothing.
  const held: ServerResponse[] = []
  let atOnce: number | undefined
  const answer = () => {
    atOnce ??= held.length
    for (const response of held.splice(0)) response.end('bytes')
  }
  for (const name of names) {
    store.faults.set(name, (response) => {
      held.push(response)
      if (atOnce !== undefined) answer()
      else if (held.length === 4) setTimeout(answer, 100)
    })
  }
  const files = names.flatMap((name) => ['--file', `${name}/any=${at(name)}`])
  const verify = ['--url-base', store.address, '--verify-urls']
  expect(await run('1.4.0', ...files, ...verify)).toMatchObject({ code: 0 })
  expect(atOnce).toBe(4)
})

test('a second run succeeds if the release is the same, and names what differs', async () => {
  const { server, folder, run, at } = await start()
  writeFileSync(at('notes.md'), 'First\r\n')
  const file = `windows/x86_64=${at('Editor 1.4.0-setup.exe')}`
  const args = ['1.4.0', '--file', file, '--url-base', BASE, '--notes', at('notes.md')]
  const sameOk = ['--if-exists', 'same-ok']
  expect(await run(...args, ...sameOk)).toMatchObject({ code: 0 })
  const place = { app: 'editor', channel: 'stable', version: '1.4.0' }
  await server.call('PATCH', '/api/v1/releases', { body: { ...place, status: 'paused' } })

  const again = await run(...args, ...sameOk, '--rollout', '20', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({
    ...{ created: false, release: { status: 'paused', rolloutPct: 100 } },
  })
  expect(await run(...args)).toMatchObject({ code: 3 })
  const local = ['publish', 'editor', 'stable', ...args, ...sameOk, '--data', server.folder]
  const there = await startCommand(local).ended
  expect([there.code, there.stdout]).toEqual([0, expect.stringContaining('Nothing was changed.')])

  writeBuild(folder, { 'Editor 1.4.0-setup.exe': 'another program', 'notes.md': 'Second' })
  const other = await run(...args, '--file', `linux/any=${at('notes.md')}`, ...sameOk)
  expect(other).toMatchObject({ code: 3, stdout: '' })
  expect(other.stderr).toContain(
    'error: 1.4.0 already exists on editor/stable and differs: the notes; SHA-512 and size of windows/x86_64/nsis; it has no file for linux/any. ',
  )
  writeBuild(folder, { ...FILES, 'notes.md': 'First' })
  await server.call('PATCH', '/api/v1/releases', { body: { ...place, status: 'rolled_back' } })
  const back = await run(...args, ...sameOk)
  expectRefused(back, 3, 'was rolled back')
})

test('a version below others, and the first pre-release, cause warnings, which are errors with --strict', async () => {
  const { server, runWith, at } = await start({
    'editor-setup.exe': 'a',
    'editor-setup.exe.sig': TAURI_SIGNATURE,
  })
  const key = await server.mint({ scopes: ['publish'], name: 'build' })
  const file = [
    '--file',
    `windows/x64=${at('editor-setup.exe')}`,
    '--url-base',
    'https://a.example',
  ]
  const signed = (version: string, ...args: string[]) => runWith(key, version, ...file, ...args)
  expect(await signed('1.4.0')).toMatchObject({ code: 0, stderr: '' })
  const first = await signed('1.4.1-alpha99')
  expect(first.stderr).toContain('1.4.1-alpha99 is a pre-release')
  const refused = await signed('1.4.1-alpha100', '--strict')
  expectRefused(
    refused,
    2,
    '1.4.1-alpha100 is lower than 1.4.1-alpha99, the latest version on this channel. alpha100 and alpha99 are compared as text; alpha.100 would be compared as a number.',
  )
  expect(await published(server, '1.4.1-alpha100')).toBeUndefined()
  const warned = await signed('1.4.1-alpha100')
  expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining('compared as text')])
  const check = '/api/v1/releases/editor/stable/1.4.1-alpha100/check'
  expect((await server.call('GET', check, { key })).body).toEqual({
    verdict: { state: 'duplicate', version: '1.4.1-alpha100', status: 'published' },
  })
})

test('notes come from standard input', async () => {
  const { server, at } = await start()
  const file = `windows/x86_64=${at('Editor 1.4.0-setup.exe')}`
  const args = ['publish', 'editor', 'stable', '1.4.0', '--file', file, '--url-base', BASE]
  const child = spawn(
    process.execPath,
    [scriptFile('cli'), ...args, '--notes', '-', '--data', server.folder],
    {
      env: { ...process.env, ...(await databaseVariables(server.folder)) },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdin.end('Grüße\n')
  await text(child.stdout)
  expect(await published(server)).toMatchObject({ notes: 'Grüße\n' })
})

test.each([
  [['1.4.0'], 'specify what to publish'],
  [['--file', 'windows/x86_64=FILE', '--url-base', BASE], 'specify the version'],
  [['1.4.0', '--file', 'windows=FILE'], 'It must have the form platform/arch=path'],
  [['1.4.0', '--file', 'win dows/x64=FILE'], '"win dows" '],
  [['1.4.0', '--file', 'windows/x86_64=FILE'], 'specify the folder'],
  [['1.4.0', '--file', 'windows/x86_64=FILE', '--url-base', 'ftp://x'], '--url-base ftp://x: must'],
  [['1.4.0', '--from', 'FILE'], 'The file is not valid JSON.'],
  [['1.4.0', '--from', 'FOLDER/a.yml'], 'the file cannot be read', 1],
  [['1.4.0', '--artifacts-file', 'FILE', '--targets', 'ring'], 'It must have the form key=value.'],
  [['1.4.0', '--artifacts-file', 'FILE', '--targets', 'a=', '--targets-file', 'b'], 'together'],
  [['1.4.0', '--artifacts-file', 'FILE', '--targets', 'ring='], 'must not be empty'],
  [
    ['1.4.0', '--artifacts-file', 'FILE', '--if-exists', 'ignore'],
    'Allowed choices are fail, same-ok',
  ],
  [['1.4.0', '--artifacts-file', 'FILE', '--url-timeout', '0'], 'must be 1 to 3600'],
  [
    ['1.4.0', '--file', 'windows/x86_64=FILE', '--url-base', BASE, '--notes', 'LOG#1.4.0'],
    'no section "1.4.0"; its headings have 1.3.0 and 1.2.0',
  ],
  [
    ['1.4.0', '--file', 'windows/x86_64=FILE', '--url-base', BASE, '--notes', 'LOG#1.2.0'],
    'the section "1.2.0" is empty',
  ],
])('%j is wrong', async (args, message, exitCode = 2) => {
  const folder = fileFolder()
  writeBuild(folder, { 'a.exe': 'x', LOG: '## 1.3.0\n\nold\n\n## 1.2.0\n' })
  const full = args.map((word) =>
    word
      .replace('FILE', join(folder, 'a.exe'))
      .replace('FOLDER', folder)
      .replace('LOG', join(folder, 'LOG')),
  )
  const ended = await startCommand(['publish', 'editor', 'stable', ...full, '--data', folder]).ended
  expect(ended).toMatchObject({ code: exitCode, stdout: '' })
  expect(ended.stderr).toContain(message)
})
