import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { BrowserContext, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OTHER_PASSWORD } from '../support/builders/passwords.ts'
import { freePort } from '../support/processes/ports.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { PERSON, serveConsole, sharedBrowser, showCode } from './support/browser.ts'
import { unfitInAnyWidth } from './support/looks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-people-'))
const BEN = { name: 'Ben', password: OTHER_PASSWORD }
let served: Awaited<ReturnType<typeof serveConsole>>
let console: string
const contexts: BrowserContext[] = []

beforeAll(async () => {
  served = await serveConsole(folder, await freePort())
  // Passkeys belong to a name, not to an address.
  console = served.console.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()))
  await served?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The page of a browser that nobody has used. */
async function newBrowser(): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  contexts.push(context)
  await showCode(context, console, served.code)
  return await context.newPage()
}

async function signIn(page: Page, { name, password } = PERSON): Promise<void> {
  await page.goto(console)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function goTo(page: Page, screen: string): Promise<void> {
  const places = page.getByRole('navigation', { name: 'Screens' })
  await places.getByRole('link', { name: screen }).click()
  await page.getByRole('heading', { level: 1, name: screen }).waitFor()
}

async function openAccount(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
}

async function manage(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function chooseRole(page: Page, role: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Role on this server' }).click()
  await page.getByRole('option', { name: role }).click()
}

/** Expects that axe finds nothing on a page, and that it fits every width. */
async function expectLooks(page: Page): Promise<void> {
  expect(await findingsInBothThemes({ page })).toEqual(NO_FINDINGS)
  expect(await unfitInAnyWidth(page)).toEqual([])
}

/** Waits until a field is wrong, and returns what a screen reader says of it. */
async function faultOf(field: Locator): Promise<string> {
  const wrong = field.and(field.page().locator('[aria-invalid=true]'))
  return await wrong.evaluate((it) =>
    String(it.getAttribute('aria-describedby'))
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  )
}

let ada: Page
let ben: Page

test('the first administrator invites somebody, who accepts', async () => {
  ada = await newBrowser()
  await ada.goto(`${console}#/link/${served.link}`)
  await ada.getByLabel('Name').fill(PERSON.name)
  await ada.getByLabel('New password').fill(PERSON.password)
  await ada.getByRole('button', { name: 'Create account' }).click()
  await goTo(ada, 'People')
  await ada.getByRole('button', { name: 'Invite person' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByLabel('Name').fill('ada')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByText('An account named "Ada" already exists').waitFor()
  await dialog.getByLabel('Name').fill(BEN.name)
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  const link = await dialog.getByRole('region', { name: 'Invitation link' }).innerText()
  expect(link).toContain(`${console}#/link/`)
  await ada.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await ada.getByRole('row', { name: /Ben/ }).getByText('Invited').waitFor()

  ben = await newBrowser()
  await ben.goto(link.trim())
  await expectLooks(ben)
  await ben.getByLabel('New password').fill('too short')
  await ben.getByRole('button', { name: 'Save password' }).click()
  expect(await faultOf(ben.getByLabel('New password'))).toContain('Must be at least 12 characters.')
  await ben.getByLabel('New password').fill(BEN.password)
  await ben.getByRole('button', { name: 'Save password' }).click()
  await ben.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // What others do appears without a reload.
  await ada.getByRole('row', { name: /Ben/ }).getByText('Active').waitFor()
})

test('a change of roles is seen at once in the other browser', async () => {
  const places = ben.getByRole('navigation', { name: 'Screens' })
  await places.getByRole('link', { name: 'Releases' }).waitFor()
  expect(await places.getByRole('link', { name: 'People' }).count()).toBe(0)
  await manage(ada, 'Ben', 'Change roles')
  const dialog = ada.getByRole('dialog')
  await dialog.getByText('Takes effect at once in 1 open session.').waitFor()
  await chooseRole(ada, 'Administrator')
  await dialog.getByRole('button', { name: 'Save roles' }).click()
  await dialog.waitFor({ state: 'detached' })
  await places.getByRole('link', { name: 'People' }).waitFor()
})

test('a form about roles that have changed meanwhile says so', async () => {
  await goTo(ben, 'People')
  await ben.getByRole('button', { name: 'Invite person' }).click()
  await ben.getByRole('dialog').getByLabel('Name').fill('Cleo')
  await ben.getByRole('button', { name: 'Create invitation' }).click()
  await ben.getByRole('button', { name: 'I have copied it' }).click()
  await manage(ada, 'Cleo', 'Change roles')
  const form = ada.getByRole('dialog', { name: 'Roles of Cleo' })
  await chooseRole(ada, 'Administrator')

  await manage(ben, 'Cleo', 'Change roles')
  await chooseRole(ben, 'Release manager')
  await ben.getByRole('button', { name: 'Save roles' }).click()
  await form.getByText('The roles have changed').waitFor()
  expect(await form.getByRole('button', { name: 'Save roles' }).isDisabled()).toBe(true)
  await form.getByRole('button', { name: 'Show current roles' }).click()
  const role = form.getByRole('combobox', { name: 'Role on this server' })
  await expect.poll(() => role.inputValue()).toBe('Release manager')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await manage(ada, 'Cleo', 'Delete')
  await ada.getByLabel('Type Cleo to confirm').fill('Cleo')
  await ada.getByRole('button', { name: 'Delete account' }).click()
  await ben.getByRole('row', { name: /Cleo/ }).waitFor({ state: 'detached' })
})

test('who is disabled is signed out, and cannot sign in', async () => {
  await manage(ada, 'Ben', 'Disable')
  const dialog = ada.getByRole('dialog')
  await dialog.getByText('Ben can no longer sign in. 1 session will end.').waitFor()
  await dialog.getByRole('button', { name: 'Disable account' }).click()
  await ben.getByText('Your session has ended. Sign in again.').waitFor()
  await ben.getByLabel('Name').fill(BEN.name)
  await ben.getByLabel('Password', { exact: true }).fill(BEN.password)
  await ben.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ben.getByText('incorrect name or password').waitFor()
  await expectLooks(ben)
  await manage(ada, 'Ben', 'Enable')
  await ada.getByRole('dialog').getByRole('button', { name: 'Enable account' }).click()
  await ada.getByRole('row', { name: /Ben/ }).getByText('Active').waitFor()
})

test('an authenticator app is set up, and asked for at the next sign-in', async () => {
  await openAccount(ada, PERSON.name)
  await ada.getByRole('button', { name: 'Set up authenticator app' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
  const secret = (await dialog.getByRole('region', { name: 'Key' }).innerText()).trim()
  const app = new TOTP({ secret })
  await dialog.getByLabel('Code from the app').fill(app.generate())
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  expect(await faultOf(dialog.getByLabel('Your password'))).toContain('Incorrect password.')
  await dialog.getByLabel('Your password').fill(PERSON.password)
  await dialog.getByLabel('Code from the app').fill(app.generate())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = ada.getByRole('region', { name: 'Recovery codes' })
  const [recoveryCode = ''] = (await codes.innerText()).trim().split('\n')
  const download = ada.waitForEvent('download')
  await ada.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('tidegate-recovery-codes.txt')
  await ada.getByRole('button', { name: 'I have saved them' }).click()
  await ada.getByText('10 recovery codes left.').waitFor()

  const other = await newBrowser()
  await signIn(other)
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill(recoveryCode)
  await other.getByRole('button', { name: 'Confirm' }).click()
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await ada.getByText('9 recovery codes left.').waitFor()

  await ada.getByRole('button', { name: 'End 1 other session' }).click()
  const ending = ada.getByRole('dialog', { name: 'End all other sessions' })
  await ending.getByRole('button', { name: 'End 1 other session' }).click()
  await other.getByText('Your session has ended. Sign in again.').waitFor()
  await ada.getByRole('button', { name: 'Turn off' }).click()
  await ada.getByLabel('Your password').fill(PERSON.password)
  await ada.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await ada.getByText('Off. Your password alone is enough to sign in.').waitFor()
})

test('a passkey signs in without a password', async () => {
  const page = await newBrowser()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await signIn(page)
  await openAccount(page, PERSON.name)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByLabel('Your password').fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const passkeys = page.getByRole('table', { name: 'Passkeys' })
  await passkeys.getByText('Laptop').waitFor()

  await page.getByRole('button', { name: PERSON.name, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await openAccount(page, PERSON.name)
  await page.getByRole('button', { name: 'Delete passkey Laptop' }).click()
  await dialog.getByLabel('Your password').fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Delete passkey' }).click()
  await passkeys.waitFor({ state: 'detached' })
})

test('a new password ends the other sessions, which keep what was typed for the same person', async () => {
  const other = await newBrowser()
  await signIn(other)
  await goTo(other, 'People')
  await other.getByRole('button', { name: 'Invite person' }).click()
  const invitation = other.getByRole('dialog', { name: 'Invite a person' })
  await invitation.getByLabel('Name').fill('Dora')
  await ada.getByRole('button', { name: 'Change password' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(PERSON.password)
  await dialog.getByLabel('New password').fill('too short')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  expect(await faultOf(dialog.getByLabel('New password'))).toContain(
    'Must be at least 12 characters.',
  )
  await dialog.getByLabel('New password').fill(OTHER_PASSWORD)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  const way = other.getByRole('dialog', { name: 'Sign in' })
  await way.getByText('Your session has ended. Sign in again.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await findingsInBothThemes({ page: other })).toEqual(NO_FINDINGS)
  await way.getByLabel('Name').fill(PERSON.name)
  await way.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
  await way.getByRole('button', { name: 'Sign in', exact: true }).click()
  await way.waitFor({ state: 'detached' })
  expect(await invitation.getByLabel('Name').inputValue()).toBe('Dora')
  await invitation.getByRole('button', { name: 'Create invitation' }).click()
  await other.getByText('Dora').first().waitFor()
})

test('axe finds nothing on these screens', async () => {
  expect(await findingsInBothThemes({ page: ada })).toEqual(NO_FINDINGS)
  await ada.getByRole('button', { name: 'Set up authenticator app' }).click()
  await ada.getByRole('dialog').waitFor()
  expect(await findingsInBothThemes({ page: ada })).toEqual(NO_FINDINGS)
  await ada.keyboard.press('Escape')
  await goTo(ada, 'People')
  expect(await findingsInBothThemes({ page: ada })).toEqual(NO_FINDINGS)
  await manage(ada, 'Ben', 'Change roles')
  await ada.getByRole('button', { name: 'Add app role' }).click()
  expect(await findingsInBothThemes({ page: ada })).toEqual(NO_FINDINGS)
  await ada.keyboard.press('Escape')
})
