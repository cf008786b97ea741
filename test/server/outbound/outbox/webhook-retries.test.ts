import { expect, test } from 'vitest'
import { MAX_PENDING } from '../../../../src/server/outbound/outbox/collecting.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'
import { done, serveCli } from '../../../support/processes/cli.ts'
import { auditOf, publish } from '../../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../../support/servers/console.ts'
import { allow, startReceiver, verified, webhookInput } from '../../../support/servers/receiver.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { changeStored } from '../../../support/servers/stored.ts'

test('a delivery that fails is sent again under the same ID', async () => {
  let skipped = 0
  const receiver = await startReceiver({ status: 503, body: 'try later' })
  const clock = () => Date.now() + skipped
  const server = await startWithApp(allow(receiver.host), undefined, { clock })
  const console = callerOf(server)
  const { secret, webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  await console.webhooks.test({ id: webhook.id })
  const shown = async () => (await console.webhooks.deliveries({ id: webhook.id }))[0]
  await eventually(async () =>
    expect(await shown()).toMatchObject({
      ...{ state: 'pending', tries: 1 },
      attempts: [{ status: 503, failure: null, response: 'try later' }],
    }),
  )
  expect((await console.webhooks.list())[0]).toMatchObject({ pending: 1 })
  expect((await console.webhooks.list())[0]?.failingSince).not.toBeNull()
  receiver.answer({ status: 200 })
  skipped = 10_000
  const [first, second] = await receiver.until(2)
  if (first === undefined || second === undefined) throw new Error('not sent again')
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect(second.body).toBe(first.body)
  expect(JSON.parse(first.body)).toMatchObject({ type: 'webhook.test' })
  expect(Number(second.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first.headers['webhook-timestamp']),
  )
  expect(() => verified(secret, first)).not.toThrow()
  await eventually(async () =>
    expect(await shown()).toMatchObject({ state: 'delivered', tries: 2 }),
  )
  expect((await console.webhooks.list())[0]).toMatchObject({ pending: 0, failingSince: null })
})

test('a webhook that fails for days is disabled, and the log says so', async () => {
  let skipped = 0
  const receiver = await startReceiver({ status: 500 })
  const clock = () => Date.now() + skipped
  const server = await startWithApp(allow(receiver.host), undefined, { clock })
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  await console.webhooks.test({ id: webhook.id })
  const states = async () =>
    (await console.webhooks.deliveries({ id: webhook.id })).map(({ state }) => state)
  await eventually(async () =>
    expect((await console.webhooks.list())[0]?.failingSince).not.toBeNull(),
  )
  skipped = 25 * 3_600_000
  await eventually(async () => expect(await states()).toEqual(['failed']))
  expect((await console.webhooks.list())[0]?.disabled).toBeNull()
  skipped = 73 * 3_600_000
  await console.webhooks.test({ id: webhook.id })
  await eventually(async () =>
    expect((await console.webhooks.list())[0]?.disabled).toMatchObject({ by: 'failures' }),
  )
  expect(await states()).toEqual(['canceled', 'failed'])
  expect(await auditOf(server, 'webhook.disabled')).toMatchObject([
    { actor: { kind: 'server' }, after: { name: 'Chat' } },
  ])
  expect(await failureOf(console.webhooks.test({ id: webhook.id }))).toMatchObject({
    code: 'invariant',
  })
  const attempts = receiver.received.length
  await publish(server, '1.0.0')
  receiver.answer({ status: 200 })
  await console.webhooks.setDisabled({ id: webhook.id, disabled: false })
  await publish(server, '1.1.0')
  const sent = await receiver.until(attempts + 1)
  expect(JSON.parse(sent.at(-1)?.body ?? '')).toMatchObject({ data: { version: '1.1.0' } })
})

test('a receiver that is gone for good is not asked again', async () => {
  const receiver = await startReceiver({ status: 410 })
  const server = await startWithApp(allow(receiver.host))
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  await console.webhooks.test({ id: webhook.id })
  await eventually(async () =>
    expect((await console.webhooks.list())[0]?.disabled).toMatchObject({ by: 'failures' }),
  )
})

test('a delivery can be sent again by hand', async () => {
  const receiver = await startReceiver()
  const server = await startWithApp(allow(receiver.host))
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  const delivery = await console.webhooks.test({ id: webhook.id })
  await receiver.until(1)
  await console.webhooks.redeliver({ delivery: delivery.id })
  const sent = await receiver.until(2)
  expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id, delivery.id])
  expect(await auditOf(server, 'webhook.redelivered')).toMatchObject([
    { after: { name: 'Chat', event: 'webhook.test' } },
  ])
  expect(await failureOf(console.webhooks.redeliver({ delivery: 'none' }))).toMatchObject({
    code: 'unknown',
  })
})

