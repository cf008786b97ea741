import { expect, test } from 'vitest'
import { MAX_EARLY_DEVICES } from '../../../../src/shared/releases/channel.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { deviceWithin, item } from '../../../support/builders/devices.ts'
import { auditOf, check, publish, setPolicy } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'
import { offeredTo, report } from '../../../support/servers/fleet-calls.ts'

const STABLE = { app: 'editor', channel: 'stable' }

test('a device is put on the list of its channel and taken off, with an audit entry for each', async () => {
  const { server, console } = await startConsole()
  const { id } = await publish(server, '1.1.0', { rolloutPct: 1 })
  const device = deviceWithin(id, 0.5, 1)
  const place = { ...STABLE, deviceId: device }
  await check(server, '1.0.0', { device })
  const earlyAccess = async () =>
    (await console.devices.get({ app: 'editor', deviceId: device })).earlyAccess
  expect(await earlyAccess()).toEqual({ by: null, requiresApproval: false })
  expect(await console.channels.setEarlyAccess({ ...place, earlyAccess: true })).toEqual({
    changed: true,
  })
  expect(await earlyAccess()).toMatchObject({ by: 'device_id' })
  expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
  const again = await console.channels.setEarlyAccess({ ...place, earlyAccess: true })
  expect(again).toEqual({ changed: false })
  await console.channels.setEarlyAccess({ ...place, earlyAccess: false })
  expect(await earlyAccess()).toMatchObject({ by: null })
  expect(await offeredTo(server, '1.0.0', { device })).toBeNull()
  expect(await auditOf(server, 'channel.policy_changed')).toMatchObject([
    { after: { earlyAccess: { deviceIds: [device] } } },
    { before: { earlyAccess: { deviceIds: [device] } }, after: { earlyAccess: { deviceIds: [] } } },
  ])
})

test('a device is on the list by its labels, and the explanation says so', async () => {
  const { server, console } = await startConsole()
  const { id } = await publish(server, '1.1.0', { rolloutPct: 1 })
  const deviceId = deviceWithin(id, 0.5, 1)
  await setPolicy(server, {
    earlyAccess: {
      deviceIds: [],
      targets: [{ matchLabels: { ring: 'beta' }, matchExpressions: [] }],
    },
  })
  await report(server, [item(deviceId, { labels: { ring: 'beta' } })])
  const place = { app: 'editor', deviceId }
  expect((await console.devices.get(place)).earlyAccess).toMatchObject({ by: 'targets' })
  expect(await console.devices.explain(place)).toMatchObject({
    reason: 'update',
    notes: [{ code: 'early_access', by: 'targets' }],
    assumed: false,
  })
  expect(await console.devices.explain({ ...place, manual: true })).toMatchObject({
    notes: [{ code: 'early_access' }, { code: 'manual_check', allowed: false }],
    assumed: true,
  })
})

test('two that are put on the list at once are both on it, and none when it is full', async () => {
  const { server, console } = await startConsole()
  const deviceIds = Array.from({ length: MAX_EARLY_DEVICES - 2 }, (_, index) => `device-${index}`)
  await setPolicy(server, { earlyAccess: { deviceIds, targets: [] } })
  const add = (deviceId: string) =>
    console.channels.setEarlyAccess({ ...STABLE, deviceId, earlyAccess: true })
  await Promise.all([add('one'), add('two')])
  const { policy } = await console.channels.policy(STABLE)
  expect(policy.earlyAccess.deviceIds.slice(-2).sort()).toEqual(['one', 'two'])
  expect((await failureOf(add('three'))).message).toContain('already has 256 device IDs')
  expect(await add('one')).toEqual({ changed: false })
})

test('only administrators change the list of a channel that requires approval', async () => {
  const { server } = await startConsole()
  await setPolicy(server, { requireApproval: true })
  const access = { server: 'release_manager', apps: new Map() } as const
  const place = { ...STABLE, deviceId: 'one', earlyAccess: true }
  const manager = { ...PRINCIPAL, access }
  await expect(server.updates.setEarlyAccess(manager, place)).rejects.toMatchObject({
    facts: { code: 'forbidden', needs: 'administrator' },
  })
  await expect(
    server.updates.setChannelPolicy(manager, { ...STABLE, change: { manualChecks: true } }),
  ).rejects.toMatchObject({ kind: 'forbidden' })
  expect(await server.updates.setEarlyAccess(PRINCIPAL, place)).toMatchObject({ changed: true })
})
