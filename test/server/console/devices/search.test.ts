import { expect, test } from 'vitest'
import { MAX_FOUND } from '../../../../src/shared/console/search.ts'
import { item } from '../../../support/builders/devices.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startConsole } from '../../../support/servers/console.ts'
import { report } from '../../../support/servers/fleet-calls.ts'

test('releases are found by parts of version, app and channel', async () => {
  const { server, console } = await startConsole()
  await console.channels.create({ app: 'editor', name: 'beta' })
  await publish(server, '1.0.0')
  await publish(server, '1.1.0')
  await publish(server, '1.2.0-rc.1', { channel: 'beta' })
  const find = async (text: string) => {
    const { releases } = await console.search.find({ text })
    return releases.map(({ app, channel, version }) => `${app}/${channel} ${version}`)
  }
  expect(await find('1.1')).toEqual(['editor/stable 1.1.0'])
  expect(await find('Beta 1.')).toEqual(['editor/beta 1.2.0-rc.1'])
  expect(await find('RC')).toEqual(['editor/beta 1.2.0-rc.1'])
  expect(await find('1. editor')).toEqual([
    'editor/beta 1.2.0-rc.1',
    'editor/stable 1.1.0',
    'editor/stable 1.0.0',
  ])
  // A word of the version is needed: the name of an app finds the app.
  expect(await find('editor')).toEqual([])
  expect(await find(' ')).toEqual([])
})

test('devices of every app are found by the beginning of their id, in either case', async () => {
  const { server, console } = await startConsole()
  await report(
    server,
    ['pc-1', 'PC-2', 'mac-1', 'a_b', 'axb', '100%'].map((id) => item(id)),
  )
  const find = async (text: string) => {
    const { devices } = await console.search.find({ text })
    return devices.map(({ app, deviceId }) => `${app} ${deviceId}`)
  }
  // Storage engines differ in what they put first, upper or lower case.
  expect((await find('pC-')).toSorted()).toEqual(['editor PC-2', 'editor pc-1'])
  expect(await find('mac-1')).toEqual(['editor mac-1'])
  expect(await find('c-1')).toEqual([])
  expect(await find('two words')).toEqual([])
  // Nothing is a pattern.
  expect(await find('a_')).toEqual(['editor a_b'])
  expect(await find('100%')).toEqual(['editor 100%'])
  expect([await find('_'), await find('%')]).toEqual([[], []])
})

test('the results are bounded', async () => {
  const { server, console } = await startConsole()
  await report(
    server,
    Array.from({ length: MAX_FOUND + 3 }, (_, n) => item(`pc-${n}`)),
  )
  for (let minor = 0; minor < MAX_FOUND + 3; minor++) await publish(server, `1.${minor}.0`)
  const { releases, devices } = await console.search.find({ text: 'pc' })
  expect([releases.length, devices.length]).toEqual([0, MAX_FOUND])
  const { releases: newest } = await console.search.find({ text: '1.' })
  expect(newest.map(({ version }) => version).slice(0, 2)).toEqual(['1.8.0', '1.7.0'])
  expect(newest).toHaveLength(MAX_FOUND)
})
