import { expect, test } from 'vitest'
import { publishBody } from '../../../support/builders/releases.ts'
import { type Caller, failureOf, startConsole } from '../../../support/servers/console.ts'
import { offeredTo, report } from '../../../support/servers/fleet-calls.ts'

const PLACE = { app: 'editor', channel: 'stable' }

const previous = (console: Caller, version: string) =>
  console.releases.previous({ ...PLACE, version })

async function rollBack(console: Caller, version: string): Promise<void> {
  await console.releases.changeServing({ ...PLACE, version, status: 'rolled_back' })
}

test('returns two releases of an app, also of two channels, with their devices', async () => {
  const { server, console } = await startConsole()
  await console.channels.create({ app: 'editor', name: 'beta' })
  await console.releases.publish(publishBody('1.0.0', { notes: 'One' }))
  await console.releases.publish(publishBody('1.1.0-rc.1', { channel: 'beta', notes: 'Two' }))
  await report(server, [{ deviceId: 'a', version: '1.0.0' }])
  const from = { channel: 'beta', version: '1.1.0-rc.1' }
  const to = { channel: 'stable', version: '1.0.0' }
  const compared = await console.releases.compare({ app: 'editor', from, to })
  expect(compared).toMatchObject({
    from: { release: { ...from, notes: 'Two' }, devices: 0 },
    to: { release: { ...to, notes: 'One' }, devices: 1 },
  })
  const [release] = (await console.releases.list({ channel: 'stable' })).releases
  expect(compared.to.release.createdAt).toBe(release?.createdAt)
})

test('tells a release that is not there from one that has nothing to be compared with', async () => {
  const { console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  const known = { channel: 'stable', version: '1.0.0' }
  for (const gone of [
    { channel: 'stable', version: '9.0.0' },
    { channel: 'nightly', version: '1.0.0' },
  ]) {
    const input = { app: 'editor', from: gone, to: known }
    expect((await console.releases.compare(input)).from).toBeNull()
    const failed = console.releases.compare({ app: 'editor', from: known, to: gone })
    expect(await failureOf(failed)).toMatchObject({ code: 'unknown' })
  }
  const elsewhere = console.releases.compare({ app: 'viewer', from: known, to: known })
  expect(await failureOf(elsewhere)).toMatchObject({ code: 'unknown' })
})

test('knows the release that the channel served before', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  expect(await previous(console, '1.0.0')).toBeNull()
  expect(await offeredTo(server, '0.9.0')).toBe('1.0.0')
  await console.releases.publish(publishBody('1.1.0'))
  expect(await previous(console, '1.1.0')).toBe('1.0.0')
  // Nobody was offered 1.1.0 yet.
  await console.releases.publish(publishBody('1.2.0'))
  expect(await previous(console, '1.2.0')).toBe('1.0.0')
  expect(await failureOf(previous(console, '7.0.0'))).toMatchObject({ code: 'unknown' })
})

test('passes over a release that was paused or rolled back, unless there is no other', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  await offeredTo(server, '0.9.0')
  await console.releases.publish(publishBody('1.1.0'))
  await offeredTo(server, '0.9.0')
  await console.releases.publish(publishBody('1.2.0'))
  expect(await previous(console, '1.2.0')).toBe('1.1.0')
  await console.releases.changeServing({ ...PLACE, version: '1.1.0', status: 'paused' })
  expect(await previous(console, '1.2.0')).toBe('1.0.0')
  await rollBack(console, '1.1.0')
  expect(await previous(console, '1.2.0')).toBe('1.0.0')
  await rollBack(console, '1.0.0')
  expect(await previous(console, '1.2.0')).toBe('1.1.0')
})

test('passes over a lower release that was published later', async () => {
  const { console } = await startConsole()
  for (const version of ['1.0.0', '2.0.0', '1.0.1']) {
    await console.releases.publish(publishBody(version))
  }
  expect(await previous(console, '2.0.0')).toBe('1.0.0')
  expect(await previous(console, '1.0.1')).toBe('1.0.0')
})

test('finds releases to choose from by version and channel, latest first', async () => {
  const { console } = await startConsole()
  await console.apps.create({ ref: 'viewer', name: 'Viewer' })
  await console.channels.create({ app: 'editor', name: 'beta' })
  await console.releases.publish(publishBody('1.0.0', { notes: 'beta' }))
  await console.releases.publish(publishBody('1.1.0-RC.1', { channel: 'beta' }))
  await console.releases.publish(publishBody('1.1.0', { app: 'viewer' }))
  const found = async (search: string) =>
    (await console.releases.choices({ app: 'editor', search })).map(
      ({ channel, version }) => `${channel}/${version}`,
    )
  expect(await found('')).toEqual(['beta/1.1.0-RC.1', 'stable/1.0.0'])
  expect(await found(' BETA rc ')).toEqual(['beta/1.1.0-RC.1'])
  expect(await found('1. stable')).toEqual(['stable/1.0.0'])
  expect(await found('2')).toEqual([])
})
