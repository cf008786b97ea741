import { expect, test } from 'vitest'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const DARWIN = { app: 'editor', channel: 'stable', platform: 'darwin', arch: 'aarch64' }
const ONE = { deviceId: 'one', bundle: '', labels: undefined, manual: false, caller: '10.0.0.1' }
const STABLE = { app: 'editor', channel: 'stable', version: '1.0.0' }

async function startWithRelease() {
  const server = await startWithApp()
  await server.updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  const find = (version: string) => server.updates.installation({ ...DARWIN, version })
  const offered = async () => (await server.updates.getRelease(PRINCIPAL, STABLE)).offered
  return { server, find, offered }
}

test('a check is answered synchronously, except the first that offers a release', async () => {
  const { server, find, offered } = await startWithRelease()
  const { check } = server.updates
  expect(check({ ...ONE, installation: find('1.0.0'), counts: true })).toBeNull()
  const first = check({ ...ONE, installation: find('0.9.0'), counts: true })
  expect(first).toBeInstanceOf(Promise)
  expect((await first)?.decision.release.facts.version).toBe('1.0.0')
  expect(await offered()).toBe(true)
  const second = check({ ...ONE, installation: find('0.9.0'), counts: true })
  expect(second).toMatchObject({ decision: { reason: 'update', allowDowngrade: false } })
})

test('a check that does not count is decided, and neither recorded nor an offer', async () => {
  const { server, find, offered } = await startWithRelease()
  const check = { ...ONE, installation: find('0.9.0'), counts: false }
  expect(server.updates.check(check)).toMatchObject({ decision: { reason: 'update' } })
  expect(await offered()).toBe(false)
  expect(await profileOf(server.fleet, check.installation.channel.app.key, 'one')).toBeUndefined()
})

test('a check that began before its channel was removed is refused', async () => {
  const { server, find } = await startWithRelease()
  const installation = find('0.9.0')
  const before = { app: 'editor', name: 'beta' }
  await server.updates.createChannel(PRINCIPAL, before)
  await server.updates.changeServing(PRINCIPAL, { ...STABLE, status: 'rolled_back' })
  await server.updates.removeChannel(PRINCIPAL, { ...STABLE, confirmation: 'stable' })
  const check = server.updates.check({ ...ONE, installation, counts: true })
  await expect(check).rejects.toMatchObject({ kind: 'unknown' })
})
