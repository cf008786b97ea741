import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { EventType } from '../../src/shared/events/webhook.ts'
import { PageCode, readPage } from '../support/docs/page.ts'
import { publish, serve } from '../support/servers/calls.ts'
import { callerOf } from '../support/servers/console.ts'
import { startReceiver, webhookInput } from '../support/servers/receiver.ts'
import { startWithApp } from '../support/servers/server.ts'

const code = new PageCode('docs/webhooks.md')
const payload = JSON.parse(code.takeOne('Payload', 'json'))

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('the payload has the members that are sent', async () => {
  const receiver = await startReceiver()
  const server = await startWithApp({ webhooks: { privateHosts: [receiver.host] } })
  await publish(server, '2.1.0', { rolloutPct: 5 })
  const input = webhookInput({ url: receiver.url })
  const { secret } = await callerOf(server).webhooks.create(input)
  await serve(server, '2.1.0', { rolloutPct: 25 })
  const [sent] = await receiver.until(1)
  if (sent === undefined) throw new Error('nothing was sent')
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [name, String(value)]),
  )
  expect(new Webhook(secret).verify(sent.body, headers)).toEqual({
    ...payload,
    timestamp: expect.any(String),
    data: {
      ...payload.data,
      actor: { kind: 'key', name: 'test', keyPrefix: server.key.slice(0, 8) },
    },
  })
})

test('every event is in the table', () => {
  const page = readPage('docs/webhooks.md')
  for (const type of EventType.options) expect(page).toContain(`\`${type}\``)
})
