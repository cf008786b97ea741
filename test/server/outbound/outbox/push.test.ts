import { createECDH, createPublicKey, randomUUID, verify } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { isPushService } from '../../../../src/server/outbound/outbox/push/push-key.ts'
import { encryptFor, pushMessage } from '../../../../src/server/outbound/outbox/push/push-sender.ts'
import { eventually } from '../../../support/eventually.ts'
import { raiseAlarm } from '../../../support/servers/alarms.ts'
import { startBrowserConsole } from '../../../support/servers/browser.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { allowPush, decrypt, openPushService } from '../../../support/servers/push-service.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import {
  accept,
  firstAdministrator,
  type SignedInBrowser,
} from '../../../support/servers/signed-in.ts'
import { storedColumn } from '../../../support/servers/stored.ts'

async function startPushService() {
  const service = await openPushService()
  onTestFinished(() => service.stop())
  return service
}

const add = (person: SignedInBrowser, subscription: unknown) =>
  person.call('account/own.notifications.addBrowser', subscription)
const own = async (person: SignedInBrowser) =>
  (await person.call('account/own.notifications.get')).data
const endpoints = (server: TestServer) =>
  storedColumn(server, 'SELECT endpoint FROM push_subscriptions ORDER BY endpoint')

test('what is sent is read as RFC 8291 says, by whom its example is for', () => {
  const keys = {
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  // Appendix A, and section 5.
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  const said = 'When I grow up, I want to be a watermelon'
  expect(decrypt(Buffer.from(body, 'base64url'), keys)).toBe(said)
  expect(decrypt(encryptFor(keys, 'Ünïcode'), keys)).toBe('Ünïcode')
})

test('whatever an event says, push services take it: 4,096 bytes', () => {
  const key = createECDH('prime256v1')
  key.generateKeys()
  const keys = { p256dh: key.getPublicKey('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
  for (const letter of ['x', '知', '😀', '\x01', '"']) {
    const [app, channel] = ['a'.repeat(63), 'b'.repeat(63)]
    const version = `1.0.0+${'1'.repeat(250)}`
    const actor = { kind: 'person', name: letter.repeat(1_000) }
    const data = { app, channel, version, actor, before: null, after: { comment: actor.name } }
    const event = { type: 'change_request.proposed', timestamp: '2026-03-01T12:00:00.000Z', data }
    const payload = JSON.stringify(event)
    const message = pushMessage({ id: randomUUID(), type: event.type, payload })
    expect(message.body).toContain(letter)
    expect(encryptFor(keys, JSON.stringify(message)).length).toBeLessThanOrEqual(4_096)
  }
})

test('a browser is sent alarms, encrypted for it, by a server that it knows', async () => {
  const service = await startPushService()
  const server = await startBrowserConsole(allowPush(service.host))
  const ada = await firstAdministrator(server)
  const { pushKey, browsers } = await own(ada)
  expect(browsers).toEqual([])
  const browser = service.subscribe()
  expect((await add(ada, browser.subscription)).status).toBe(200)
  const [first] = await service.until(1)
  expect(first?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: expect.stringMatching(/^\d{4,5}$/),
    urgency: 'normal',
  })
  const point = Buffer.from(pushKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [, token = '', named] =
    /^vapid t=([^,]+), k=(.+)$/.exec(first?.headers.authorization ?? '') ?? []
  expect(named).toBe(pushKey)
  const [head, claims = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  const proof = { key, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', signed, proof, Buffer.from(signature, 'base64url'))).toBe(true)
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  expect(aud).toBe(`https://${service.host}`)
  expect(exp * 1_000 - Date.now()).toBeLessThan(24 * 3_600_000)
  await raiseAlarm(server)
  await service.until(3)
  expect(service.pushed.map(({ headers }) => headers.urgency)).toEqual(['normal', 'high', 'normal'])
  expect(browser.messages()).toMatchObject([
    { title: 'Test notification', path: '/' },
    { title: 'Alarm: the disk is almost full', isUrgent: true },
    { title: 'Resolved: the disk is almost full', isUrgent: false },
  ])
  expect((await own(ada)).browsers).toMatchObject([{ failingSince: null, dropped: 0 }])
  // Nothing of it stays on the server.
  await eventually(async () => {
    const payloads = await storedColumn(server, 'SELECT payload FROM deliveries')
    expect(payloads.map(String)).toEqual(['{}', '{}', '{}'])
  })
})

test('a subscription that has expired is removed, and one that fails is shown', async () => {
  const service = await startPushService()
  const server = await startBrowserConsole(allowPush(service.host))
  const ada = await firstAdministrator(server)
  service.answer(503)
  await add(ada, service.subscribe().subscription)
  await eventually(async () =>
    expect((await own(ada)).browsers).toMatchObject([{ failingSince: expect.any(String) }]),
  )
  service.answer(410)
  await add(ada, service.subscribe().subscription)
  await eventually(async () => expect((await own(ada)).browsers).toHaveLength(1))
})

test('a browser is sent nothing more once its person signs out, is signed out or is removed', async () => {
  const service = await startPushService()
  const server = await startBrowserConsole(allowPush(service.host))
  const console = callerOf(server)
  const ada = await firstAdministrator(server)
  const invited = await console.people.invite({
    ...{ name: 'Mia', email: null, access: { server: 'administrator', apps: [] } },
  })
  const mia = await accept(server, invited.token)
  const [one, other] = [service.subscribe(), service.subscribe()]
  await add(ada, one.subscription)
  await add(mia, one.subscription)
  // Whoever uses the browser now has it.
  expect((await own(ada)).browsers).toEqual([])
  await add(mia, other.subscription)
  await mia.call('account/signOut')
  expect(await endpoints(server)).toEqual([])
  await add(ada, one.subscription)
  expect(await endpoints(server)).toHaveLength(1)
  const keep = (person: SignedInBrowser, { endpoint }: { endpoint: string }) =>
    person.call('account/own.notifications.keepBrowser', { endpoint })
  expect((await keep(ada, one.subscription)).data).toEqual({ id: expect.any(String) })
  expect((await keep(ada, other.subscription)).data).toEqual({ id: null })
  await console.people.endSessions({
    id: (await console.people.list()).find(({ name }) => name === 'Ada')?.id ?? '',
  })
  expect(await endpoints(server)).toEqual([])
})

test('only push services that the server knows are sent to, and a person has a few browsers', async () => {
  const service = await startPushService()
  const server = await startBrowserConsole(allowPush(service.host))
  const ada = await firstAdministrator(server)
  const { keys } = service.subscribe().subscription
  const refusalOf = async (subscription: unknown) => (await add(ada, subscription)).refusal
  for (const host of ['127.0.0.1', 'hooks.example.com', '169.254.169.254', `localhost`]) {
    const refused = await refusalOf({ endpoint: `https://${host}/x`, keys })
    expect(refused).toEqual({ code: 'push_service_unknown', path: ['endpoint'], host })
  }
  const noPoint = { ...keys, p256dh: `B${'A'.repeat(86)}` }
  expect(await refusalOf({ endpoint: `https://${service.host}/x`, keys: noPoint })).toMatchObject({
    code: 'invalid_input',
  })
  const added = []
  for (let count = 0; count < 11; count += 1)
    added.push(await refusalOf(service.subscribe().subscription))
  expect(added.filter((refused) => refused === undefined)).toHaveLength(10)
  expect(added.at(-1)).toMatchObject({ code: expect.stringMatching(/^too_many_/) })
  expect(service.pushed.length).toBeLessThanOrEqual(10)
})

test('without push notifications the server offers none', async () => {
  const server = await startBrowserConsole({ push: { isOffered: false } })
  expect(await own(await firstAdministrator(server))).toMatchObject({ pushKey: null, browsers: [] })
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['https://web.push.apple.com/x', true],
  ['https://wns2-by3p.notify.windows.com/w/?token=x', true],
  ['http://fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://user@fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com.evil.example/x', false],
  ['https://evilpush.apple.com/x', false],
  ['https://push.lan:8443/x', true],
  ['https://push.lan/x', false],
])('%s: %s', (url, isKnown) => {
  expect(isPushService(new URL(url), ['push.lan:8443'])).toBe(isKnown)
})
