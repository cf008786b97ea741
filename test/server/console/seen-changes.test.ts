import { expect, test } from 'vitest'
import { ConsoleError } from '../../../src/renderer/bridge/error.ts'
import { toCallError } from '../../../src/server/console/router.ts'
import type { RefusalFacts } from '../../../src/shared/refusal.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { check, serve } from '../../support/servers/calls.ts'
import { startConsole } from '../../support/servers/console.ts'

const PLACE = { app: 'editor', channel: 'stable' }
const RELEASE = { ...PLACE, version: '1.0.0' }
const BETA = { matchLabels: { ring: 'beta' }, matchExpressions: [] }

async function refusalOf(call: Promise<unknown>): Promise<RefusalFacts | undefined> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error, 'the call should have failed').toBeDefined()
  return ConsoleError.of(toCallError(error, { path: 'the.call', input: undefined })).refusal
}

test('rejects targets that another window has changed, with the change', async () => {
  const { console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  const seen = await console.releases.get(RELEASE)
  await console.releases.changeServing({
    ...RELEASE,
    targets: BETA,
    seenChange: seen.lastChange,
  })
  const stale = console.releases.changeServing({
    ...RELEASE,
    targets: { matchLabels: {}, matchExpressions: [{ key: 'ring', operator: 'Exists' }] },
    seenChange: seen.lastChange,
  })
  expect(await refusalOf(stale)).toMatchObject({
    code: 'changed_since_seen',
    ...RELEASE,
    changes: [
      {
        actor: { kind: 'console' },
        action: 'release.serving_changed',
        before: { targets: { matchLabels: {}, matchExpressions: [] } },
        after: { targets: BETA },
      },
    ],
  })
  const now = await console.releases.get(RELEASE)
  expect(now.release.targets).toEqual(BETA)
  await console.releases.changeServing({
    ...RELEASE,
    rolloutPct: 50,
    seenChange: now.lastChange,
  })
})

test('lists every change since, newest first', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0', { rolloutPct: 5 }))
  const { lastChange } = await console.releases.get(RELEASE)
  await serve(server, '1.0.0', { rolloutPct: 10 })
  await serve(server, '1.0.0', { rolloutPct: 20 })
  const stale = console.releases.changeServing({
    ...RELEASE,
    rolloutPct: 15,
    seenChange: lastChange,
  })
  expect(await refusalOf(stale)).toMatchObject({
    changes: [{ actor: { kind: 'key' }, after: { rolloutPct: 20 } }, { after: { rolloutPct: 10 } }],
  })
})

test('an offer to a device, or another release, is no change of a release', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0', { rolloutPct: 100 }))
  const { lastChange } = await console.releases.get(RELEASE)
  await check(server, '0.9.0')
  await console.releases.publish(publishBody('1.1.0'))
  const change = { ...RELEASE, status: 'paused', seenChange: lastChange } as const
  expect(await console.releases.changeServing(change)).toMatchObject({ status: 'paused' })
})

test('refuses a policy that another window has changed since', async () => {
  const { console } = await startConsole()
  const { policy, lastChange } = await console.channels.policy(PLACE)
  await console.channels.setPolicy({
    ...PLACE,
    policy: { minimumSupportedVersion: '1.0.0' },
    seenChange: lastChange,
  })
  const stale = { ...PLACE, policy: { ...policy, updateMode: 'required' } as const }
  expect(
    await refusalOf(console.channels.setPolicy({ ...stale, seenChange: lastChange })),
  ).toMatchObject({
    code: 'changed_since_seen',
    ...PLACE,
    version: null,
    changes: [
      {
        action: 'channel.policy_changed',
        before: { minimumSupportedVersion: '0.0.0' },
        after: { minimumSupportedVersion: '1.0.0' },
      },
    ],
  })
  const now = await console.channels.policy(PLACE)
  expect(now.policy).toMatchObject({ updateMode: 'optional', minimumSupportedVersion: '1.0.0' })
  expect(now.history[0]?.id).toBe(now.lastChange)
  await console.channels.setPolicy({ ...stale, seenChange: now.lastChange })
})

test('publishing on a channel is no change of its policy', async () => {
  const { console } = await startConsole()
  const { lastChange } = await console.channels.policy(PLACE)
  await console.releases.publish(publishBody('1.0.0'))
  const policy = { updateMode: 'required' } as const
  await console.channels.setPolicy({ ...PLACE, policy, seenChange: lastChange })
})
