// @module-tag long

import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { artifactsOf } from '../../../../src/server/cli/publish/rows.ts'
import { readTauriManifest } from '../../../../src/shared/artifacts/documents/tauri-manifest.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { closeVersion } from '../../../support/builders/arbitraries.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import {
  type ClientUpdate,
  installs,
  readAsClient,
  readStatic,
  type TauriDevice,
} from './updater-client.ts'

const ARCHES = ['x86_64', 'aarch64', 'i686']
/** The files of every bundle, by the end of their keys in `platforms`. */
const BUNDLES = {
  linux: { appimage: 'editor.AppImage', deb: 'editor.deb', rpm: 'editor.rpm' },
  darwin: { app: 'Editor.app.tar.gz' },
  windows: { nsis: 'Editor-setup.exe', msi: 'Editor.msi' },
} as const
const SYSTEMS = ['linux', 'darwin', 'windows'] as const

const device = fc.constantFrom(...SYSTEMS).chain((platform) =>
  fc.record({
    platform: fc.constant(platform),
    arch: fc.constantFrom(...ARCHES),
    bundle: fc.constantFrom(...Object.keys(BUNDLES[platform])),
  }),
)

/** The entries of a system and arch: those of some bundles, and one without a bundle for older plugins. */
const entries = fc
  .tuple(fc.constantFrom(...SYSTEMS), fc.constantFrom(...ARCHES), fc.nat(), fc.nat(7), fc.boolean())
  .map(([platform, arch, which, some, hasPlain]) => {
    const files = Object.entries(BUNDLES[platform])
    const plain = files[which % files.length]?.[1] ?? ''
    const named = files.filter((_, at) => (some >> at) % 2 === 1)
    const all = [
      ...(hasPlain ? [['', plain]] : []),
      ...named.map(([kind, file]) => [`-${kind}`, file]),
    ]
    return all.map(([end, file]) => {
      const url = `https://downloads.example/${arch}/${platform}/${file}?a=1&b=%20`
      const signature = Buffer.from(`signature of ${url}`).toString('base64')
      return [`${platform}-${arch}${end}`, { url, signature }] as const
    })
  })

const manifest = fc.record({
  version: fc.tuple(fc.constantFrom('', 'v'), closeVersion).map((parts) => parts.join('')),
  notes: fc.option(fc.string({ unit: codePoint, maxLength: 50 }), { nil: undefined }),
  pub_date: fc.constantFrom(undefined, '2026-08-15T08:24:11Z'),
  more: fc.constantFrom({}, { channel: 'beta' }),
  platforms: fc.array(entries, { minLength: 1, maxLength: 4 }).map((all) => all.flat()),
})

test("Tauri's plugin reads the same from a plain file server and from Tidegate, and installs the same", async () => {
  const server = await startWithApp()
  const installed = new Set<boolean>()
  let channels = 0
  const property = fc.asyncProperty(
    manifest.filter(({ platforms }) => platforms.length > 0),
    fc.array(device, { minLength: 8, maxLength: 8 }),
    closeVersion,
    async ({ more, platforms, ...release }, devices, running) => {
      const original = { ...release, ...more, platforms: Object.fromEntries(platforms) }
      const text = JSON.stringify(original)
      const read = readTauriManifest('latest.json', text)
      if (!read.ok) throw new Error(read.fault)
      // What an update check cannot have is named.
      const left = read.release.remarks.map(({ code }) => code)
      expect(left).toEqual('channel' in more ? ['not_served'] : [])
      const channel = `channel-${channels++}`
      await createChannel(server.catalog, ACTOR, { app: 'editor', name: channel })
      const { version, notes, artifacts } = read.release
      const rows = artifacts.map((row) => ({ ...row, sha512: hash('sha512', row.url) }))
      await publish(server, version, { channel, notes, artifacts: artifactsOf(rows, notes, false) })
      for (const each of devices) {
        const { platform, arch, bundle } = each
        const path = `/u/editor/${channel}/${platform}/${arch}/${encodeURIComponent(running)}`
        const response = await fetch(`${server.address}${path}?bundle=${bundle}`)
        const body = Buffer.from(await response.arrayBuffer())
        const served = readAsClient({ status: response.status, body }, running)
        const expected = outcome(each, readStatic(original, each, running))
        expect(outcome(each, served), `${text} ${JSON.stringify(each)}`).toEqual(expected)
        installed.add(expected !== null)
      }
    },
  )
  await fc.assert(property, { numRuns: 200 })
  expect(installed).toEqual(new Set([true, false]))
})

/** What a device installs. The date is that of the publication; no notes are empty ones. */
function outcome(device: TauriDevice, update: ClientUpdate | null) {
  if (update === null || !installs(device, update)) return null
  const { version, url, signature, notes } = update
  return { version, url: url.href, signature, notes: (notes ?? '').toWellFormed() }
}
