import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { SESSION_COOKIE } from '../../src/shared/console/bridge/web.ts'
import { freePort } from '../support/processes/ports.ts'
import { openProvider } from '../support/servers/identity-provider.ts'
import { callConsole } from './support/api.ts'
import { copyCode, openInBrowser, PERSON, sharedBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'

const Invited = z.object({ ok: z.literal(true), data: z.object({ token: z.string() }) })

let opened: ReleaseConsole
let provider: Awaited<ReturnType<typeof openProvider>>
let address: string

beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}/console/`
  provider = await openProvider(`${address}sign-on`)
  const { issuer, clientId, clientSecret } = provider
  const env = { PROVIDER: JSON.stringify({ issuer, clientId, clientSecret }) }
  opened = await openInBrowser({ port, env, reducedMotion: true })
})
afterAll(async () => {
  await opened?.close()
  await provider?.stop()
})

/** Opens an address in a browser that nobody has used. */
async function openFresh(url: string) {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  await copyCode(opened.page.context(), context)
  const page = await context.newPage()
  await page.goto(url)
  return { page, close: () => context.close() }
}

async function signInAtProvider(page: Page, login: string) {
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click()
  await confirmAtProvider(page, login)
}

async function confirmAtProvider(page: Page, login: string) {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an invited person signs in at the identity provider', async () => {
  const input = { name: 'Noah', access: { server: 'viewer', apps: [] } }
  const { token } = Invited.parse(
    await callConsole(opened.page, 'mutation', 'people.invite', input),
  ).data
  const { page, close } = await openFresh(`${address}#/link/${token}`)
  await page.getByRole('heading', { name: 'Welcome, Noah' }).waitFor()
  await signInAtProvider(page, 'n-1')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: /Noah/ }).waitFor()
  expect(page.url()).not.toContain('code=')
  await close()
})

test('who is not invited is told why, and can sign in with a password', async () => {
  const { page, close } = await openFresh(address)
  await signInAtProvider(page, 'stranger')
  await page.getByText('no account is linked to this identity', { exact: false }).waitFor()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await close()
})

test('people link their account at the provider in My account, sign in with it, and unlink it', async () => {
  const { page } = opened
  await page.getByRole('button', { name: 'Ada', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const section = page.getByRole('region', { name: 'Single sign-on' })
  const dialog = page.getByRole('dialog')
  const link = async (login: string) => {
    await section.getByRole('button', { name: 'Link account' }).click()
    await dialog.getByLabel('Your password').fill(PERSON.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await confirmAtProvider(page, login)
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
  }
  // The identity of another account.
  await link('n-1')
  await section.getByText('already linked to the account "Noah"').waitFor()
  await page.context().clearCookies({ domain: '127.0.0.1', name: /^_/ })
  await link('a-1')
  await section.getByRole('cell', { name: 'a-1' }).waitFor()
  expect(await section.getByRole('button', { name: 'Link account' }).count()).toBe(0)

  const fresh = await openFresh(address)
  await signInAtProvider(fresh.page, 'a-1')
  await fresh.page.getByRole('button', { name: 'Ada', exact: true }).waitFor()
  await fresh.close()

  await section.getByRole('button', { name: 'Unlink your account at 127.0.0.1' }).click()
  await dialog.getByLabel('Your password').fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Unlink account' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await section.getByRole('button', { name: 'Link account' }).waitFor()
  expect(await section.getByRole('cell').count()).toBe(0)
})

test('a session that ends is begun again at the provider in another tab, and what was typed stays', async () => {
  const { page, close } = await openFresh(address)
  await signInAtProvider(page, 'n-1')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: /Noah/ }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('half@typed.example')
  await page.context().clearCookies({ name: SESSION_COOKIE })
  await page.getByRole('button', { name: 'Save address' }).click()
  await page.getByText('Your session has ended. Sign in again.').waitFor()
  const opening = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click()
  const tab = await opening
  // The provider knows who it is: one click, or none.
  await tab
    .getByRole('button', { name: /Continue|Sign-in/ })
    .or(tab.getByRole('heading', { level: 1, name: 'Overview' }))
    .first()
    .waitFor()
  if (tab.url().startsWith(provider.issuer))
    await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByText('Your session has ended').waitFor({ state: 'hidden' })
  expect(await page.getByRole('textbox', { name: 'E-mail address' }).inputValue()).toBe(
    'half@typed.example',
  )
  await close()
})
