import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { auditOf, publish, serve } from '../../../support/servers/calls.ts'
import { callerOf, failureOf } from '../../../support/servers/console.ts'
import { allow, startReceiver, verified, webhookInput } from '../../../support/servers/receiver.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { storedColumn } from '../../../support/servers/stored.ts'

test('a published release is sent, signed as Standard Webhooks describes', async () => {
  const receiver = await startReceiver()
  const server = await startWithApp(allow(receiver.host))
  const console = callerOf(server)
  await publish(server, '1.0.0')
  const { secret, webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  expect(JSON.stringify(await console.webhooks.list())).not.toContain(secret)
  await publish(server, '1.1.0', { rolloutPct: 5 })
  const [first, ...rest] = await receiver.until(1)
  if (first === undefined) throw new Error('nothing was received')
  expect(rest).toEqual([])
  expect(verified(secret, first)).toMatchObject({
    type: 'release.published',
    timestamp: expect.stringMatching(/Z$/),
    data: {
      ...{ app: 'editor', channel: 'stable', version: '1.1.0', actor: { kind: 'key' } },
      after: { rolloutPct: 5, status: 'published' },
    },
  })
  expect(() => verified(`whsec_${btoa('another secret')}`, first)).toThrow()
  expect(first.headers['user-agent']).toMatch(/^Tidegate\//)
  const [delivery] = await eventually(async () => {
    const deliveries = await console.webhooks.deliveries({ id: webhook.id })
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }])
    return deliveries
  })
  expect(delivery).toMatchObject({ id: first.headers['webhook-id'], payload: first.body })
})

test('each change has the event that matters most', async () => {
  const receiver = await startReceiver()
  const server = await startWithApp(allow(receiver.host))
  await callerOf(server).webhooks.create(webhookInput({ url: receiver.url }))
  await publish(server, '1.0.0', { rolloutPct: 5 })
  await serve(server, '1.0.0', { rolloutPct: 10 })
  await serve(server, '1.0.0', { status: 'paused', rolloutPct: 20 })
  await serve(server, '1.0.0', { status: 'published' })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  const types = (await receiver.until(5)).map(({ body }) => JSON.parse(body).type)
  expect(types).toEqual([
    ...['release.published', 'release.rollout_changed', 'release.paused', 'release.resumed'],
    'release.rolled_back',
  ])
})

test('only chosen events of the chosen app are sent', async () => {
  const receiver = await startReceiver()
  const server = await startWithApp(allow(receiver.host))
  const console = callerOf(server)
  await console.apps.create({ ref: 'player', name: 'Player' })
  const { url } = receiver
  const events = ['release.paused' as const]
  await console.webhooks.create(webhookInput({ url, events, app: 'editor' }))
  await publish(server, '1.0.0', { app: 'player' })
  await serve(server, '1.0.0', { app: 'player', status: 'paused' })
  await publish(server, '2.0.0')
  await serve(server, '2.0.0', { status: 'paused' })
  const [first] = await receiver.until(1)
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ data: { app: 'editor' } })
  await eventually(async () =>
    expect(await storedColumn(server, 'SELECT state FROM deliveries')).toEqual(['delivered']),
  )
})

test('a delivery is due by the clock of the server', async () => {
  const behind = 10 * 24 * 3_600_000
  const receiver = await startReceiver()
  const clock = () => Date.now() - behind
  const server = await startWithApp(allow(receiver.host), undefined, { clock })
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput({ url: receiver.url }))
  await publish(server, '1.0.0')
  await receiver.until(1)
  const [delivery] = await console.webhooks.deliveries({ id: webhook.id })
  expect(Date.parse(delivery?.createdAt ?? '')).toBeLessThan(Date.now() - behind + 60_000)
})

test('after a rotation, deliveries are signed with both secrets for a day', async () => {
  let skipped = 0
  const receiver = await startReceiver()
  const clock = () => Date.now() + skipped
  const server = await startWithApp(allow(receiver.host), undefined, { clock })
  const console = callerOf(server)
  const created = await console.webhooks.create(webhookInput({ url: receiver.url }))
  const { id, revision } = created.webhook
  const rotated = await console.webhooks.rotateSecret({ id, seen: revision })
  expect(rotated.secret).not.toBe(created.secret)
  expect(await failureOf(console.webhooks.rotateSecret({ id, seen: revision }))).toMatchObject({
    code: 'invariant',
  })
  await console.webhooks.test({ id })
  const [first] = await receiver.until(1)
  if (first === undefined) throw new Error('nothing was received')
  expect(() => verified(created.secret, first)).not.toThrow()
  expect(() => verified(rotated.secret, first)).not.toThrow()
  skipped = 24 * 3_600_000 + 1
  await console.webhooks.test({ id })
  const [, second] = await receiver.until(2)
  expect(String(second?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

test('addresses that cannot be sent to are refused', async () => {
  const server = await startWithApp()
  const console = callerOf(server)
  const create = (url: string) => failureOf(console.webhooks.create(webhookInput({ url })))
  expect(await create('ftp://example.com/')).toMatchObject({ code: 'invalid' })
  expect(await create('not a url')).toMatchObject({ code: 'invalid' })
  expect((await create('https://me:secret@example.com/')).message).toContain('user name')
  expect((await create('http://169.254.169.254/latest')).message).toContain('private address')
  expect((await create('http://[::1]:9/')).message).toContain('--webhook-private-host [::1]:9')
  expect(await console.webhooks.list()).toEqual([])
})

test('a form that shows an earlier state changes nothing', async () => {
  const server = await startWithApp()
  const console = callerOf(server)
  const { webhook } = await console.webhooks.create(webhookInput())
  const { id, revision: seen } = webhook
  await console.webhooks.change({ ...webhookInput({ name: 'Build chat' }), id, seen })
  const late = console.webhooks.change({ ...webhookInput({ name: 'Late' }), id, seen })
  expect(await failureOf(late)).toMatchObject({ code: 'invariant' })
  expect(await console.webhooks.list()).toMatchObject([{ name: 'Build chat' }])
  const [entry] = await auditOf(server, 'webhook.changed')
  expect(entry).toMatchObject({ before: { name: 'Chat' }, after: { name: 'Build chat' } })
  expect(JSON.stringify(await auditOf(server))).not.toContain('/one')
})

test('a webhook goes with its app', async () => {
  const server = await startWithApp()
  const console = callerOf(server)
  await console.webhooks.create(webhookInput({ app: 'editor' }))
  await console.apps.remove({ ref: 'editor', confirmation: 'editor' })
  expect(await console.webhooks.list()).toEqual([])
})
