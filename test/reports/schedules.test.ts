import { expect, test } from 'vitest'
import { publish } from '../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'

// Inputs of reports about other products: see README.md in this folder.

const STEPS = [
  { rolloutPct: 10, soakHours: 1 },
  { rolloutPct: 100, soakHours: 1 },
]
const SUNDAY = { days: ['sun'], from: '04:00', to: '05:00' }

/** A server with a release, and what setting a plan of it answers. */
async function start() {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  const put = (plan: object) =>
    server.call('PUT', '/api/v1/releases/plan', {
      body: { app: 'editor', channel: 'stable', version: '1.0.0', plan: { steps: STEPS, ...plan } },
    })
  return { server: server as TestServer, put }
}

test('windows are in the time zone that is named, whatever its name', async () => {
  const { put } = await start()
  // Zones without a change of clocks, so that every day of the year has the same hour.
  const zones = {
    UTC: '04',
    'Asia/Calcutta': '22',
    'Asia/Shanghai': '20',
    'Etc/GMT+5': '09',
    GMT: '04',
  }
  for (const [timeZone, hour] of Object.entries(zones)) {
    const { body } = await put({ timeZone, windows: [SUNDAY] })
    expect([timeZone, body.plan.next.at.slice(11, 13)]).toEqual([timeZone, hour])
    await put({ timeZone: 'UTC' })
  }
  for (const timeZone of [
    'europe/berlin',
    'Europe/Kyiv',
    'Europe/Kiev',
    'US/Pacific',
    'CET',
    'America/Edmonton',
  ]) {
    expect((await put({ timeZone, windows: [SUNDAY] })).status).toBe(200)
  }
  for (const timeZone of ['UTC+2', '+03:00', 'GMT+1', '', 'Local', 'Z']) {
    expect([timeZone, (await put({ timeZone, windows: [SUNDAY] })).status]).toEqual([timeZone, 400])
  }
})

test('windows that cannot be meant are refused', async () => {
  const { put } = await start()
  const times = [
    ['22:00', '06:00'],
    ['00:00', '24:00'],
    ['23:59', '00:00'],
    ['22:00', '24:00'],
  ]
  for (const [from, to] of times) {
    expect([from, to, (await put({ windows: [{ days: ['fri'], from, to }] })).status]).toEqual([
      from,
      to,
      200,
    ])
  }
  const wrong = [
    ['09:00', '09:00'],
    ['24:00', '06:00'],
    ['9:00', '17:00'],
    ['09:00', '5pm'],
    ['09:00:00', '10:00:00'],
    ['25:00', '26:00'],
  ]
  for (const [from, to] of wrong) {
    expect([from, to, (await put({ windows: [{ days: ['fri'], from, to }] })).status]).toEqual([
      from,
      to,
      400,
    ])
  }
  for (const days of [['Monday'], [], undefined, 'mon']) {
    expect((await put({ windows: [{ ...SUNDAY, days }] })).status).toBe(400)
  }
})
