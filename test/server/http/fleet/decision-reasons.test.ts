import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { deviceWithin, item } from '../../../support/builders/devices.ts'
import { artifactFor } from '../../../support/builders/releases.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import {
  checkAs,
  type Decision,
  MANIFEST_MEMBERS,
  plan,
  reasons,
} from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

describe('a decision call', () => {
  test('answers a decision per device, in order, with the manifest of a check', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { notes: 'Grüße ✨' })
    const devices = [item('one'), item('two', { version: '1.1.0' }), item('~!"\\one')]
    const { status, body, headers } = await plan(server, devices)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const update = (await checkAs(server, '1.0.0')).body
    expect(Object.keys(update).sort()).toEqual([...MANIFEST_MEMBERS].sort())
    expect(body).toEqual({
      app: 'editor',
      channel: 'stable',
      decisions: [
        { deviceId: 'one', update, reason: 'update' },
        { deviceId: 'two', update: null, reason: 'up_to_date' },
        { deviceId: '~!"\\one', update, reason: 'update' },
      ],
      updatesOffered: 2,
    })
  })

  test('uses the channel stable by default, and accepts the ID of the app', async () => {
    const server = await startWithApp()
    await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
    await publish(server, '1.1.0')
    await publish(server, '2.0.0', { channel: 'beta' })
    const app = server.catalog.snapshot.appByName.get('editor')?.record.id
    const stable = await plan(server, [item('one')], { app })
    expect(stable.body).toMatchObject({ app: 'editor', channel: 'stable' })
    expect(stable.body.decisions[0].update.version).toBe('1.1.0')
    const beta = await plan(server, [item('one')], { channel: 'beta' })
    expect(beta.body).toMatchObject({ app: 'editor', channel: 'beta' })
    expect(beta.body.decisions[0].update.version).toBe('2.0.0')
  })

  test('makes the same decision for every device as its own check', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [artifactFor('darwin', 'universal')] })
    await publish(server, '1.2.0', { rolloutPct: 40 })
    await publish(server, '1.3.0', { targets: { matchLabels: { ring: 'beta' } } })
    await publish(server, '2.0.0')
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const devices = Array.from({ length: 60 }, (_, at) =>
      item(`device-${at}`, {
        version: ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '3.0.0'][at % 5],
        arch: at % 7 === 0 ? 'x86_64' : 'aarch64',
        platform: at % 11 === 0 ? 'linux' : 'macos',
        ...(at % 3 === 0 ? { labels: { ring: 'beta' } } : {}),
      }),
    )
    const { body } = await plan(server, devices)
    for (const [at, { deviceId, version, platform, arch }] of devices.entries()) {
      const answer = await checkAs(server, version, { device: deviceId, platform, arch })
      const expected = answer.status === 204 ? null : answer.body
      expect(body.decisions[at]).toMatchObject({ deviceId, update: expected })
    }
    const offered = body.decisions.filter(({ update }: Decision) => update !== null).length
    expect(body.updatesOffered).toBe(offered)
    const versions = body.decisions.map(({ update }: Decision) => update?.version ?? null)
    expect(new Set(versions)).toEqual(new Set(['1.1.0', '1.2.0', '1.3.0', null]))
  })

  test('says why a device is not offered the latest release', async () => {
    const server = await startWithApp()
    const targets = { matchLabels: { ring: 'beta' } }
    const { id } = await publish(server, '2.0.0', { rolloutPct: 50, targets })
    const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
    const labels = { ring: 'beta' }
    const devices = [
      item(inside, { labels }),
      item(outside, { labels }),
      item('no-label'),
      item('elsewhere', { labels, platform: 'linux' }),
      item('newest', { labels, version: '2.0.0' }),
    ]
    expect(await reasons(server, devices)).toEqual([
      'update',
      'outside_cohort',
      'not_targeted',
      'no_artifact',
      'up_to_date',
    ])
  })
})
