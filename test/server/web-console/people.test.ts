import { expect, test } from 'vitest'
import { CONNECT_AGAIN, SESSION_ENDED } from '../../../src/shared/console/bridge/web.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { startBrowserConsole } from '../../support/servers/browser.ts'
import { accept, firstAdministrator, stranger } from '../../support/servers/signed-in.ts'

const NO_ROLES = { server: null, apps: [] }
const VIEWER = { server: 'viewer', apps: [] }
const RELEASE_MANAGER = { server: 'release_manager', apps: [] }

/** A server with an administrator, and a viewer who has accepted an invitation. */
async function startWithTwo() {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const { data } = await ada.call('api/people.invite', { name: 'Ben', access: VIEWER })
  const ben = await accept(server, data.token)
  const [first, second] = server.people.list()
  if (first === undefined || second === undefined) throw new Error('two accounts were expected')
  return { server, ada, ben, adaId: first.id, benId: second.id }
}

test('an invited person is listed with the link, and then as somebody who signed in', async () => {
  const server = await startBrowserConsole()
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  const ada = await firstAdministrator(server)
  const access = { server: null, apps: [{ app: 'editor', role: 'release_manager' }] }
  const { data } = await ada.call('api/people.invite', { name: 'Ben', access })
  expect(data).toMatchObject({ kind: 'invitation', console: `${server.address}/console/` })
  const benOf = async () => (await ada.call('api/people.list')).data[1]
  const open = { kind: 'invitation', expiresAt: data.expiresAt }
  expect(await benOf()).toMatchObject({
    ...{ name: 'Ben', status: 'invited', access, openLink: open, sessions: 0, lastSeenAt: null },
  })
  const ben = await accept(server, data.token)
  expect(await benOf()).toMatchObject({ status: 'active', openLink: null, sessions: 1 })
  expect((await ada.call('api/people.list')).data[0]).toMatchObject({ name: 'Ada', isSelf: true })
  expect((await ben.call('api/session.me')).data.access).toEqual(access)
  expect((await ben.call('api/people.list')).refusal).toEqual({
    ...{ code: 'forbidden', needs: 'administrator', app: null },
  })
})

test('a change of roles holds at once, also on live connections', async () => {
  const { ada, ben, benId } = await startWithTwo()
  const [bensEnd, adasEnd] = [await ben.follow(), await ada.follow()]
  const input = { id: benId, access: RELEASE_MANAGER, seen: VIEWER }
  expect((await ada.call('api/people.setAccess', input)).data.access).toEqual(RELEASE_MANAGER)
  expect(await bensEnd()).toBe(CONNECT_AGAIN)
  expect((await ben.call('api/session.me')).data.access).toEqual(RELEASE_MANAGER)
  // The others stay connected: the next code that they hear is that of the end of their session.
  await ada.call('account/signOut')
  expect(await adasEnd()).toBe(SESSION_ENDED)
})

test('a form that was filled in with earlier roles is refused', async () => {
  const { ada, benId } = await startWithTwo()
  const setAccess = (access: unknown) =>
    ada.call('api/people.setAccess', { id: benId, access, seen: VIEWER })
  expect((await setAccess(RELEASE_MANAGER)).status).toBe(200)
  expect((await setAccess(NO_ROLES)).refusal).toEqual({ code: 'person_changed', name: 'Ben' })
})

test('who is disabled is signed out at once, and signs in again once enabled', async () => {
  const { server, ada, ben, benId } = await startWithTwo()
  const ended = await ben.follow()
  await ada.call('api/people.setDisabled', { id: benId, disabled: true })
  expect(await ended()).toBe(SESSION_ENDED)
  expect((await ben.call('api/session.me')).status).toBe(401)
  await ada.call('api/people.setDisabled', { id: benId, disabled: false })
  const { data } = await ada.call('api/people.createLink', { id: benId })
  expect(data.kind).toBe('reset')
  expect((await (await accept(server, data.token)).call('api/session.me')).status).toBe(200)
})

test('sessions of others are listed and ended', async () => {
  const { ada, ben, benId } = await startWithTwo()
  const { data } = await ada.call('api/people.sessions', { id: benId })
  expect(data).toMatchObject([{ address: '127.0.0.1' }])
  expect((await ada.call('api/people.endSessions', { id: benId })).data).toEqual({ ended: 1 })
  expect((await ben.call('api/session.me')).status).toBe(401)
})

test('an account is deleted with its name, and its changes are in the audit log', async () => {
  const { server, ada, benId } = await startWithTwo()
  const wrong = await ada.call('api/people.remove', { id: benId, confirmation: 'ben' })
  expect(wrong.refusal).toEqual({ code: 'unconfirmed', name: 'Ben' })
  expect((await ada.call('api/people.remove', { id: benId, confirmation: 'Ben' })).status).toBe(200)
  expect((await ada.call('api/people.list')).data).toHaveLength(1)
  const { data } = await ada.call('api/audit.list', {})
  expect(data.entries[0]).toMatchObject({
    ...{ action: 'person.removed', actor: { kind: 'person', name: 'Ada', address: '127.0.0.1' } },
  })
  expect(server.people.account(benId)).toBeUndefined()
})

test('people are for those who signed in', async () => {
  const server = await startBrowserConsole()
  for (const procedure of ['api/people.list', 'account/own.get', 'account/own.sessions']) {
    const { status, refusal } = await stranger(server, procedure)
    expect([procedure, status, refusal]).toEqual([procedure, 401, { code: 'sign_in_needed' }])
  }
})
