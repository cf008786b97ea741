import { expect, test } from 'vitest'
import { evidenceOf } from '../../../../src/server/use-cases/plans/release-evidence.ts'
import { compareHealth } from '../../../../src/server/use-cases/releases/release-health.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { offeredTo } from '../../../support/servers/fleet-calls.ts'
import { NO_CONTROLS, START } from '../../../support/servers/planned.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

/** By version: another number of devices was offered each. */
const DEVICES = { '1.0.0': 1, '1.1.0': 2, '2.0.0': 3, '1.1.1': 4, '2.1.0': 5 } as const
const FIRST = '0.9.0'

/** A server on which those releases were offered in that order, an hour after the other. */
async function startOffered() {
  const time = { now: START }
  const config = { plans: { lookEvery: 2 ** 31 - 1 } }
  const server = await startWithApp(config, undefined, { clock: () => time.now })
  for (const [version, devices] of Object.entries(DEVICES)) {
    // So that a fix of an older version is offered to devices.
    const isForRing = version.startsWith('2')
    await publish(server, version, { targets: { matchLabels: isForRing ? { ring: 'two' } : {} } })
    const query = isForRing ? '?l.ring=two' : ''
    for (let device = 0; device < devices; device += 1) {
      const options = { device: `${version}-${device}`, query }
      expect(await offeredTo(server, FIRST, options)).toBe(version)
    }
    await server.fleet.settled()
    await server.fleet.sampleHealth(time.now)
    time.now += HOUR
  }
  return server
}

/** The release that the page shows as the previous one, and the one that the judge compares with. */
async function previousOf(server: TestServer, version: string) {
  const { catalog, fleet } = server
  await catalog.refresh()
  const channel = catalog.snapshot.channelByKey.get(1)
  const release = channel?.compiled.releases.find(({ facts }) => facts.version === version)
  if (channel === undefined || release === undefined) throw new Error(`there is no ${version}`)
  const { previous } = await compareHealth({ catalog, fleet }, channel, release.facts.id)
  const limits = { maxFailedPct: 3, minSample: 20 }
  const accused = { channel, releaseId: release.facts.id, accepted: null, limits }
  const evidence = await evidenceOf({ catalog, fleet, controls: NO_CONTROLS }, accused)
  const judged = evidence?.previous?.fresh.health.offered
  const found = Object.entries(DEVICES).find(([, devices]) => devices === judged)
  return { shown: previous?.version, judged: found?.[0] }
}

test('the page of a release and the judge compare it with the same one', async () => {
  const server = await startOffered()
  const found: Record<string, unknown> = {}
  for (const version of Object.keys(DEVICES)) found[version] = await previousOf(server, version)
  const both = (version?: string) => ({ shown: version, judged: version })
  expect(found).toEqual({
    '1.0.0': both(undefined),
    '1.1.0': both('1.0.0'),
    '2.0.0': both('1.1.0'),
    // What it fixes, although a higher one was offered since.
    '1.1.1': both('1.1.0'),
    // Not the fix of an older one, which was offered since.
    '2.1.0': both('2.0.0'),
  })
})

test.each([
  ['paused', '1.1.1'],
  ['rolled_back', '1.1.1'],
])('one that was %s is no example', async (status, expected) => {
  const server = await startOffered()
  expect((await serve(server, '2.0.0', { status })).status).toBe(200)
  expect(await previousOf(server, '2.1.0')).toEqual({ shown: expected, judged: expected })
})
