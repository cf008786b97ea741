import { expect, test } from 'vitest'
import { bucketOf } from '../../../support/builders/devices.ts'
import { check, publish, serve, setPolicy, startWith } from '../../../support/servers/calls.ts'
import { offeredTo } from '../../../support/servers/fleet-calls.ts'

test('a rollout holds each device from its own percentage on, and never lets it go', async () => {
  const server = await startWith('1.1.0')
  const release = await publish(server, '1.2.0', { rolloutPct: 0 })
  const devices = Array.from({ length: 40 }, (_, at) => `device-${at}`)
  for (const rolloutPct of [0, 1, 13, 50, 87, 99, 100]) {
    await serve(server, '1.2.0', { rolloutPct })
    const offered = await Promise.all(
      devices.map((device) => offeredTo(server, '1.0.0', { device })),
    )
    // Who is outside falls through to the release below.
    const expected = devices.map((device) =>
      bucketOf(release.id, device) < rolloutPct / 100 ? '1.2.0' : '1.1.0',
    )
    expect(offered, `at ${rolloutPct}%`).toEqual(expected)
  }
})

test('a device on a rolled-back release rolls forward if the policy says so, and downgrades otherwise', async () => {
  const server = await startWith('1.0.0', '2.0.0', '3.0.0')
  await setPolicy(server, { rollback: 'roll-forward' })
  await serve(server, '2.0.0', { status: 'rolled_back' })
  const forward = await check(server, '2.0.0')
  expect(forward.body).toMatchObject({ version: '3.0.0', allowDowngrade: false })
  await serve(server, '3.0.0', { status: 'paused' })
  const down = await check(server, '2.0.0')
  expect(down.body).toMatchObject({ version: '1.0.0', allowDowngrade: true })
})