test('one receiver that hangs keeps no other waiting', async () => {
  const [hanging, working] = [await startReceiver(), await startReceiver()]
  hanging.answer(undefined)
  const privateHosts = [hanging.host, working.host]
  const server = await startWithApp({ webhooks: { privateHosts } })
  const console = callerOf(server)
  await console.webhooks.create(webhookInput({ url: hanging.url }))
  await console.webhooks.create(webhookInput({ url: working.url }))
  await publish(server, '1.0.0')
  await publish(server, '1.1.0')
  await working.until(2)
  expect(hanging.received.length).toBe(1)
})

test('what waits for a webhook is bounded, and what is dropped is counted', async () => {
  const receiver = await startReceiver()
  receiver.answer(undefined)
  const server = await startWithApp(allow(receiver.host))
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  await console.webhooks.test({ id: webhook.id })
  await receiver.until(1)
  const others = `webhook_id, mail_to, type, payload, state, created_at, give_up_at, next_at, tries, attempts`
  await changeStored(
    server,
    `WITH RECURSIVE copies (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < ${MAX_PENDING - 1}
    ) INSERT INTO deliveries (id, ${others}) SELECT 'copy ' || number, ${others} FROM deliveries, copies`,
  )
  await publish(server, '1.0.0')
  await eventually(async () =>
    expect(await console.webhooks.list()).toMatchObject([{ pending: MAX_PENDING, dropped: 1 }]),
  )
})

test('changes by the command line are sent, also after the server was killed', async () => {
  const receiver = await startReceiver({ status: 500 })
  const folder = temporaryFolder()
  const server = await startWithApp({ ...allow(receiver.host), dataFolder: folder })
  await callerOf(server).webhooks.create(webhookInput({ url: receiver.url }))
  await publish(server, '1.0.0')
  await receiver.until(1)
  await server.stop()
  const running = await serveCli(folder, '--webhook-private-host', receiver.host)
  await running.stop('SIGKILL')
  receiver.answer({ status: 200 })
  await done(folder, 'pause', 'editor', 'stable', '1.0.0')
  await serveCli(folder, '--webhook-private-host', receiver.host)
  await eventually(() => {
    const types = receiver.received.map(({ body }) => JSON.parse(body).type)
    expect(types).toContain('release.paused')
  })
})

test('receivers of one app that hang leave places for another app', async () => {
  const [hanging, working] = [await startReceiver(), await startReceiver()]
  hanging.answer(undefined)
  const privateHosts = [hanging.host, working.host]
  const server = await startWithApp({ webhooks: { privateHosts } })
  const console = callerOf(server)
  await console.apps.create({ ref: 'player', name: 'Player' })
  for (let count = 0; count < 8; count++) {
    await console.webhooks.create(webhookInput({ url: hanging.url, app: 'editor' }))
  }
  await console.webhooks.create(webhookInput({ url: working.url, app: 'player' }))
  await publish(server, '1.0.0')
  await hanging.until(4)
  await publish(server, '1.0.0', { app: 'player' })
  await working.until(1)
  expect(hanging.received).toHaveLength(4)
})
