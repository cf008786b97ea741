import { expect, test } from 'vitest'
import { ROOT } from '../../support/builders/people.ts'
import {
  call,
  cookieOf,
  PASSWORD,
  pageHeaders,
  type Received,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import { codeCookie } from '../../support/servers/console-codes.ts'

const PERSON = { name: 'Ada', password: PASSWORD }

/** A server with an account, and calls of a browser that has only the cookies that it is given. */
async function start() {
  const server = await startBrowserConsole()
  const { address } = server
  const { cookie: _, ...headers } = pageHeaders(address)
  const ask = (procedure: string, input?: unknown, cookie = '') =>
    call(address, `account/${procedure}`, input, { ...headers, cookie })
  const stateOf = async (cookie?: string) =>
    JSON.parse((await ask('state', undefined, cookie)).text).result.data
  return { server, ask, stateOf }
}

/** The cookie by which a browser is known, alone. */
function markOf({ headers }: Received): string {
  const cookies = [headers['set-cookie'] ?? []].flat()
  return cookies.find((cookie) => cookie.startsWith('tidegate-browser='))?.split(';')[0] ?? ''
}

test('a new browser shows the code of the terminal once, and signs in', async () => {
  const { server, ask, stateOf } = await start()
  await signUp(server)
  expect(await stateOf()).toMatchObject({ needsCode: true })
  const refused = await ask('signIn', PERSON)
  expect(refused.status).toBe(403)
  expect(JSON.parse(refused.text).error.data.callError.refusal).toEqual({
    code: 'console_code_needed',
  })
  for (const code of ['a'.repeat(22), `${server.consoleCode}a`, 'short']) {
    expect((await ask('enterCode', { code })).status).toBe(403)
  }
  const entered = await ask('enterCode', { code: server.consoleCode })
  expect(entered.headers['set-cookie']?.[0]).toMatch(
    /^tidegate-code=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  expect(cookieOf(entered)).toBe(codeCookie(server.address))
  expect(await stateOf(cookieOf(entered))).toMatchObject({ needsCode: false, signedInAs: null })
  const signedIn = await ask('signIn', PERSON, cookieOf(entered))
  expect(signedIn.status).toBe(200)
  // From now on the browser is known, also after a restart, which changes the code, and without a session.
  expect(await stateOf(markOf(signedIn))).toMatchObject({ needsCode: false, signedInAs: null })
})

test('links that were given to a person need no code', async () => {
  const { server, ask, stateOf } = await start()
  // There is nobody to sign in as yet; the page says how the first account is made.
  expect(await stateOf()).toMatchObject({ needsCode: false, hasAccounts: false })
  const { token } = await server.people.createSetupLink()
  const accepted = await ask('acceptLink', { token, ...PERSON })
  expect(accepted.status).toBe(200)
  expect(await stateOf(cookieOf(accepted))).toMatchObject({ needsCode: false, signedInAs: 'Ada' })
  const wrong = await ask('acceptLink', { token, name: 'Eve', password: PASSWORD })
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([404, undefined])
})

test('a browser of an account that was disabled is not known', async () => {
  const { server, ask, stateOf } = await start()
  const { token } = await server.people.createSetupLink()
  await ask('acceptLink', { token, ...PERSON })
  const { token: invited } = await server.people.invite(ROOT, {
    name: 'Ben',
    access: { server: 'administrator', apps: new Map() },
  })
  const accepted = await ask('acceptLink', { token: invited, password: PASSWORD })
  const mark = markOf(accepted)
  expect(await stateOf(mark)).toMatchObject({ needsCode: false })
  const ben = server.people.list().find(({ name }) => name === 'Ben')
  await server.people.setDisabled(ROOT, ben?.id ?? '', true)
  expect(await stateOf(mark)).toMatchObject({ needsCode: true })
})
