import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { DocumentKey } from '../../src/shared/files/signed-document.ts'
import type { DocumentUpdater } from '../../src/shared/files/updater.ts'
import { PRINCIPAL } from '../support/builders/actor.ts'
import { artifact, publishBody, SHA512_BASE64, SHA512_HEX } from '../support/builders/releases.ts'
import { readPage } from '../support/docs/page.ts'
import { publish, RELEASES, setPolicy } from '../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'
import { key, sha512Of } from '../support/servers/signed-release.ts'
import { namesInFeed } from '../support/updaters/offered-files.ts'
import { signedAppcast, sparkleKey } from '../support/updaters/signed-appcast.ts'
import { signedManifest } from '../support/updaters/signed-manifest.ts'

const SHA1 = 'CD'.repeat(20)
const ED = `${'E'.repeat(86)}==`
const TAURI = 'dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZQ=='
const SIZE = 564_738
const sparkle = sparkleKey()

/** An app of each updater: the end of its file, its signature, and the address of its feed. */
const APPS = {
  Tauri: {
    ...{ platform: 'linux', file: '.AppImage', signature: TAURI },
    feed: '/u/editor/stable/linux/x86_64/1.0.0',
  },
  'electron-updater': {
    ...{ platform: 'windows', file: '.exe', signature: TAURI },
    feed: '/electron/editor/stable/latest.yml',
  },
  'Squirrel.Mac': {
    ...{ platform: 'darwin', file: '.zip', signature: ED },
    feed: '/squirrel/editor/stable/darwin/x64/1.0.0',
  },
  'Squirrel.Windows': {
    ...{ platform: 'windows', file: '.nupkg', signature: SHA1 },
    feed: '/squirrel/editor/stable/win32/x64/1.0.0/RELEASES',
  },
  Sparkle: {
    ...{ platform: 'darwin', file: '.dmg', signature: ED },
    feed: '/sparkle/editor/stable/appcast.xml?version=1.0.0',
  },
  Velopack: {
    ...{ platform: 'windows', file: '.nupkg', signature: SHA1 },
    feed: '/velopack/editor/stable/win32/x64/releases.win.json?localVersion=1.0.0',
  },
} as const

/** What a feed contains that serves a member, in any spelling. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  notes: ['Fixes printing'],
  size: [String(SIZE)],
  sha512: [SHA512_HEX, SHA512_BASE64],
  updateMode: ['required', 'criticalUpdate'],
  minimumSystemVersion: ['13.23.45'],
  isAdminRightsRequired: ['isAdminRightsRequired'],
  blockMapSize: ['918273'],
  extra: ['ofTheFile', 'ofTheManifest'],
}

/** The rows of the table, by what they are about, with a cell for each updater. */
const table = tableUnder('| Served |')

test('the table of what each updater is served has every updater', () => {
  expect(table.get('Served')).toEqual(Object.keys(APPS))
  const members = [...Object.keys(MARKS), 'signature', 'documents'].map((name) => `\`${name}\``)
  expect([...table.keys()].slice(1).toSorted()).toEqual(
    [...members, ...Object.values(SYSTEMS).map((name) => `Files for ${name}`)].toSorted(),
  )
})

const SHA512 = sha512Of('the file')
const FILE = { sha512: SHA512, size: 8 }

/** What each build tool writes for a version, and how its publisher signs it. */
const DOCUMENTS = {
  electron: {
    ...{ name: 'latest.yml', file: () => 'Editor.exe', platform: 'windows', signature: () => '' },
    write: (version: string) => manifestFor(version, (manifest) => stringify(manifest)),
    sign: (version: string) => manifestFor(version, (manifest) => signedManifest(manifest, key)),
  },
  sparkle: {
    ...{ name: 'appcast.xml', file: () => 'Editor.dmg', platform: 'darwin', signature: () => ED },
    write: appcastOf,
    sign: (version: string) => signedAppcast(appcastOf(version), sparkle),
  },
  squirrel: {
    ...{ name: 'RELEASES', file: packageOf, platform: 'windows', signature: lineOf },
    write: lineOf,
    sign: undefined,
  },
  velopack: {
    ...{ name: 'releases.win.json', file: packageOf, platform: 'windows', signature: lineOf },
    write: (version: string) => {
      const asset = { Type: 'Full', FileName: packageOf(version), SHA1, Size: 8 }
      return JSON.stringify({ Assets: [{ PackageId: 'Editor', Version: version, ...asset }] })
    },
    sign: undefined,
  },
} as const satisfies Readonly<Record<DocumentUpdater, object>>

