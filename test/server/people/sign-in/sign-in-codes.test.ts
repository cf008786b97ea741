import { expect, test } from 'vitest'
import {
  AWAY,
  HOME,
  join,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
} from '../../../support/builders/people.ts'
import { commandLineToken, shownCode } from '../../../support/servers/command-line.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const INVALID = expect.objectContaining({ facts: { code: 'sign_in_code_invalid' } })
const LIMITED = expect.objectContaining({
  facts: { code: 'too_many_attempts', retrySeconds: expect.any(Number) },
})

test('a person confirms a code, and the command line has a session of its own, once', async () => {
  const { people, audit } = await openPeople()
  const { session } = await setUp(people)
  const { deviceCode, request } = people.codes.begin('laptop', AWAY)
  expect(request).toMatchObject({
    userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/),
    ...{ computer: 'laptop', address: AWAY.address },
  })
  expect(await people.codes.poll(deviceCode, AWAY)).toEqual({ state: 'pending' })

  const typed = `${request.userCode.slice(0, 4)}-${request.userCode.slice(4)} `.toLowerCase()
  expect(await shownCode(people, session, { deviceCode, request }, typed)).toEqual(request)
  expect(await people.codes.poll(deviceCode, AWAY)).toEqual({ state: 'pending' })
  await people.codes.decide(session, typed, true)
  const [first, second] = await Promise.all([
    people.codes.poll(deviceCode, AWAY),
    people.codes.poll(deviceCode, AWAY),
  ])
  expect(second).toEqual({ state: 'expired' })
  if (first.state !== 'signed_in') throw new Error(first.state)
  expect(first.session).toMatchObject({
    ...{ kind: 'command_line', address: AWAY.address, userAgent: 'laptop' },
    account: { name: 'mia' },
  })
  expect(people.sessionsOf(session.account.id).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['browser', 'command_line']),
  )
  expect((await audit())[0]).toMatchObject({
    action: 'session.started',
    actor: { kind: 'person', name: 'mia', address: AWAY.address, via: 'command_line' },
  })
  await expect(people.codes.find(session, request.userCode)).rejects.toEqual(INVALID)
})

test('neither token stands for the other kind of session', async () => {
  const { people } = await openPeople()
  const { session, token } = await setUp(people)
  const own = await commandLineToken(people, session)
  expect(people.find(token)?.kind).toBe('browser')
  expect(people.find(own, 'command_line')?.kind).toBe('command_line')
  expect(people.find(own)).toBeUndefined()
  expect(people.find(token, 'command_line')).toBeUndefined()
})

test('a code that was denied, or is 10 minutes old, gets nothing', async () => {
  const { people, time } = await openPeople()
  const { session } = await setUp(people)
  const denied = people.codes.begin('laptop', AWAY)
  await shownCode(people, session, denied)
  await people.codes.decide(session, denied.request.userCode, false)
  expect(await people.codes.poll(denied.deviceCode, AWAY)).toEqual({ state: 'denied' })
  expect(await people.codes.poll(denied.deviceCode, AWAY)).toEqual({ state: 'expired' })

  const old = people.codes.begin('laptop', AWAY)
  time.now += 10 * MINUTE - 1
  expect(await shownCode(people, session, old)).toEqual(old.request)
  time.now += 1
  await expect(people.codes.decide(session, old.request.userCode, true)).rejects.toEqual(INVALID)
  expect(await people.codes.poll(old.deviceCode, AWAY)).toEqual({ state: 'expired' })
})

test('a confirmation counts for nothing when its session has ended meanwhile', async () => {
  const { people } = await openPeople()
  const { session } = await setUp(people)
  const begun = people.codes.begin('laptop', AWAY)
  await shownCode(people, session, begun)
  await people.codes.decide(session, begun.request.userCode, true)
  await people.endSession(ROOT, session.id)
  expect(await people.codes.poll(begun.deviceCode, AWAY)).toEqual({ state: 'expired' })
  expect(people.sessionsOf(session.account.id)).toEqual([])
})

