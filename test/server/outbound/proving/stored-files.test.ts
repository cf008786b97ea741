import { createHash, randomBytes } from 'node:crypto'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FileAddresses } from '../../../../src/server/hosting/file-addresses.ts'
import { proveArtifact } from '../../../../src/server/outbound/proving/prove-artifact.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { asTauri, minisignPair } from '../../../support/builders/minisign.ts'
import { proofTask } from '../../../support/builders/proof-task.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish } from '../../../support/servers/calls.ts'
import { PUBLIC_URL, startHosting, uploadFile } from '../../../support/servers/hosting.ts'

const PLACE = { app: 'editor', channel: 'stable' }

test('a file that the server stores is proven without an allowed host, and read from its folder', async () => {
  const server = await startHosting({}, { config: { proving: { lookEvery: 20 } } })
  const pair = minisignPair()
  const change = { minisignKey: pair.publicKey }
  await server.updates.setProving(PRINCIPAL, { app: 'editor', change })
  const [one, other, gone] = [randomBytes(10_000), randomBytes(10_000), randomBytes(10)]
  const platforms = ['linux', 'darwin', 'windows'] as const
  const artifacts = []
  for (const [index, content] of [one, other, gone].entries()) {
    const { url, sha512, size } = await uploadFile(server, content)
    const signature = asTauri(pair.sign(content))
    artifacts.push(artifact({ platform: platforms[index], url, sha512, size, signature }))
  }
  const [, changed, lost] = artifacts
  await publish(server, '1.0.0', { artifacts })
  // As a disk that fails does: neither its name nor its size says so.
  writeFileSync(join(server.artifacts, 'files', changed?.sha512 ?? ''), randomBytes(10_000))
  rmSync(join(server.artifacts, 'files', lost?.sha512 ?? ''))
  const place = { ...PLACE, version: '1.0.0' }
  await server.updates.startProof(PRINCIPAL, place)
  const proof = await eventually(async () => {
    const shown = await server.updates.showProof(PRINCIPAL, place)
    if (shown.state !== 'failed') throw new Error(shown.state)
    return shown
  })
  expect(proof.artifacts).toMatchObject([
    { state: 'proven', signature: 'valid' },
    { state: 'failed', failure: { code: 'hash_differs' } },
    { state: 'failed', failure: { code: 'status', status: 404 } },
  ])
})

test('a stored file is compared like one that was downloaded', async () => {
  const content = randomBytes(3_000_000)
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, content)
  const sha512 = createHash('sha512').update(content).digest('hex')
  const published = { url: `${PUBLIC_URL}/files/a/b`, sha512, size: content.length, signature: '' }
  const prove = (signal = new AbortController().signal, limits = {}) =>
    proveArtifact({ ...proofTask(published, [], limits), stored: { path } }, signal)
  const measured = { size: content.length, sha512 }
  expect(await prove()).toEqual({ failure: null, signature: 'unsigned', measured })
  expect(await prove(undefined, { maxBytes: 2_999_999 })).toEqual({
    failure: { code: 'too_large', maximum: 2_999_999 },
  })
  await expect(prove(AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled')
  truncateSync(path, 2_000_000)
  expect(await prove()).toEqual({
    failure: { code: 'size_differs', expected: 3_000_000, actual: 2_000_000 },
  })
})

test('only an address of this server counts as its own, whatever its case and port', () => {
  const id = 'ab'.repeat(16)
  const addresses = new FileAddresses('https://updates.example/tidegate')
  const own = `https://updates.example/tidegate/files/${id}/Editor.exe`
  for (const address of [
    ...[own, own.replace('updates.example', 'UPDATES.example:443'), `${own}?from=1.0.0`],
    ...[own.replace('Editor.exe', 'it%27s%20one.exe'), own.replace('/files/', '/x/../files/')],
  ]) {
    expect(addresses.namedIn(address), address).toMatchObject({ id })
  }
  for (const address of [
    ...[`${own}/more`, own.replace('/Editor.exe', ''), own.replace(id, id.toUpperCase())],
    ...[own.replace('Editor.exe', '%2e%2e%2fx'), own.replace('Editor.exe', '%ff')],
  ]) {
    expect(addresses.namedIn(address), address).toBeNull()
  }
  for (const address of [
    ...[own.replace('https', 'http'), own.replace('.example/', '.example:8443/'), 'nothing'],
    ...[
      own.replace('//', '//me@'),
      own.replace('/tidegate', ''),
      own.replace('tidegate', 'Tidegate'),
    ],
    ...[own.replace('updates', 'files'), own.replace('.example', '.example.evil.example')],
  ]) {
    expect(addresses.namedIn(address), address).toBeUndefined()
  }
})