function packageOf(version: string): string {
  return `Editor-${version}-full.nupkg`
}

function lineOf(version: string): string {
  return `${SHA1} ${packageOf(version)} 8`
}

function manifestFor(
  version: string,
  write: (manifest: Readonly<Record<string, unknown>>) => string,
): string {
  return write({ version, files: [{ url: 'Editor.exe', ...FILE }], path: 'Editor.exe', ...FILE })
}

function appcastOf(version: string): string {
  return `<?xml version="1.0"?>
<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0"><channel><item>
<sparkle:version>${version}</sparkle:version>
<enclosure url="Editor.dmg" length="8" type="application/octet-stream" sparkle:edSignature="${ED}"/>
</item></channel></rss>
`
}

test('the table has the documents that are served unchanged', async () => {
  const server = await startWithApp()
  const documentKeys = ['electron', 'sparkle'].map((updater) =>
    DocumentKey.parse(`${updater}:${updater === 'electron' ? key.pem : sparkle.publicKey}`),
  )
  await server.updates.setProving(PRINCIPAL, { app: 'editor', change: { documentKeys } })
  const cells = new Map<string, string>()
  let minor = 1
  for (const [updater, { name, file, platform, signature, ...texts }] of Object.entries(
    DOCUMENTS,
  )) {
    for (const write of [texts.sign, texts.write]) {
      if (write === undefined) continue
      const version = `1.${minor++}.0`
      const text = write(version)
      const url = `https://a.example/${version}/${file(version)}`
      const content = Buffer.from(text).toString('base64')
      const devices = { platform, arch: 'x86_64' }
      const artifacts = [artifact({ ...FILE, ...devices, url, signature: signature(version) })]
      const body = { artifacts, documents: [{ updater, name, content }] }
      const published = await server.call('POST', RELEASES, { body: publishBody(version, body) })
      if (published.status !== 201) expect(write, published.text).toBe(texts.write)
      for (const [app, { feed }] of Object.entries(APPS)) {
        const answer = await server.call('GET', feed, { key: null })
        if (answer.text !== text) continue
        const list = `\`${name.replace('.win.', '.*.')}\``
        cells.set(app, write === texts.sign ? 'If signed' : list)
      }
    }
  }
  expect(table.get('`documents`')).toEqual(Object.keys(APPS).map((app) => cells.get(app) ?? 'No'))
})

const MEMBERS = { file: { ofTheFile: 1 }, manifest: { ofTheManifest: 1 } }
/** What the publisher's own manifest says beyond what is read, by the feed of its updater. */
const EXTRAS: Readonly<Record<string, object>> = {
  u: { updater: 'tauri', ...MEMBERS },
  electron: { updater: 'electron', ...MEMBERS },
  sparkle: {
    updater: 'sparkle',
    file: { 'sparkle:installationType': 'ofTheFile' },
    manifest: { item: [{ name: 'link', text: 'ofTheManifest' }] },
  },
}

