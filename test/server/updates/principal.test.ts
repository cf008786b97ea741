import { expect, test } from 'vitest'
import type { Principal } from '../../../src/server/updates/principal.ts'
import { PublishBody } from '../../../src/shared/release.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { startWithApp } from '../../support/servers/server.ts'

const CONSOLE: Principal = { actor: ACTOR, appKey: null, seesArchived: true }
const STABLE = { app: 'editor', channel: 'stable', version: '1.0.0' }
const PAGE = { page: 1, perPage: 20 }

test('other apps are unknown to a principal of one app, in every use case', async () => {
  const { updates } = await startWithApp()
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  const player = await updates.createApp(PRINCIPAL, { ref: 'player' })
  const bound: Principal = { actor: ACTOR, appKey: player.key, seesArchived: false }
  const device = { deviceId: 'one', version: '1.0.0', platform: 'linux', arch: 'x86_64' }
  const confirmed = { ...STABLE, confirmation: 'editor' }
  const calls = [
    updates.getRelease(bound, STABLE),
    updates.listReleases(bound, { ...PAGE, app: 'editor' }),
    updates.judgeVersion(bound, STABLE),
    updates.publishRelease(bound, PublishBody.parse(publishBody('1.1.0'))),
    updates.changeServing(bound, { ...STABLE, rolloutPct: 50 }),
    updates.planWave(bound, { ...STABLE, dryRun: false, devices: [device] }),
    updates.report(bound, { app: 'editor', devices: [device] }),
    updates.explainDevice(bound, { ...STABLE, deviceId: 'one', assumed: device }),
    updates.forgetDevice(bound, { app: 'editor', deviceId: 'one' }),
    updates.renameApp(bound, { app: 'editor', name: 'Mine' }),
    updates.setAppArchived(bound, { app: 'editor', archived: true }),
    updates.createChannel(bound, { app: 'editor', name: 'beta' }),
    updates.setChannelPolicy(bound, { ...STABLE, change: { updateMode: 'required' } }),
    updates.mintKey(bound, { name: 'ci', app: 'editor' }),
    updates.removeApp(bound, confirmed),
    updates.removeChannel(bound, confirmed),
    updates.previewServing(bound, { ...STABLE, rolloutPct: 50 }, undefined).next(),
  ]
  for (const [index, outcome] of (await Promise.allSettled(calls)).entries()) {
    const refused = { facts: { code: 'unknown_app', app: 'editor' } }
    expect.soft(outcome, `call ${index}`).toMatchObject({ status: 'rejected', reason: refused })
  }
  expect((await updates.listReleases(bound, PAGE)).total).toBe(0)
  expect((await updates.listReleases(PRINCIPAL, PAGE)).total).toBe(1)
})

test('an archived app is unknown, or is seen and cannot be changed', async () => {
  const { updates } = await startWithApp()
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  await updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  const change = { ...STABLE, rolloutPct: 50 }
  const query = { ...PAGE, app: 'editor' }
  await expect(updates.changeServing(PRINCIPAL, change)).rejects.toMatchObject({ kind: 'unknown' })
  await expect(updates.listReleases(PRINCIPAL, query)).rejects.toMatchObject({ kind: 'unknown' })
  await expect(updates.changeServing(CONSOLE, change)).rejects.toMatchObject({
    facts: { code: 'app_archived', app: 'editor' },
  })
  const { releases } = await updates.listReleases(CONSOLE, query)
  expect(releases.map(({ release }) => release.version)).toEqual(['1.0.0'])
  expect((await updates.listReleases(CONSOLE, PAGE)).total).toBe(0)
  await updates.setAppArchived(CONSOLE, { app: 'editor', archived: false })
  expect(await updates.changeServing(PRINCIPAL, change)).toMatchObject({ changed: true })
})
