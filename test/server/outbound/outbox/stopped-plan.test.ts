import { expect, test } from 'vitest'
import { stopPlan } from '../../../../src/server/catalog/plans/stop-plan.ts'
import { NO_HEALTH } from '../../../../src/shared/health/health.ts'
import type { StopReason } from '../../../../src/shared/health/judgement.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { startMailServer } from '../../../support/servers/mail-server.ts'
import { allow, startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { storedColumn } from '../../../support/servers/stored.ts'

const REASON: StopReason = {
  ...{ code: 'too_many_failures', failed: 60, judged: 500, stuck: 40 },
  ...{ failedPct: 9.44, highPct: 15.2, limitPct: 3, usualPct: 0 },
}
const HEALTH = { ...NO_HEALTH, offered: 500, adopted: 440, stuck: 40, reported: 20 }

test('a stopped plan is one webhook and one mail for whoever can decide about the release', async () => {
  const [receiver, smtp] = [await startReceiver(), await startMailServer()]
  const mail = { host: '127.0.0.1', port: smtp.port, tls: 'none', login: null, from: 'a@b.example' }
  const server = await startWithApp({ ...allow(receiver.host), mail: { ...mail, tls: 'none' } })
  const console = callerOf(server)
  await eventually(async () => {
    const [since] = await storedColumn(server, 'SELECT mail_since FROM outbox_state')
    expect(since).not.toBeNull()
  })
  for (const [name, role] of [
    ['manager', 'release_manager'],
    ['viewer', 'viewer'],
  ] as const) {
    const access = { server: null, apps: [{ app: 'editor', role }] }
    await console.people.invite({ name, access, email: `${name}@example.com` })
  }
  const plan = rolloutPlan([
    [10, 48],
    [100, 0],
  ])
  await publish(server, '1.0.0', { plan })
  await publish(server, '1.1.0', { plan })
  await console.webhooks.create(webhookInput({ url: receiver.url }))
  const { catalog } = server
  await catalog.refresh()
  const [first, second] = await catalog.store.plans(['running'])
  const channel = first && catalog.snapshot.channelByKey.get(first.channelKey)
  const release = channel?.compiled.releases.find(({ facts }) => facts.id === first?.releaseId)
  if (!first || !second || !channel || !release) throw new Error('no plan')
  const judged = { channel, release: release.facts, plan: first }
  const stop = { reasons: [REASON], health: HEALTH, action: 'pause' } as const
  expect(await stopPlan(catalog, judged, stop)).toBe(true)
  expect(await stopPlan(catalog, judged, stop)).toBe(false)
  // A rollback by hand stops a plan as well; its mail would come after the first.
  await serve(server, second.version, { status: 'rolled_back' })
  const sent = (await receiver.until(4)).map(({ body }) => JSON.parse(body))
  expect(sent.map(({ type }) => type)).toEqual([
    ...['release.paused', 'plan.stopped', 'release.rolled_back', 'plan.stopped'],
  ])
  expect(sent[1]).toMatchObject({
    data: {
      ...{ app: 'editor', channel: 'stable', version: '1.0.0', actor: { kind: 'server' } },
      before: { status: 'running', step: 1, of: 2 },
      after: {
        ...{ status: 'stopped', reason: 'failures', action: 'pause', step: 1, of: 2 },
        ...{ reasons: [REASON], health: HEALTH },
      },
    },
  })
  expect(sent[3]).toMatchObject({ data: { after: { reason: 'rolled_back' } } })
  const [stopped, ...more] = await smtp.until(1)
  expect(stopped?.to).toEqual(['manager@example.com'])
  const text = stopped?.source.replaceAll('=\r\n', '')
  expect(text).toContain('1.0.0: plan stopped')
  expect(text).toContain('Failing: 12% of 500 devices, limit 3%. It was paused.')
  expect(more).toEqual([])
})
