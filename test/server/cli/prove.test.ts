// @module-tag long

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { fileFolder } from '../../support/builders/folders.ts'
import { minisignPair } from '../../support/builders/minisign.ts'
import { cli, done, expectRefused, shown, startCli } from '../../support/processes/cli.ts'
import { expectDescribed } from '../../support/processes/json-schema.ts'
import { setPolicy } from '../../support/servers/calls.ts'
import { publishedFile, startFileServer } from '../../support/servers/file-server.ts'
import { startHosting, uploadFile } from '../../support/servers/hosting.ts'
import { startWithApp } from '../../support/servers/server.ts'

const PLACE = ['editor', 'stable', '1.4.0']
const BYTES = randomBytes(400_000)

test('a release is proven on this computer without a server', async () => {
  const files = await startFileServer()
  files.put('/app', BYTES)
  const pair = minisignPair()
  const { url, sha512, size } = publishedFile(`${files.url}/app`, BYTES)
  const signature = Buffer.from(pair.sign(BYTES)).toString('base64')
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const artifact = `platform=linux,arch=x86_64,url=${url},sha512=${sha512},size=${size},signature=${signature}`
  await done(folder, 'publish', ...PLACE, '--artifact', artifact)

  const refused = await cli(folder, 'release', 'prove', ...PLACE)
  expect(refused.code).toBe(3)
  expect(refused.stdout).toContain(`${files.host} is not an allowed host of the app`)
  expect(refused.stderr).toContain('1 of 1 artifact of 1.4.0 not proven')
  expect(files.asked).toEqual([])

  const settings = ['--allow-host', files.host, '--minisign-key', pair.tauriKey]
  const { proving } = await shown(folder, 'app', 'proving', 'editor', ...settings)
  expect(proving).toEqual({ minisignKey: pair.publicKey, hosts: [files.host], documentKeys: [] })
  const { proof } = await shown(folder, 'release', 'prove', ...PLACE)
  expect(proof).toMatchObject({
    state: 'proven',
    artifacts: [{ platform: 'linux', arch: 'x86_64', signature: 'valid', failure: null }],
  })
  expect(files.asked).toEqual(['/app'])
  const removed = await shown(folder, 'app', 'proving', 'editor', '--disallow-host', files.host)
  expect(removed.proving.hosts).toEqual([])
})

test('files that the server of this computer stores are proven from their folder', async () => {
  const server = await startHosting()
  const { sha512, size, url } = await uploadFile(server, BYTES)
  const artifacts = [{ platform: 'linux', arch: 'x86_64', url, sha512, size }]
  const body = { app: 'editor', channel: 'stable', version: '1.4.0', artifacts }
  await server.call('POST', '/api/v1/releases', { body })
  const { proof } = await shown(server.folder, 'release', 'prove', ...PLACE)
  expect(proof).toMatchObject({ state: 'proven', artifacts: [{ failure: null }] })
})

test('a pipeline has the server prove a release, and waits for it', async () => {
  const files = await startFileServer()
  files.put('/app', BYTES)
  const server = await startWithApp()
  const { updates } = server
  await updates.setProving(PRINCIPAL, { app: 'editor', change: { hosts: [files.host] } })
  const artifact = {
    platform: 'linux',
    arch: 'x86_64',
    ...publishedFile(`${files.url}/app`, BYTES),
  }
  const place = { app: 'editor', channel: 'stable' }
  const body = { ...place, version: '1.4.0', artifacts: [artifact] }
  await server.call('POST', '/api/v1/releases', { body })
  const key = await server.mint({ scopes: ['publish'], app: 'editor' })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: key }
  const run = (...args: string[]) => startCli(['release', 'prove', ...PLACE, ...args], env).ended
  const proven = await run('--json')
  expect([proven.code, proven.stderr]).toEqual([0, ''])
  const { proof } = JSON.parse(proven.stdout)
  expectDescribed(['release', 'prove'], { proof })
  expect(proof).toMatchObject({ state: 'proven', artifacts: [{ signature: 'unsigned' }] })
  files.put('/app', randomBytes(BYTES.length))
  const changed = await run()
  expect(changed.code).toBe(3)
  expect(changed.stdout).toContain('The file has changed')
  expect(changed.stderr).toContain('linux x86_64: failed')
  await setPolicy(server, { proving: 'required' })
  files.put('/app', BYTES)
  const members = `platform=linux,arch=x86_64,url=${artifact.url},sha512=${artifact.sha512}`
  const next = ['editor', 'stable', '1.5.0']
  const published = await startCli(['publish', ...next, '--artifact', members], env).ended
  expect([published.code, published.stdout]).toEqual([
    0,
    expect.stringContaining('1.5.0 is paused until its artifacts are proven'),
  ])
  const waited = await startCli(['release', 'prove', ...next], env).ended
  expect([waited.code, waited.stdout]).toEqual([0, expect.stringContaining('Not signed')])
  expect(await updates.getRelease(PRINCIPAL, { ...place, version: '1.5.0' })).toMatchObject({
    status: 'published',
  })
  files.put('/app', () => {})
  const late = await run('--timeout', '1s')
  expectRefused(late, 1, '1.4.0 was not proven within 1 second')
})
