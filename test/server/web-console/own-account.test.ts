import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { SESSION_ENDED } from '../../../src/shared/console/bridge/web.ts'
import { Authenticator } from '../../support/builders/authenticator.ts'
import { OTHER_PASSWORD } from '../../support/builders/passwords.ts'
import { PASSWORD, startBrowserConsole } from '../../support/servers/browser.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { browserWith, firstAdministrator, stranger } from '../../support/servers/signed-in.ts'

const ADA = { name: 'Ada', password: PASSWORD }

async function signInAgain(server: TestServer, password = PASSWORD) {
  const { cookie } = await stranger(server, 'account/signIn', { name: 'Ada', password })
  if (cookie === null) throw new Error('a second factor was asked for')
  return browserWith(server, cookie)
}

test('a new password ends the other sessions, and needs the present one', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const other = await signInAgain(server)
  const ended = await other.follow()
  const change = (current: string, next: string) =>
    ada.call('account/own.changePassword', { current, next })
  expect((await change('wrong', OTHER_PASSWORD)).refusal).toEqual({
    ...{ code: 'current_password_wrong', path: ['current'] },
  })
  expect((await change(PASSWORD, 'short')).refusal).toMatchObject({
    ...{ code: 'password_weak', path: ['next'], reason: 'too_short' },
  })
  expect((await change(PASSWORD, OTHER_PASSWORD)).status).toBe(200)
  expect(await ended()).toBe(SESSION_ENDED)
  expect((await ada.call('account/own.get')).data.name).toBe('Ada')
  const refused = await stranger(server, 'account/signIn', ADA)
  expect(refused.refusal).toEqual({ code: 'sign_in_failed' })
  await signInAgain(server, OTHER_PASSWORD)
})

test('an own e-mail address that was changed meanwhile is not overwritten', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const change = (email: string | null, seen: string | null) =>
    ada.call('account/own.setEmail', { email, seen })
  expect((await change('ada@example.com', null)).data).toEqual({ email: 'ada@example.com' })
  const stale = await change('late@example.com', null)
  expect(stale.refusal).toEqual({ code: 'email_changed', name: 'Ada', email: 'ada@example.com' })
  expect((await ada.call('account/own.get')).data.email).toBe('ada@example.com')
  expect((await change(null, 'ada@example.com')).data).toEqual({ email: null })
})

test('an authenticator app is set up, asked for, and turned off', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const { enrolment, secret, uri } = (await ada.call('account/own.beginTotp')).data
  expect(uri).toContain(`secret=${secret}`)
  const app = new TOTP({ secret })
  const confirm = (code: string) =>
    ada.call('account/own.confirmTotp', { enrolment, code, password: PASSWORD })
  const wrong = app.generate() === '000000' ? '000001' : '000000'
  expect((await confirm(wrong)).refusal).toEqual({ code: 'second_factor_wrong' })
  const { recoveryCodes } = (await confirm(app.generate())).data
  expect(recoveryCodes).toHaveLength(10)
  expect((await ada.call('account/own.get')).data).toMatchObject({
    ...{ twoFactor: true, recoveryCodesLeft: 10 },
  })

  const asked = await stranger(server, 'account/signIn', ADA)
  expect(asked).toMatchObject({ cookie: null, data: { kind: 'second_factor' } })
  const answer = { recoveryCode: recoveryCodes[0] }
  const { challenge } = asked.data
  const completed = await stranger(server, 'account/completeSecondFactor', { challenge, answer })
  expect(completed.status).toBe(200)

  const replaced = await ada.call('account/own.replaceRecoveryCodes', { password: PASSWORD })
  expect(replaced.data.recoveryCodes).toHaveLength(10)
  expect(replaced.data.recoveryCodes).not.toContain(recoveryCodes[1])
  expect((await ada.call('account/own.disableTotp', { password: 'wrong' })).refusal).toEqual({
    ...{ code: 'current_password_wrong', path: ['password'] },
  })
  expect((await ada.call('account/own.disableTotp', { password: PASSWORD })).status).toBe(200)
  await signInAgain(server)
})

test('a passkey is made, signs in without a password, and is deleted', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const site = { origin: server.address, rpId: '127.0.0.1' }
  const authenticator = new Authenticator()
  const begun = (await ada.call('account/own.beginPasskey')).data
  expect(begun.options.rp.id).toBe(site.rpId)
  const { challenge } = begun.options
  const made = await ada.call('account/own.addPasskey', {
    ...{ ceremony: begun.ceremony, name: 'Key', password: PASSWORD },
    response: authenticator.register({ ...site, challenge }),
  })
  expect(made.status).toBe(200)

  const asked = (await stranger(server, 'account/passkey')).data
  const response = authenticator.assert({ ...site, challenge: asked.options.challenge })
  const input = { ceremony: asked.ceremony, response }
  const { cookie } = await stranger(server, 'account/signInWithPasskey', input)
  const again = browserWith(server, cookie ?? '')
  const { passkeys } = (await again.call('account/own.get')).data
  expect(passkeys).toMatchObject([{ name: 'Key', id: authenticator.id }])
  const removal = { id: authenticator.id, password: PASSWORD }
  expect((await again.call('account/own.removePasskey', removal)).status).toBe(200)
  expect((await ada.call('account/own.get')).data.passkeys).toEqual([])
})

test('a passkey of another origin is rejected', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const { ceremony, options } = (await ada.call('account/own.beginPasskey')).data
  const { challenge } = options
  const made = await ada.call('account/own.addPasskey', {
    ...{ ceremony, name: 'Key', password: PASSWORD },
    response: new Authenticator().register({
      ...{ challenge, rpId: '127.0.0.1', origin: 'https://evil.example' },
    }),
  })
  expect(made.refusal).toEqual({ code: 'passkey_rejected' })
})

test('own sessions are listed and ended, those of others are not', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const second = await signInAgain(server)
  const third = await signInAgain(server)
  const { data: invited } = await ada.call('api/people.invite', {
    ...{ name: 'Ben', access: { server: null, apps: [] } },
  })
  const accepted = await stranger(server, 'account/acceptLink', {
    ...{ token: invited.token, password: PASSWORD },
  })
  const ben = browserWith(server, accepted.cookie ?? '')
  const own = (await ada.call('account/own.sessions')).data
  expect(own).toHaveLength(3)
  expect(own.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1)

  const [bens] = (await ben.call('account/own.sessions')).data
  await ada.call('account/own.endSession', { id: bens.id })
  expect((await ben.call('account/own.get')).status).toBe(200)

  const seconds = (await second.call('account/own.sessions')).data
  const { id } = seconds.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
  await ada.call('account/own.endSession', { id })
  expect((await second.call('account/own.get')).status).toBe(401)
  expect((await ada.call('account/own.endOtherSessions')).data).toEqual({ ended: 1 })
  expect((await third.call('account/own.get')).status).toBe(401)
  expect((await ada.call('account/own.get')).status).toBe(200)
})
