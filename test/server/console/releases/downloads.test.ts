import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Artifact } from '../../../../src/shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'
import { noise } from '../../../support/builders/noise.ts'
import { SHA512_HEX } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish } from '../../../support/servers/calls.ts'
import { callerOf, previewOf } from '../../../support/servers/console.ts'
import { report } from '../../../support/servers/fleet-calls.ts'
import { downloadUrl, startHosting, uploadFile } from '../../../support/servers/hosting.ts'
import { asking, patchBetween } from '../../../support/servers/patched.ts'

const KIB = 1_024
const WINDOWS = { platform: 'windows', arch: 'x86_64' }
const PLACE = { app: 'editor', channel: 'stable', version: '1.1.0' }

/** A server with two versions of a stored file, of which the second has other bytes in one place. */
async function startWithVersions(name: string) {
  const server = await startHosting()
  const old = noise(1_024 * KIB, 'old')
  const next = Buffer.from(old)
  noise(4 * KIB, 'next').copy(next, 500 * KIB)
  const files: { readonly url: string }[] = []
  for (const [version, content] of Object.entries({ '1.0.0': old, '1.1.0': next })) {
    const file = await uploadFile(server, content, name.replace('VERSION', version))
    files.push(file)
    const { url, sha512 } = file
    // The size is not published, but the server knows it.
    const elsewhere = {
      platform: 'linux',
      arch: 'any',
      url: 'https://a.example/e',
      sha512: SHA512_HEX,
    }
    await publish(server, version, { artifacts: [{ ...WINDOWS, url, sha512 }, elsewhere] })
  }
  const makeBlockMaps = async () => {
    for (const file of files) {
      expect((await fetch(`${downloadUrl(server, file)}.blockmap`)).status).toBe(200)
    }
  }
  const contents = [old, next] as const
  return { server, console: callerOf(server), size: next.length, makeBlockMaps, contents }
}

test('a stored file has its size, and what has changed in it once its block maps are made', async () => {
  const { console, size, makeBlockMaps } = await startWithVersions('Editor VERSION.exe')
  const elsewhere = { size: 0, changed: null }
  expect(await console.releases.downloads(PLACE)).toEqual({
    ...{ from: '1.0.0', artifacts: [{ size, changed: null }, elsewhere] },
  })
  await makeBlockMaps()
  const { from, artifacts } = await console.releases.downloads(PLACE)
  expect(from).toBe('1.0.0')
  expect(artifacts).toEqual([{ size, changed: expect.any(Number) }, elsewhere])
  // One block or two neighbours, of 8 to 32 KiB each.
  expect(artifacts[0]?.changed).toBeGreaterThanOrEqual(8 * KIB)
  expect(artifacts[0]?.changed).toBeLessThanOrEqual(64 * KIB)
  expect(await console.releases.downloads({ ...PLACE, version: '1.0.0' })).toEqual({
    ...{ from: null, artifacts: [{ size, changed: null }, elsewhere] },
  })
})

test('what has changed is not said if a block map is damaged', async () => {
  const { server, console, size, makeBlockMaps } = await startWithVersions('Editor VERSION.exe')
  await makeBlockMaps()
  const folder = join(server.artifacts, 'blockmaps')
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), gzipSync('{"files":[]}'))
  const [file] = (await console.releases.downloads(PLACE)).artifacts
  expect(file).toEqual({ size, changed: null })
})

test('what has changed is not said of a file that electron-updater downloads as one', async () => {
  const { console, size } = await startWithVersions('Editor-VERSION.msi')
  const [file] = (await console.releases.downloads(PLACE)).artifacts
  expect(file).toEqual({ size, changed: null })
})

