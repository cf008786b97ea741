import { expect, test } from 'vitest'
import { publishBody } from '../../../support/builders/releases.ts'
import { auditOf, check, serve } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'
import { offeredTo, report } from '../../../support/servers/fleet-calls.ts'

const PLACE = { app: 'editor', channel: 'stable' }

test("publishes a release that devices are offered, as the console's actor", async () => {
  const { server, console } = await startConsole()
  const release = await console.releases.publish(publishBody('1.0.0', { notes: '# New' }))
  expect(release).toMatchObject({ ...PLACE, version: '1.0.0', status: 'published', offered: false })
  expect(await offeredTo(server, '0.9.0')).toBe('1.0.0')
  const [entry] = await auditOf(server, 'release.published')
  expect(entry?.actor.kind).toBe('console')
  expect(entry?.actor.name).not.toBe('')
})

test('changes how a release is served, and shows the history of it, newest first', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0', { rolloutPct: 5 }))
  const change = { ...PLACE, version: '1.0.0', rolloutPct: 100 }
  expect(await console.releases.changeServing(change)).toMatchObject({ rolloutPct: 100 })
  expect(await offeredTo(server, '0.9.0')).toBe('1.0.0')
  await report(server, [{ deviceId: 'a', version: '1.0.0' }])
  const detail = await console.releases.get({ ...PLACE, version: '1.0.0' })
  expect(detail).toMatchObject({ devices: 1, seenLast7Days: 1, release: { offered: true } })
  expect(detail.history.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    { action: 'release.serving_changed', before: { rolloutPct: 5 }, after: { rolloutPct: 100 } },
    expect.objectContaining({ action: 'release.published', before: null }),
  ])
})

test('counts the devices on a release by platform, whatever they call it', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  await report(server, [
    { deviceId: 'a', version: '1.0.0', platform: 'macos', arch: 'arm64' },
    { deviceId: 'b', version: '1.0.0', platform: 'darwin', arch: 'aarch64' },
    { deviceId: 'c', version: '1.0.0', platform: 'linux', arch: 'x86_64' },
    { deviceId: 'd', version: '1.0.0' },
    { deviceId: 'e', version: '0.9.0', platform: 'linux', arch: 'x86_64' },
  ])
  const detail = await console.releases.get({ ...PLACE, version: '1.0.0' })
  expect(detail.devices).toBe(4)
  expect(detail.platforms).toEqual([
    { platform: 'darwin', arch: 'aarch64', devices: 2 },
    { platform: '', arch: '', devices: 1 },
    { platform: 'linux', arch: 'x86_64', devices: 1 },
  ])
  for (const { platform, arch, devices } of detail.platforms.filter(({ arch }) => arch !== '')) {
    const listed = await console.devices.list({ ...PLACE, version: '1.0.0', platform, arch })
    expect(listed.total, platform).toBe(devices)
  }
})

test('rejects what the public API rejects, with the same message about the field of the form', async () => {
  const { server, console } = await startConsole()
  await console.releases.publish(publishBody('1.0.0'))
  await check(server, '0.9.0')
  const change = { ...PLACE, version: '1.0.0', rolloutPct: 50 }
  const { error } = (await serve(server, '1.0.0', { rolloutPct: 50 })).body
  expect(await failureOf(console.releases.changeServing(change))).toEqual({
    code: 'invariant',
    message: `${error}.`.replace('rolloutPct', 'Percentage'),
  })
  const twin = await failureOf(console.releases.publish(publishBody('1.0.0')))
  expect(twin).toMatchObject({ code: 'duplicate' })
  await console.releases.changeServing({ ...PLACE, version: '1.0.0', status: 'rolled_back' })
  expect(
    await failureOf(
      console.releases.changeServing({ ...PLACE, version: '1.0.0', status: 'published' }),
    ),
  ).toMatchObject({ code: 'rolled_back' })
  const missing = { ...PLACE, version: '7.0.0' }
  expect(await failureOf(console.releases.get(missing))).toMatchObject({ code: 'unknown' })
  expect(await failureOf(console.releases.changeServing(missing))).toMatchObject({
    code: 'unknown',
  })
})