test('each updater is served those members of a release that the table says', async () => {
  const rows = new Map<string, string[]>()
  const add = (member: string, cell: string) =>
    rows.set(member, [...(rows.get(member) ?? []), cell])
  for (const { platform, file, signature, feed } of Object.values(APPS)) {
    const server = await startWithApp()
    await setPolicy(server, { updateMode: 'required' })
    await publish(server, '1.1.0', {
      notes: 'Fixes printing.',
      artifacts: [
        {
          ...{ platform, arch: 'x86_64', url: `https://a.example/Editor-1.1.0-full${file}` },
          ...{ sha512: SHA512_HEX, size: SIZE, signature, minimumSystemVersion: '13.23.45' },
          ...{ isAdminRightsRequired: true, blockMapSize: 918_273 },
          extra: EXTRAS[feed.split('/')[1] ?? ''] ?? EXTRAS.u,
        },
      ],
    })
    const { status, text } = await server.call('GET', feed, { key: null })
    expect(status, text).toBe(200)
    expect(text).toContain('Editor-1.1.0-full')
    for (const [member, marks] of Object.entries(MARKS)) {
      add(member, marks.some((mark) => text.includes(mark)) ? 'Yes' : 'No')
    }
    const ofPackage = file === '.nupkg' ? 'Its SHA-1' : 'Yes'
    add('signature', text.includes(signature) ? ofPackage : 'No')
  }
  for (const [member, cells] of rows) expect.soft(table.get(`\`${member}\``), member).toEqual(cells)
})

const SYSTEMS = { windows: 'Windows', darwin: 'macOS', linux: 'Linux' } as const

/** Files that some updater could install, in the order of the table. */
const ENDS = [
  ...['.exe', '.msi', '.nupkg', '.dmg', '.zip', '.pkg', '.tar.gz', '.tgz', '.tar.xz', '.tar.bz2'],
  ...['.aar', '.AppImage', '.deb', '.rpm', '.pacman', '.snap', '.appx', '.7z'],
]

test('each updater is served those files that the table says', async () => {
  const server = await startWithApp()
  const served = new Map<string, string[]>()
  for (const [index, end] of ENDS.entries()) {
    const version = `1.${index + 1}.0`
    const name = `Editor-${version}-full${end}`
    const signature = end === '.nupkg' ? `${SHA1} ${name} 42` : ''
    const artifacts = Object.keys(SYSTEMS).map((platform) =>
      artifact({ platform, arch: 'x86_64', url: `https://a.example/${name}`, signature }),
    )
    await publish(server, version, { artifacts })
    for (const platform of Object.keys(SYSTEMS)) {
      for (const updater of Object.keys(APPS)) {
        const key = `${platform} ${updater}`
        const names = await filesOf(server, updater, platform)
        if (names.includes(name)) served.set(key, [...(served.get(key) ?? []), end])
      }
    }
  }
  for (const [platform, system] of Object.entries(SYSTEMS)) {
    const cells = Object.keys(APPS).map((updater) => {
      const ends = served.get(`${platform} ${updater}`) ?? []
      if (ends.length === ENDS.length) return 'All'
      return ends.length === 0 ? 'None' : ends.map((end) => `\`${end}\``).join(', ')
    })
    expect.soft(table.get(`Files for ${system}`), system).toEqual(cells)
  }
})

/** The names of the files that an app is offered on a platform; none where its updater does not exist. */
async function filesOf(server: TestServer, updater: string, platform: string): Promise<string[]> {
  if (updater === 'Tauri') {
    const path = `/u/editor/stable/${platform}/x86_64/1.0.0`
    const { status, body } = await server.call('GET', path, { key: null })
    return status === 204 ? [] : [new URL(body.url).pathname.slice(1)]
  }
  if (updater === 'Sparkle' && platform !== 'darwin') return []
  if (updater === 'Squirrel.Mac' && platform !== 'darwin') return []
  if (updater === 'Squirrel.Windows' && platform !== 'windows') return []
  const client = updater.toLowerCase().replace(/[-.]/, '_')
  const names = await namesInFeed(server, client, platform, 'x86_64')
  if (names === undefined) throw new Error(`${updater} has no feed`)
  return names
}

function tableUnder(heading: string): Map<string, readonly string[]> {
  const lines = readPage('docs/connect.md').split('\n')
  const begin = lines.findIndex((line) => line.startsWith(heading))
  const rows = new Map<string, readonly string[]>()
  for (const line of lines.slice(begin)) {
    if (!line.startsWith('|')) break
    const [name = '', ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    if (!name.startsWith('---')) rows.set(name, cells)
  }
  return rows
}
