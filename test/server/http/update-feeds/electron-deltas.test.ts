// @module-tag long

import { expect, test } from 'vitest'
import { noise } from '../../../support/builders/noise.ts'
import { eventually } from '../../../support/eventually.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { startS3, stubCredentials } from '../../../support/servers/s3-server.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import {
  builtWith,
  changed,
  MIB,
  MOST,
  startWithVersions,
} from '../../../support/updaters/changed-files.ts'

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

test.each(['nsis', 'mac', 'appimage'] as const)(
  'a stored file for electron-updater costs the block that has changed (%s)',
  async (kind) => {
    const plain = noise(8 * MIB, kind)
    const [old, next] = [builtWith(kind, plain), builtWith(kind, changed(plain, 6 * MIB))]
    const { server, update } = await startWithVersions(kind, { '1.0.0': old, '1.1.0': next })
    for (const query of ['', '?version=1.0.0&arch=x64']) {
      const { content, bytes } = await update(old, query)
      expect(content.equals(next)).toBe(true)
      expect(bytes).toBeLessThan(MOST)
      // Besides the block, the client downloads block maps and headers.
      const place = { app: 'editor', channel: 'stable', version: '1.1.0' }
      const [file] = (await callerOf(server).releases.downloads(place)).artifacts
      expect(file?.changed).toBeGreaterThan(4_096)
      expect(file?.changed).toBeLessThan(bytes)
    }
  },
)

test.each(['nsis', 'mac'] as const)(
  'a stored file for electron-updater costs the blocks that have changed, which come in one answer (%s)',
  async (kind) => {
    const old = noise(2 * MIB, kind)
    const positions = Array.from({ length: 10 }, (_, at) => at * 200_000)
    const next = changed(old, ...positions)
    const versions = { '1.0.0': old, '1.1.0': next }
    const { update, server } = await startWithVersions(kind, versions, {
      config: { metrics: METRICS },
    })
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
  },
)

test('an AppImage in a bucket costs the block that has changed', async () => {
  stubCredentials()
  const plain = noise(8 * MIB, 'bucket')
  const [old, next] = [builtWith('appimage', plain), builtWith('appimage', changed(plain, 6 * MIB))]
  const versions = { '1.0.0': old, '1.1.0': next }
  const { server, update } = await startWithVersions('appimage', versions, {
    bucket: await startS3(),
  })
  const { content, bytes } = await update(old)
  expect(content.equals(next)).toBe(true)
  expect(bytes).toBeLessThan(MOST)
  const place = { app: 'editor', channel: 'stable', version: '1.1.0' }
  const [file] = (await callerOf(server).releases.downloads(place)).artifacts
  expect(file?.changed).toBeGreaterThan(4_096)
  expect(file?.changed).toBeLessThan(bytes)
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
