// @module-tag long

import type { UpdateInfo } from 'electron-updater'
import { findFile, parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { artifactsOf } from '../../../../src/server/cli/publish/rows.ts'
import { readBuilderManifest } from '../../../../src/shared/artifacts/documents/builder-manifest.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { startElectronUpdater } from '../../../support/updaters/electron-updater.ts'

const BASE = 'https://downloads.example/editor/'
/** Names that a manifest has already, or whose meaning is another one; `__proto__` is no member in JavaScript. */
const TAKEN = new Set([
  ...['version', 'files', 'path', 'sha512', 'releaseDate', 'releaseNotes', 'packages'],
  ...['minimumSystemVersion', 'stagingPercentage', 'url', 'size', 'blockMapSize'],
  ...['isAdminRightsRequired', '__proto__'],
])

const text = fc.string({ unit: codePoint, minLength: 1, maxLength: 20 })
const json = fc.jsonValue({ maxDepth: 3, stringUnit: codePoint }).map(inJson)
const others = fc
  .dictionary(
    text.filter((name) => !TAKEN.has(name)),
    json,
    { maxKeys: 3, noNullPrototype: true },
  )
  .map(inJson)
const floor = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99_999)).map((parts) => parts.join('.'))
const optional = <T>(member: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((some) => (some === undefined ? {} : { [member]: some }))
const merged = (...parts: readonly fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all): Record<string, unknown> => Object.assign({}, ...all))

const ofFile = merged(
  optional('size', fc.integer({ min: 1, max: 2 ** 40 })),
  optional('isAdminRightsRequired', fc.boolean()),
  optional('blockMapSize', fc.integer({ min: 1, max: 2 ** 30 })),
  others,
)
const ofManifest = merged(
  optional('minimumSystemVersion', floor),
  optional('releaseName', text),
  optional(
    'releaseNotes',
    fc.oneof(
      text,
      fc.array(fc.record({ version: floor, note: fc.option(text) }), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
  ),
  others,
)

/** Built files that `latest.yml`, `latest-mac.yml` and `latest-linux.yml` list. */
const BUILDS = fc.constantFrom(
  ['latest.yml', 'Editor-x64.exe', 'Editor-arm64.exe'],
  ['latest-mac.yml', 'Editor-x64-mac.zip', 'Editor-arm64-mac.zip'],
  ['latest-linux.yml', 'Editor-x86_64.AppImage', 'editor_amd64.deb'],
)

/** What updaters that run a version of the middle decide by a manifest: whether it is an update, and which file they take. */
function startDeciding() {
  const feed = 'https://updates.example'
  const updaters = {
    'latest.yml': { kind: 'nsis', end: 'exe' },
    'latest-mac.yml': { kind: 'mac', end: 'zip' },
    'latest-linux.yml': { kind: 'appimage', end: 'AppImage' },
  } as const
  const started = new Map(
    Object.entries(updaters).map(([name, { kind, end }]) => {
      const updater = startElectronUpdater({ kind, feed, version: '1.0.100' })
      return [name, { updater: updater as unknown as Deciding, end }]
    }),
  )
  return async (name: string, info: UpdateInfo) => {
    const { updater, end = '' } = started.get(name) ?? {}
    const file = findFile(resolveFiles(info, new URL(BASE)), end)
    const { isAdminRightsRequired = false, url = '', sha512 } = file?.info ?? {}
    return {
      isUpdate: await updater?.isUpdateAvailable(info),
      ...{ sha512, url: new URL(url, BASE).href, isAdminRightsRequired },
    }
  }
}

interface Deciding {
  isUpdateAvailable(info: UpdateInfo): Promise<boolean>
}

test('electron-updater reads the same from a plain file server and from Tidegate, in every member, and decides the same', async () => {
  const server = await startWithApp()
  const decide = startDeciding()
  const decisions = new Set<boolean | undefined>()
  let number = 0
  const property = fc.asyncProperty(
    BUILDS,
    fc.array(ofFile),
    ofManifest,
    async (build, of, more) => {
      const [name = '', ...files] = build
      const version = `1.0.${number++}`
      const listed = files.map((file, index) => {
        const sha512 = Buffer.alloc(64, index).toString('base64')
        return { ...of[index], url: file, sha512 }
      })
      const [first] = listed
      const releaseDate = '2026-08-15T08:24:11.955Z'
      const manifest = { ...more, version, files: listed, path: first?.url, sha512: first?.sha512 }
      const original = JSON.stringify({ ...manifest, releaseDate })
      const read = readBuilderManifest(name, original, BASE)
      if (!read.ok) throw new Error(read.fault)
      const { artifacts: rows, notes } = read.release
      const artifacts = artifactsOf(rows, notes, false)
      const { createdAt } = await publish(server, version, { artifacts, notes })
      const served = await server.call('GET', `/electron/editor/stable/${name}`, { key: null })
      const expected = parseUpdateInfo(original, name, new URL(BASE))
      const complete = (url: string | undefined) => `${BASE}${url}`
      const inOrder = (list: readonly { readonly url: string }[]) =>
        list.toSorted((one, other) => one.url.localeCompare(other.url))
      const info = parseUpdateInfo(served.text, name, new URL(BASE))
      expect({ ...info, files: inOrder(info.files) }).toEqual({
        ...expected,
        files: inOrder(expected.files.map((file) => ({ ...file, url: complete(file.url) }))),
        path: info.files[0]?.url,
        sha512: info.files[0]?.sha512,
        releaseDate: createdAt,
      })
      const decision = await decide(name, expected)
      expect(await decide(name, info)).toEqual(decision)
      decisions.add(decision.isUpdate)
    },
  )
  await fc.assert(property, { numRuns: 200 })
  expect(decisions).toEqual(new Set([true, false]))
})

function inJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
