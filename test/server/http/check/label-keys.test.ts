import { expect, test } from 'vitest'
import { DEVICE } from '../../../support/builders/devices.ts'
import { check, expectError, publish, RELEASES, shown } from '../../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../../support/servers/console.ts'
import { offeredTo } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const RULE = /is not a label key: 1 to 63 letters/
const BAD_KEYS = ['__proto__', '__defineGetter__', '_', '']

/** Sends JSON as text, because an object literal would set the prototype. */
function send(server: TestServer, method: string, path: string, members: string) {
  return server.call(method, path, { raw: `{"app":"editor",${members}}` })
}

test('a key that is no label key is refused wherever a caller can name one', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const artifact = '"channel":"stable","version":"2.0.0"'
  const device = `"deviceId":"${DEVICE}","version":"1.0.0","platform":"darwin","arch":"x64"`
  for (const key of BAD_KEYS) {
    const labels = `{"${key}":"beta"}`
    const expression = `{"key":"${key}","operator":"In","values":["beta"]}`
    const calls: [path: string, method: string, url: string, members: string][] = [
      ['targets.matchLabels', 'POST', RELEASES, `${artifact},"targets":{"matchLabels":${labels}}`],
      [
        'targets.matchExpressions.0.key',
        ...(['POST', RELEASES] as const),
        `${artifact},"targets":{"matchExpressions":[${expression}]}`,
      ],
      [
        'targets.matchLabels',
        ...(['PATCH', RELEASES] as const),
        `"channel":"stable","version":"1.0.0","targets":{"matchLabels":${labels}}`,
      ],
      [
        'devices.0.labels',
        'POST',
        '/api/v1/fleet/report',
        `"devices":[{${device},"labels":${labels}}]`,
      ],
      [
        'devices.0.labels',
        ...(['POST', '/api/v1/fleet/decisions'] as const),
        `"devices":[{${device},"labels":${labels}}]`,
      ],
    ]
    for (const [path, method, url, members] of calls) {
      const message = expectError(await send(server, method, url, members), 400)
      expect(message).toMatch(RULE)
      expect(message).toMatch(path.endsWith('key') ? `${path}: ` : `${path}.${key}: `)
    }
    const query = `?l.${key}=beta`
    const message = expectError(await check(server, '1.0.0', { query }), 400)
    expect(message).toMatch(`l.${key}: `)
    expect(message).toMatch(RULE)
  }
  expect((await server.call('GET', RELEASES)).body.total).toBe(1)
  expect((await shown(server, '1.0.0')).targets).toEqual({ matchLabels: {}, matchExpressions: [] })
})

test('the console refuses such a key too', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const targets = JSON.parse('{"matchLabels":{"__proto__":"beta"},"matchExpressions":[]}')
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const { message } = await failureOf(
    callerOf(server).releases.changeServing({ ...place, targets }),
  )
  expect(message).toMatch(RULE)
})

test('a label can have the name of an inherited member, which no device has by default', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0')
  const [key, device] = ['constructor', 'one']
  const matchExpressions = [{ key, operator: 'Exists' }]
  await publish(server, '1.2.0', { targets: { matchExpressions } })
  await publish(server, '1.3.0', { targets: { matchLabels: { toString: 'x' } } })
  expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
  expect(await offeredTo(server, '1.0.0', { device, query: `?l.${key}=x` })).toBe('1.2.0')
  expect(await offeredTo(server, '1.0.0', { device, query: '?l.toString=x' })).toBe('1.3.0')
})
