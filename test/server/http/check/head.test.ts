import { expect, test } from 'vitest'
import { DEVICE } from '../../../support/builders/devices.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { publish, shown } from '../../../support/servers/calls.ts'
import { checkAs } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored } from '../../../support/servers/stored.ts'

/** A HEAD check, by default of a device that nothing is known of. */
function head(server: TestServer, version: string, query = '') {
  const path = `/u/editor/stable/darwin/aarch64/${version}${query}`
  return server.call('HEAD', path, { key: null, headers: { 'x-service-device': DEVICE } })
}

test('a HEAD check answers as GET would, and neither counts nor offers', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0', { notes: 'Grüße' })
  await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
  const asked = [
    await head(server, '1.0.0'),
    await head(server, '1.0.0', '?l.ring=beta'),
    await head(server, '1.1.0'),
    await head(server, '5.0.0-never.seen'),
  ]
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 204, 204])
  expect((await shown(server, '1.1.0')).offered).toBe(false)
  expect((await shown(server, '1.2.0')).offered).toBe(false)
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  expect(await profileOf(server.fleet, app, DEVICE)).toBeUndefined()

  // What HEAD said is what GET answers, first offer or not.
  for (const query of ['', '?l.ring=beta']) {
    const before = await head(server, '1.0.0', query)
    const { status, headers, text } = await checkAs(server, '1.0.0', { query })
    const after = await head(server, '1.0.0', query)
    for (const answer of [before, after]) {
      expect(answer.status).toBe(status)
      expect(answer.text).toBe('')
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(answer.headers.get('content-type')).toBe(headers.get('content-type'))
    }
  }

  await server.stop()
  expect(await countStored(server, 'check_ins', 'devices')).toEqual([2, 0])
})

test('a HEAD check counts against the limit of the address', async () => {
  const server = await startWithApp({ limits: { device: 2 } })
  const statuses = [await head(server, '1.0.0'), await head(server, '1.0.0')]
  expect(statuses.map(({ status }) => status)).toEqual([204, 204])
  expect((await head(server, '1.0.0')).status).toBe(429)
})
