import { readFileSync } from 'node:fs'
import { deflateRawSync, gunzipSync } from 'node:zlib'
import type { AppUpdater } from 'electron-updater'
import { describe, expect, test } from 'vitest'
import type { ServerConfigInput } from '../../../../src/server/config.ts'
import { BlockMap } from '../../../../src/server/hosting/block-maps/block-map.ts'
import { noise } from '../../../support/builders/noise.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { startHosting, uploadFile } from '../../../support/servers/hosting.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import { startTcpProxy } from '../../../support/servers/tcp-proxy.ts'
import {
  downloaded,
  startElectronUpdater,
  type UpdaterKind,
} from '../../../support/updaters/electron-updater.ts'

const MIB = 1_024 ** 2
/** What an update may cost of which one block has changed. */
const MOST = 80 * 1_024

const FILES = {
  nsis: { platform: 'windows', arch: 'x86_64', name: 'Editor Setup 1.0.0.exe' },
  mac: { platform: 'darwin', arch: 'universal', name: 'Editor-1.0.0-universal-mac.zip' },
  appimage: { platform: 'linux', arch: 'x86_64', name: 'Editor-1.0.0.AppImage' },
} as const satisfies Readonly<Record<UpdaterKind, object>>

const METRICS = { host: '127.0.0.1', port: 0 }

/** Reads metrics once the server has counted all that was sent. */
async function metricsOf(server: TestServer): Promise<(series: string) => number> {
  return await eventually(async () => {
    const text = await (await fetch(server.metricsAddress ?? '')).text()
    const read = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length),
      )
    expect(read('tidegate_downloads_total{kind="part"}')).toBeGreaterThan(0)
    return read
  })
}

/** A server that devices reach by a network which counts, and which has versions of a file. */
async function startWithVersions(
  kind: UpdaterKind,
  versions: Readonly<Record<string, Buffer>>,
  config: Partial<ServerConfigInput> = {},
) {
  const network = await startTcpProxy('http://127.0.0.1:1')
  const publicUrl = network.url.replace(/\/$/, '')
  const server = await startHosting({ publicUrl }, { config })
  network.redirect(server.address)
  const { name, ...devices } = FILES[kind]
  for (const [version, content] of Object.entries(versions)) {
    const file = await uploadFile(server, content, name.replace('1.0.0', version))
    const { url, sha512, size } = file
    await publish(server, version, { artifacts: [{ ...devices, url, sha512, size }] })
  }
  const update = async (
    installed: Buffer,
    { query = '', found = () => {} }: { query?: string; found?(updater: AppUpdater): void } = {},
  ) => {
    const feed = `${publicUrl}/electron/editor/stable${query}`
    const updater = startElectronUpdater({ kind, feed, version: '1.0.0', installed })
    updater.autoDownload = false
    await updater.checkForUpdates()
    found(updater)
    const before = network.received
    const file = await downloaded(updater)
    return { content: readFileSync(file), bytes: network.received - before }
  }
  return { server, network, update }
}

/** The block map of a content, compressed by nothing. */
function blockMapOf(content: Buffer): Buffer {
  const map = new BlockMap()
  map.add(content)
  return gunzipSync(map.end())
}

/** The content with other bytes at the beginning of one block each, at or behind the positions. */
function changed(content: Buffer, ...positions: number[]): Buffer {
  const copy = Buffer.from(content)
  const sizes: number[] = JSON.parse(blockMapOf(content).toString()).files[0].sizes
  const left = [...positions]
  let begin = 0
  for (const size of sizes) {
    if (begin >= (left[0] ?? Number.POSITIVE_INFINITY)) {
      // What decides where a block ends comes after its first 8,128 bytes.
      noise(4_096, String(left.shift())).copy(copy, begin)
    }
    begin += size
  }
  return copy
}

describe.each(['nsis', 'mac'] as const)('a stored file for electron-updater (%s)', (kind) => {
  test('costs the block that has changed', async () => {
    const old = noise(4 * MIB, kind)
    const next = changed(old, 3 * MIB)
    const { server, update } = await startWithVersions(kind, { '1.0.0': old, '1.1.0': next })
    for (const query of ['', '?version=1.0.0&arch=x64']) {
      const { content, bytes } = await update(old, { query })
      expect(content.equals(next)).toBe(true)
      expect(bytes).toBeLessThan(MOST)
      // Besides the block, the client downloads block maps and headers.
      const place = { app: 'editor', channel: 'stable', version: '1.1.0' }
      const [file] = (await callerOf(server).releases.downloads(place)).artifacts
      expect(file?.changed).toBeGreaterThan(4_096)
      expect(file?.changed).toBeLessThan(bytes)
    }
  })

  test('costs the blocks that have changed, which come in one answer', async () => {
    const old = noise(2 * MIB, kind)
    const positions = Array.from({ length: 10 }, (_, at) => at * 200_000)
    const next = changed(old, ...positions)
    const versions = { '1.0.0': old, '1.1.0': next }
    const { update, server } = await startWithVersions(kind, versions, { metrics: METRICS })
    const { content, bytes } = await update(old)
    expect(content.equals(next)).toBe(true)
    expect(bytes).toBeLessThan(10 * 32 * 1_024)
    const read = await metricsOf(server)
    const sent = read('tidegate_download_bytes_total{kind="part"}')
    const [maps, saved] = [
      read('tidegate_download_bytes_total{kind="block_map"}'),
      read('tidegate_download_saved_bytes_total'),
    ]
    expect(read('tidegate_downloads_total{kind="part"}')).toBe(1)
    expect(read('tidegate_downloads_total{kind="block_map"}')).toBe(2)
    expect(read('tidegate_download_bytes_total{kind="file"}')).toBe(0)
    expect(sent + maps).toBeLessThan(bytes)
    // Beside the blocks, an answer with several parts has a head for each.
    expect(saved).toBeGreaterThan(next.length - sent)
    expect(saved).toBeLessThan(next.length - 10 * 4_096)
  })
})

test('a stored file is downloaded over the version that the device runs, not over others', async () => {
  const old = noise(2 * MIB, 'old')
  const between = changed(old, MIB)
  const next = changed(between, 1_500_000)
  const versions = { '1.0.0': old, '1.0.1': between, '1.1.0': next }
  const { update } = await startWithVersions('nsis', versions)
  const { content, bytes } = await update(old)
  expect(content.equals(next)).toBe(true)
  expect(bytes).toBeLessThan(MOST)
})

/** Appends the block map of an AppImage to it, as electron-builder does. Returns the size of the block map as well. */
function withBlockMap(content: Buffer) {
  const embedded = deflateRawSync(blockMapOf(content), { level: 9 })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(embedded.length)
  return { file: Buffer.concat([content, embedded, size]), blockMapSize: embedded.length }
}

test('a stored AppImage costs the block that has changed, with the block map that it contains', async () => {
  const old = noise(4 * MIB, 'appimage')
  const installed = withBlockMap(old).file
  const { file, blockMapSize } = withBlockMap(changed(old, 3 * MIB))
  const { update } = await startWithVersions('appimage', { '1.0.0': installed, '1.1.0': file })
  const found = (updater: AppUpdater) => {
    const { updateInfoAndProvider } = updater as unknown as {
      updateInfoAndProvider: { info: { files: { blockMapSize?: number }[] } }
    }
    Object.assign(updateInfoAndProvider.info.files[0] ?? {}, { blockMapSize })
  }
  const { content, bytes } = await update(installed, { found })
  expect(content.equals(file)).toBe(true)
  expect(bytes).toBeLessThan(MOST)
})
