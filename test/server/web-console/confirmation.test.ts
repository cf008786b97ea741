import { expect, test } from 'vitest'
import { ROOT } from '../../support/builders/people.ts'
import { freePort } from '../../support/processes/ports.ts'
import {
  call,
  cookieOf,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../../support/servers/browser.ts'

import { commandLineToken } from '../../support/servers/command-line.ts'
import { signInAtProvider, startProvider } from '../../support/servers/identity-provider.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { browserWith, firstAdministrator } from '../../support/servers/signed-in.ts'

const ADMINISTRATOR = { server: 'administrator', apps: [] }
const MINUTE = 60_000

/** Starts a console on a clock that the test moves. */
async function startOnClock(config: Parameters<typeof startBrowserConsole>[0] = {}) {
  let now = Date.now()
  const server = await startBrowserConsole(config, { clock: () => now })
  const pass = (minutes: number) => {
    now += minutes * MINUTE
  }
  return { server, pass }
}

async function asCommandLine({ address }: TestServer, token: string, path: string, input: unknown) {
  const { status, text } = await send(address, `/console/command-line/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  })
  const { result, error } = JSON.parse(text)
  return { status, data: result?.data, refusal: error?.data.callError.refusal }
}

function sessionOf({ people }: TestServer, cookie: string) {
  const session = people.find(cookie.split('=')[1] ?? '')
  if (session === undefined) throw new Error('no session')
  return session
}

test('a stolen token of the command line invites nobody', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const token = await commandLineToken(server.people, sessionOf(server, ada.cookie))
  const mallory = { name: 'Mallory', access: ADMINISTRATOR }
  const { status } = await asCommandLine(server, token, 'people.invite', mallory)
  expect(status).toBe(403)
  expect(server.people.list().map(({ name }) => name)).toEqual(['Ada'])
})

test('a stolen cookie resets no password by a link, not even soon after a sign-in', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const { id } = sessionOf(server, ada.cookie).account
  const { status } = await ada.call('api/people.createLink', { id })
  expect(status).toBe(422)
  expect(server.people.openLinkOf(id)).toBeUndefined()
})

test('a stolen cookie sets no password of an account that has none', async () => {
  const port = await freePort()
  const page = `http://127.0.0.1:${port}/console/`
  const provider = await startProvider(`${page}sign-on`)
  const { server } = await startOnClock({ port, provider })
  await firstAdministrator(server)
  const access = { server: 'administrator', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Noah', access })
  const begun = await call(server.address, 'account/signOn', { page, link: token })
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'n-1')
  const back = await send(server.address, `/console/sign-on?${query}`, {
    headers: { cookie: cookieOf(begun) },
  })
  const [, cookie = ''] = back.headers['set-cookie'] ?? []
  const noah = browserWith(server, cookie.split(';')[0] ?? '')
  const { status } = await noah.call('account/own.changePassword', { current: '', next: PASSWORD })
  expect(status).toBe(403)
  expect((await noah.call('account/own.linkIdentity', { page, password: '' })).status).toBe(403)
  expect(pageHeaders(server.address).cookie).toBeUndefined()
  expect((await noah.call('account/own.get')).data.hasPassword).toBe(false)
})

test('a stolen cookie invites nobody once the sign-in is ten minutes old', async () => {
  const { server, pass } = await startOnClock()
  const ada = await firstAdministrator(server)
  pass(11)
  const { status } = await ada.call('api/people.invite', {
    ...{ name: 'Mallory', access: ADMINISTRATOR },
  })
  expect(status).toBe(403)
})
