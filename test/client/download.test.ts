// @module-tag long

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Update } from '../../src/client/index.ts'
import { clientOf, deviceWith } from '../support/builders/downloading.ts'
import { noise } from '../support/builders/noise.ts'
import { downloadUrl, type HostingServer, startHosting } from '../support/servers/hosting.ts'
import { release, releaseTwo } from '../support/servers/patched.ts'

/** What a check finds, with the address at which this test reaches the file. */
async function updateOf(server: HostingServer): Promise<Update> {
  const update = await clientOf(server.address).check()
  if (update === undefined) throw new Error('no update')
  return { ...update, url: downloadUrl(server, update) }
}

test('only what has changed is downloaded with the file of the version that runs', async () => {
  const server = await startHosting()
  const { base, next } = await releaseTwo(server)
  const { from, to, folder } = deviceWith(base)
  const { received, patched } = await clientOf(server.address).download(await updateOf(server), {
    ...{ from, to },
  })
  expect(readFileSync(to).equals(next)).toBe(true)
  expect(patched).toBe(true)
  expect(received).toBeLessThan(17_000)
  expect(readdirSync(folder).sort()).toEqual(['current.zip', 'next.zip'])
})

test('one changed block of a file of 8 MiB takes less than 80 KB', async () => {
  const server = await startHosting()
  const { base, next } = await releaseTwo(server, 8 * 1_024 ** 2)
  const { from, to } = deviceWith(base)
  const { received } = await clientOf(server.address).download(await updateOf(server), { from, to })
  expect(readFileSync(to).equals(next)).toBe(true)
  expect(received).toBeLessThan(80_000)
})

test('all of the file is downloaded without a base, with another one, and without a patch', async () => {
  const server = await startHosting()
  const { next } = await releaseTwo(server)
  const update = await updateOf(server)
  const client = clientOf(server.address)
  const whole = { received: next.length, patched: false }
  for (const base of [undefined, Buffer.alloc(0), noise(300_000, 'another')]) {
    const { from, to } = deviceWith(base)
    expect(await client.download(update, { from, to })).toEqual(whole)
    expect(readFileSync(to).equals(next)).toBe(true)
  }
  const { from, to } = deviceWith(undefined)
  mkdirSync(from)
  expect(await client.download(update, { from, to })).toEqual(whole)
  expect(await client.download(update, { to })).toEqual(whole)
  const off = await startHosting({ patchSpaceMiB: 0 })
  await release(off, '1.0.0', noise(300_000, 'base'))
  await release(off, '1.1.0', next)
  const device = deviceWith(noise(300_000, 'base'))
  expect(await clientOf(off.address).download(await updateOf(off), device)).toEqual(whole)
})

test('a patch that is damaged on the server is made up for by the file', async () => {
  const server = await startHosting()
  const { base, next } = await releaseTwo(server)
  const { from, to } = deviceWith(base)
  const update = await updateOf(server)
  const folder = join(server.artifacts, 'patches')
  const [name = ''] = readdirSync(folder)
  const patch = readFileSync(join(folder, name))
  patch[5_000] = (patch[5_000] ?? 0) ^ 1
  writeFileSync(join(folder, name), patch)
  const done = await clientOf(server.address).download(update, { from, to })
  expect(done).toEqual({ received: next.length, patched: false })
  expect(readFileSync(to).equals(next)).toBe(true)
})
