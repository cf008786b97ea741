import { describe, expect, test } from 'vitest'
import { item } from '../../../support/builders/devices.ts'
import { publish } from '../../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../../support/servers/console.ts'
import { checkAs, plan, report } from '../../../support/servers/fleet-calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored, storedColumn } from '../../../support/servers/stored.ts'

const BUDGET = 5
const budgets = { combinations: BUDGET }

async function versionsOf(server: TestServer): Promise<Record<string, number>> {
  await server.fleet.settled()
  const today = Math.floor(Date.now() / 86_400_000)
  const [app] = server.catalog.snapshot.apps
  const versions = await server.fleet.presence(app?.record.key ?? 0, today)
  return Object.fromEntries(versions.map(({ version, devices }) => [version, devices]))
}

async function usedUp(server: TestServer): Promise<unknown[]> {
  await server.fleet.settled()
  const { status, body } = await server.call('GET', '/healthz', { key: null })
  expect([status, body.status, body.telemetry.state]).toEqual([200, 'ok', 'ok'])
  return body.budgets
}

describe('a flood of invented versions', () => {
  test('is counted as other beyond the budget; releases and reports are counted as usual', async () => {
    const server = await startWithApp({ budgets })
    await publish(server, '1.1.0')
    expect(await usedUp(server)).toEqual([])
    for (let at = 0; at < 30; at++) {
      const { status } = await checkAs(server, `9.0.${at}`, { device: `flood-${at}` })
      expect(status).toBe(204)
    }
    expect(await usedUp(server)).toMatchObject([{ name: 'combinations', count: 30 - BUDGET }])
    const { budgets: shown } = await callerOf(server).overview.get()
    expect(shown).toMatchObject([{ name: 'combinations', count: 30 - BUDGET }])

    await checkAs(server, '1.1.0', { device: 'released' })
    await checkAs(server, '1.1.0', { device: 'odd', platform: 'plan9', arch: 'mips' })
    expect((await report(server, [item('reported', { version: '7.0.0' })])).status).toBe(200)
    expect((await plan(server, [item('planned', { version: '7.1.0' })])).status).toBe(200)
    const counted = await versionsOf(server)
    expect(counted).toMatchObject({ '*': 30 - BUDGET, '1.1.0': 2, '7.0.0': 1, '7.1.0': 1 })
    expect(Object.keys(counted)).toHaveLength(BUDGET + 4)

    // A restart counts the same.
    await server.stop()
    const again = await startServer({ dataFolder: server.folder, budgets })
    await checkAs(again, '9.9.9', { device: 'late' })
    await checkAs(again, '7.0.0', { device: 'like reported'.replace(' ', '-') })
    expect(await versionsOf(again)).toEqual({ ...counted, '*': 30 - BUDGET + 1, '7.0.0': 2 })
    expect(await usedUp(again)).toMatchObject([{ name: 'combinations', count: 1 }])
  })

  test('creates nothing without a device, or if the check is rejected', async () => {
    const server = await startWithApp({ budgets })
    for (let at = 0; at < 20; at++) {
      await checkAs(server, `9.0.${at}`)
      await checkAs(server, `9.1.${at}`, { device: 'not an id' })
      await checkAs(server, `9.2.${at}`, { device: 'one', query: '?l.-=1' })
    }
    await server.stop()
    expect(await storedColumn(server, 'SELECT version FROM profiles')).toEqual(['*'])
    expect(await countStored(server, 'check_ins', 'devices')).toEqual([20, 0])
  })

  test('takes no device along: one that updates beyond the budget leaves its version', async () => {
    const server = await startWithApp({ budgets: { combinations: 1 } })
    await checkAs(server, '1.0.0', { device: 'one' })
    await checkAs(server, '2.0.0', { device: 'one' })
    expect(await versionsOf(server)).toEqual({ '*': 1 })
    await publish(server, '2.0.0')
    await checkAs(server, '2.0.0', { device: 'one' })
    expect(await versionsOf(server)).toEqual({ '2.0.0': 1 })
  })

  test('is shown as other wherever devices are', async () => {
    const server = await startWithApp({ budgets: { combinations: 0 } })
    await publish(server, '1.1.0')
    await checkAs(server, '9.0.0', { device: 'one' })
    await checkAs(server, '1.1.0', { device: 'two' })
    await server.fleet.settled()
    const console = callerOf(server)
    const list = await console.devices.list({ app: 'editor', sort: 'version', order: 'desc' })
    expect(list.devices.map(({ version }) => version)).toEqual(['1.1.0', '*'])
    expect(list.choices.versions).toEqual(['1.1.0', '*'])
    const found = await console.devices.list({ app: 'editor', version: '*' })
    expect(found.devices).toMatchObject([{ deviceId: 'one', platform: '*', arch: '*' }])
    const place = { app: 'editor', deviceId: 'one' }
    expect(await console.devices.get(place)).toMatchObject({
      version: '*',
      history: [{ version: '*', platform: '*' }],
    })
    expect(await failureOf(console.devices.explain(place))).toMatchObject({ code: 'invalid' })
    const asked = await console.devices.explain({ ...place, version: '1.0.0' })
    expect(asked).toMatchObject({ version: '1.0.0', platform: '', reason: 'no_artifact' })
    const charts = await console.fleet.dashboard({ app: 'editor', range: '24h' })
    const now = charts.adoption.bands.map(({ version, devices }) => [version, devices.at(-1)])
    expect([now, charts.adoption.otherVersions]).toEqual([
      [
        ['1.1.0', 1],
        [null, 1],
      ],
      0,
    ])
  })
})
