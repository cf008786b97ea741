import { expect, test } from 'vitest'
import { HOUR } from '../../../support/builders/time.ts'
import { done, shown } from '../../../support/processes/cli.ts'
import { publish } from '../../../support/servers/calls.ts'
import { checkAs, offeredTo } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const HEALTH = ['release', 'health', 'editor', 'stable'] as const

test('the health of a release is shown beside that of the previous one', async () => {
  // The command has the clock of the computer.
  let now = Date.now() - 10 * HOUR
  const server = await startWithApp({}, undefined, { clock: () => now })
  const offered = async (version: string, devices: number, running: string) => {
    await publish(server, version)
    for (let at = 0; at < devices; at++) {
      expect(await offeredTo(server, running, { device: `d${at}` })).toBe(version)
    }
  }
  await offered('1.1.0', 4, '1.0.0')
  now += 2 * HOUR
  for (const device of ['d0', 'd1', 'd2']) {
    expect((await checkAs(server, '1.1.0', { device })).status).toBe(204)
  }
  await server.updates.reportOutcome({
    ...{ app: 'editor', channel: 'stable', version: '1.1.0', deviceId: 'd3' },
    ...{ outcome: 'failed', detail: 'The disk is full', caller: '::1' },
  })
  await server.fleet.settled()
  await server.fleet.sampleHealth(now)
  const alone = await done(server.folder, ...HEALTH, '1.1.0')
  expect(alone.split('\n')).toEqual([
    'DEVICES           1.1.0',
    'Offered           4',
    'Waiting           0',
    'Adopted           3',
    'Stuck             0',
    'Reverted          0',
    'Silent            0',
    'Reported failure  1',
    'Counts in plans: 0 devices; new devices: 4',
    'Failure share: at least 0% of 4 devices with a known outcome',
    // Exact to a tenth.
    'Time to adopt: median 2.1 hours, 90% within 2.1 hours',
    '',
  ])
  now += 5 * HOUR
  await offered('1.2.0', 2, '1.1.0')
  await server.fleet.settled()
  const both = await done(server.folder, ...HEALTH, '1.2.0')
  expect(both.split('\n').slice(0, 5)).toEqual([
    'DEVICES           1.2.0  1.1.0 AFTER 3 H',
    'Offered           2      4',
    'Waiting           2      0',
    'Adopted           0      3',
    'Stuck             0      0',
  ])
  const { health } = await shown(server.folder, ...HEALTH, '1.2.0')
  expect(health).toMatchObject({
    ...{ app: 'editor', channel: 'stable', version: '1.2.0', failureShare: 0, timeToAdopt: null },
    ...{ health: { offered: 2, waiting: 2 }, previous: { version: '1.1.0', ageHours: 3 } },
  })
})
