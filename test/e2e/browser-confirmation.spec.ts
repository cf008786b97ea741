import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/processes/ports.ts'
import { openProvider } from '../support/servers/identity-provider.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { openPageOf, PERSON, serveConsole, sharedBrowser, showCode } from './support/browser.ts'
import { confirmationDialog, confirmIdentity } from './support/confirmation.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-confirmation-'))
let served: Awaited<ReturnType<typeof serveConsole>>
let provider: Awaited<ReturnType<typeof openProvider>>
let ada: Awaited<ReturnType<typeof openPageOf>>

beforeAll(async () => {
  const port = await freePort()
  provider = await openProvider(`http://127.0.0.1:${port}/console/sign-on`)
  const { issuer, clientId, clientSecret } = provider
  const variables = { PROVIDER: JSON.stringify({ issuer, clientId, clientSecret }) }
  served = await serveConsole(folder, port, variables)
  ada = await openPageOf(served)
  // A server that starts anew knows the session, and not that the person has just signed in.
  await served.stop()
  served = await serveConsole(folder, port, variables)
  await ada.page.reload()
})
afterAll(async () => {
  await ada?.close()
  await served?.stop()
  await provider?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let invitation: string

test('what was typed is sent once the person has confirmed, and stays if they do not', async () => {
  const { page, goTo } = ada
  await goTo('People')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Name').fill('Noah')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  const confirmation = confirmationDialog(page)
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByText('Confirm your identity to continue.').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Noah')

  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await confirmation.getByLabel('Your password').fill('wrong')
  await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click()
  await confirmation.getByText('Incorrect password').waitFor()
  expect(await findingsInBothThemes(ada)).toEqual(NO_FINDINGS)
  await confirmIdentity(page, PERSON.password)
  const link = page.getByRole('dialog').getByRole('region', { name: 'Invitation link' })
  invitation = (await link.innerText()).trim()
  expect(invitation).toContain('#/link/')
})

test('who has no password confirms at the identity provider, in another tab', async () => {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  await showCode(context, served.console, served.code)
  const page = await context.newPage()
  await page.goto(invitation)
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click()
  await signInAtProvider(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Noah', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('button', { name: 'Set password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set password' })
  await dialog.getByLabel('New password').fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Set password' }).click()
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    confirmationDialog(page).getByRole('button', { name: 'single sign-on' }).click(),
  ])
  // It asks for a sign-in although there has been one in this browser.
  await signInAtProvider(tab)
  await tab.getByRole('heading', { name: 'Identity confirmed' }).waitFor()
  await page.getByText('Your password was changed.').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await context.close()
})

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill('n-1')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}