test('names the member of an input that is wrong', async () => {
  const { console } = await startConsole()
  const body = publishBody('one')
  expect(await failureOf(console.releases.publish(body), body)).toEqual({
    code: 'invalid',
    message: 'Version: must be a semantic version such as 1.4.0 or 2.0.0-rc.1.',
  })
})

test('lists releases newest first, by page, app, channel, status, and text', async () => {
  const { server, console } = await startConsole()
  await console.apps.create({ ref: 'player', name: 'Player' })
  await console.releases.publish(publishBody('1.0.0', { notes: 'Fixes the RULER' }))
  await console.releases.publish(publishBody('1.1.0-ruler'))
  await console.releases.publish(publishBody('2.0.0', { app: 'player', rolloutPct: 5 }))
  await report(server, [{ deviceId: 'a', version: '1.0.0' }])
  const versions = async (input: Parameters<typeof console.releases.list>[0]) =>
    (await console.releases.list(input)).releases.map(({ version }) => version)

  expect(await versions({})).toEqual(['2.0.0', '1.1.0-ruler', '1.0.0'])
  expect(await versions({ app: 'editor' })).toEqual(['1.1.0-ruler', '1.0.0'])
  expect(await versions({ channel: 'stable', status: 'paused' })).toEqual([])
  expect(await versions({ search: ' ruler ' })).toEqual(['1.1.0-ruler', '1.0.0'])
  expect(await console.releases.list({ page: 2, perPage: 2 })).toEqual({
    releases: [expect.objectContaining({ version: '1.0.0', devices: 1, artifacts: 1 })],
    page: 2,
    pageCount: 2,
    total: 3,
  })
  expect(await failureOf(console.releases.list({ app: 'nope' }))).toMatchObject({ code: 'unknown' })
  await console.apps.setArchived({ ref: 'player', archived: true })
  expect(await versions({})).toEqual(['1.1.0-ruler', '1.0.0'])
  expect(await versions({ app: 'player' })).toEqual(['2.0.0'])
})

test('returns what publishing a version would meet', async () => {
  const { console } = await startConsole()
  const verdict = (version: string) => console.releases.checkVersion({ ...PLACE, version })
  expect(await verdict('0.1.0')).toEqual({ state: 'free', highest: null })
  await console.releases.publish(publishBody('1.0.0'))
  await console.releases.changeServing({ ...PLACE, version: '1.0.0', status: 'paused' })
  expect(await verdict('v1.0.1')).toEqual({ state: 'free', highest: '1.0.0' })
  expect(await verdict('v1.0.0')).toEqual({
    ...{ state: 'duplicate', version: '1.0.0', status: 'paused' },
  })
  expect(await verdict('1.0.0-rc.1')).toEqual({
    ...{ state: 'lower', version: '1.0.0-rc.1', highest: '1.0.0', asText: null, downgrades: false },
  })
  const preRelease = { state: 'first_prerelease', version: '1.1.0-alpha99', highest: '1.0.0' }
  expect(await verdict('1.1.0-alpha99')).toEqual(preRelease)
  await console.releases.publish(publishBody('1.1.0-alpha99'))
  expect(await verdict('1.1.0-alpha100')).toEqual({
    ...{ state: 'lower', version: '1.1.0-alpha100', highest: '1.1.0-alpha99' },
    asText: { lower: 'alpha100', higher: 'alpha99' },
    downgrades: false,
  })
  expect(await verdict('1.1.0-beta.1')).toEqual({ state: 'free', highest: '1.1.0-alpha99' })
  await console.releases.publish(publishBody('2.0.0'))
  await console.releases.changeServing({ ...PLACE, version: '2.0.0', status: 'rolled_back' })
  const downgrade = { state: 'lower', version: '1.2.0', highest: '2.0.0', asText: null }
  expect(await verdict('1.2.0')).toEqual({ ...downgrade, downgrades: true })
  // What is paused can be resumed, and then is the latest.
  expect(await verdict('0.9.0')).toMatchObject({ state: 'lower', downgrades: false })
  const policy = { rollback: 'roll-forward' } as const
  await console.channels.setPolicy({ app: 'editor', channel: 'stable', policy })
  expect(await verdict('1.2.0')).toEqual({ ...downgrade, downgrades: false })
  expect(await verdict('1.0')).toEqual({
    state: 'invalid',
    reason: expect.stringMatching(/^must be a semantic version/),
  })
})