test('a preview adds up the files of the devices that a release is newly offered to', async () => {
  const { server, console } = await startWithVersions('Editor VERSION.exe')
  const { sha512 } = await uploadFile(server, noise(10, 'small'), 'small')
  await publish(server, '1.2.0', {
    rolloutPct: 0,
    artifacts: [
      { ...WINDOWS, url: 'https://a.example/small', sha512 },
      { ...WINDOWS, arch: 'aarch64', url: 'https://a.example/a.exe', sha512: SHA512_HEX, size: 50 },
      { platform: 'linux', arch: 'any', url: 'https://a.example/e', sha512: SHA512_HEX },
    ],
  })
  const device = (deviceId: string, platform: string, arch: string) => {
    return { deviceId, platform, arch, version: '1.1.0', labels: {} }
  }
  await report(server, [
    ...[device('d-1', 'windows', 'x86_64'), device('d-2', 'windows', 'x86_64')],
    ...[device('d-3', 'windows', 'aarch64'), device('d-4', 'linux', 'x86_64')],
  ])
  const at = async (rolloutPct: number) => {
    return (await previewOf(console, { ...PLACE, version: '1.2.0', rolloutPct })).preview
  }
  expect(await at(100)).toMatchObject({ gaining: 4, sized: 3, bytes: 2 * 10 + 50 })
  expect(await at(0)).toMatchObject({ gaining: 0, sized: 0, bytes: 0 })
})

test('before a release is published, a preview says what devices download of it, by what they run', async () => {
  const { server, console, contents } = await startWithVersions('Editor VERSION.exe')
  const offer = () => server.call('GET', '/u/editor/stable/windows/x86_64/0.1.0', { key: null })
  // Patches are made from what was offered: 1.0.0 never was.
  expect((await offer()).body.version).toBe('1.1.0')
  const next = Buffer.concat([noise(1_024 * KIB, 'old'), noise(20 * KIB, 'end')])
  const file = await uploadFile(server, next, 'Editor 1.2.0.exe')
  const elsewhere = { platform: 'linux', arch: 'any', url: 'https://a.example/e' }
  const artifacts = [
    { ...WINDOWS, url: file.url, sha512: file.sha512 },
    { ...elsewhere, sha512: SHA512_HEX, size: 50 },
  ]
  const device = (deviceId: string, version: string, platform = 'windows') => {
    return { deviceId, version, platform, arch: 'x86_64', labels: {} }
  }
  await report(server, [
    ...[device('d-1', '1.1.0'), device('d-2', '1.1.0'), device('d-3', '1.0.0')],
    // Of a version that was never published here, and with a file that is elsewhere.
    ...[device('d-4', '0.9.0'), device('d-5', '1.1.0', 'linux')],
  ])
  const release = {
    ...{ ...PLACE, version: '1.2.0', rolloutPct: 100, targets: EVERY_DEVICE },
    artifacts: artifacts.map((each) =>
      Artifact.parse({ kind: '', signature: '', size: 0, ...each }),
    ),
  }
  const previewed = async () => {
    for await (const event of await console.releases.previewPublish(release)) {
      if (event.type === 'result') return event.preview
    }
    throw new Error('the preview had no result')
  }
  // The block maps are made for the first one, which does not wait long.
  const preview = await eventually(async () => {
    const counted = await previewed()
    expect(counted.blocks).toMatchObject({ devices: 4, known: 3 })
    return counted
  })
  const bytes = 4 * next.length + 50
  expect(preview).toMatchObject({ gaining: 5, sized: 5, bytes })
  const { blocks, patches } = preview
  // The 20 KiB at the end for each, and for those on 1.1.0 the block with the bytes that only 1.0.0 has.
  expect(blocks.bytes).toBeGreaterThanOrEqual((3 * 20 + 2 * 8) * KIB)
  expect(blocks.bytes).toBeLessThanOrEqual((3 * (20 + 32) + 2 * 64) * KIB)

  // The patch is made once the release is offered: until then, the most that it can be is known.
  const { bytes: both, ...counts } = patches
  expect(counts).toEqual({ devices: 4, known: 3, most: 2 })
  await publish(server, '1.2.0', { artifacts })
  await offer()
  await patchBetween(server, file, contents[1])
  const headers = asking(contents[1])
  const patch = await (await fetch(downloadUrl(server, file), { headers })).arrayBuffer()
  expect(patch.byteLength).toBeGreaterThan(24 * KIB)
  expect(patch.byteLength).toBeLessThanOrEqual((both - next.length) / 2)
})