test('only who has seen what a code is about decides on it', async () => {
  const { people } = await openPeople()
  const mia = await setUp(people)
  const noah = await join(people, 'noah')
  const begun = people.codes.begin('laptop', AWAY)
  const { userCode } = begun.request
  await expect(people.codes.decide(mia.session, userCode, true)).rejects.toEqual(INVALID)
  await shownCode(people, mia.session, begun)
  await expect(people.codes.decide(noah.session, userCode, true)).rejects.toEqual(INVALID)
  expect(await people.codes.find(noah.session, userCode)).toEqual(begun.request)
  await people.codes.decide(noah.session, userCode, true)
  await expect(people.codes.decide(mia.session, userCode, false)).rejects.toEqual(INVALID)
  expect(await people.codes.poll(begun.deviceCode, AWAY)).toMatchObject({
    ...{ state: 'signed_in', session: { account: { name: 'noah' } } },
  })
})

test('a code that no command shows any more is invalid, and so is one of a server that stops', async () => {
  const { people } = await openPeople({ codePatience: 0 })
  const { session } = await setUp(people)
  const begun = people.codes.begin('laptop', AWAY)
  await expect(people.codes.find(session, begun.request.userCode)).rejects.toEqual(INVALID)

  const patient = await openPeople()
  const other = await setUp(patient.people)
  const waiting = patient.people.codes.find(other.session, begun.request.userCode)
  const refused = expect(waiting).rejects.toEqual(INVALID)
  await patient.people.stop()
  await refused
})

test('wrong codes are limited for each person', async () => {
  const { people, time } = await openPeople({ codePatience: 1_000 })
  const mia = await setUp(people)
  const noah = await join(people, 'noah')
  const begun = people.codes.begin('laptop', AWAY)
  for (const typed of ['BBBBBBBB', 'AAAAAAAA', '', ...Array(7).fill('BBBB')]) {
    await expect(people.codes.find(mia.session, typed)).rejects.toEqual(INVALID)
  }
  await expect(people.codes.find(mia.session, begun.request.userCode)).rejects.toEqual(LIMITED)
  expect(await shownCode(people, noah.session, begun)).toEqual(begun.request)
  time.now += 2 * MINUTE
  expect(await shownCode(people, mia.session, begun)).toEqual(begun.request)
})

test('strangers who begin thousands of sign-ins keep nobody from signing in', async () => {
  const { people } = await openPeople()
  const { session } = await setUp(people)
  const early = people.codes.begin('laptop', AWAY)
  for (let count = 0; count < 5_000; count += 1) {
    const address = `10.0.${(count >> 3) & 255}.1`
    people.codes.begin('laptop', { ...HOME, address })
  }
  const late = people.codes.begin('laptop', AWAY)
  for (const begun of [early, late]) {
    expect(await shownCode(people, session, begun)).toEqual(begun.request)
  }
})

test('a person has a bounded number of codes', async () => {
  const { people, time } = await openPeople()
  const { session } = await setUp(people)
  const begin = () => people.codes.begin('laptop', AWAY)
  for (let count = 0; count < 100; count += 1) await shownCode(people, session, begin())
  await expect(shownCode(people, session, begin())).rejects.toEqual(LIMITED)
  time.now += 10 * MINUTE
  const next = begin()
  expect(await shownCode(people, session, next)).toEqual(next.request)
})

test('a session of the command line ends after 8 days without use, and after 90 days', async () => {
  const { people, time } = await openPeople()
  const { session } = await setUp(people)
  const idle = await commandLineToken(people, session)
  const used = await commandLineToken(people, session)
  time.now += 8 * DAY - 1
  expect(people.find(used, 'command_line')).toBeDefined()
  time.now += 1
  expect(people.find(idle, 'command_line')).toBeUndefined()
  for (let day = 8; day < 90; day += 1) {
    expect(people.find(used, 'command_line'), `day ${day}`).toBeDefined()
    time.now += DAY
  }
  expect(people.find(used, 'command_line')).toBeUndefined()
})

test('a new password ends the sessions of the command line', async () => {
  const { people } = await openPeople()
  const { session } = await setUp(people)
  const token = await commandLineToken(people, session)
  await people.own.changePassword(session, { current: PASSWORD, next: OTHER_PASSWORD }, HOME)
  expect(people.find(token, 'command_line')).toBeUndefined()
})
