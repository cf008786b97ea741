import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../../src/server/catalog/apps.ts'
import { mintKey } from '../../../src/server/catalog/keys.ts'
import { publishRelease } from '../../../src/server/catalog/releases/publish.ts'
import { changeServing } from '../../../src/server/catalog/releases/serving.ts'
import { createServer } from '../../../src/server/server.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { profileOf } from '../../support/fleet/profile-of.ts'
import { stableOf } from '../../support/servers/catalog.ts'

test('a server that is given a clock and ids takes every time and id from them', async () => {
  let now = Date.UTC(2031, 4, 6, 7, 8, 9)
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const server = await createServer(
    { dataFolder: temporaryFolder(), port: 0, keepCheckInDays: 0 },
    undefined,
    { clock: () => now, newId },
  ).start()
  onTestFinished(() => server.stop())
  const { catalog, fleet } = server.consoleContext

  const app = await createApp(catalog, ACTOR, { ref: 'editor' })
  const { key } = await mintKey(catalog, ACTOR, { name: 'ci' })
  const body = PublishBody.parse(publishBody('1.1.0', { rolloutPct: 0 }))
  const release = await publishRelease(catalog, ACTOR, stableOf(catalog), body)
  expect([app.createdAt, key.createdAt, release.createdAt]).toEqual(
    Array(3).fill('2031-05-06T07:08:09.000Z'),
  )
  expect([app.id, release.id]).toEqual([
    '00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000002',
  ])

  now += 60_000
  await changeServing(catalog, ACTOR, stableOf(catalog), '1.1.0', { rolloutPct: 5 })
  const [entry] = await catalog.store.audit({ limit: 1 })
  expect(entry?.at).toBe('2031-05-06T07:09:09.000Z')

  const { address } = server
  const headers = { 'X-Service-Device': 'a' }
  expect(await fetch(`${address}/u/editor/stable/linux/x86_64/1.0.0`, { headers })).toMatchObject({
    status: 204,
  })
  await fleet.settled()
  expect(await profileOf(fleet, app.key, 'a')).toMatchObject({ version: '1.0.0' })
})
