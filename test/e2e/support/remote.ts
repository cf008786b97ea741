import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import { PERSON } from './browser.ts'
import type { ReleaseConsole } from './console.ts'
import type { SecondServer } from './second-server.ts'

/** Who prepares the second server. */
export const THERE = {
  actor: { kind: 'command_line', name: 'e2e' },
  access: FULL_ACCESS,
  seesArchived: true,
} as const

export const switcher = (page: Page) => page.getByRole('button', { name: /Switch server$/ })
export const bar = (page: Page) => page.getByRole('region', { name: 'Server in use' })

/** Fills in the first step of adding a server. */
export async function startAdding(page: Page, address: string, name: string): Promise<void> {
  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Add server…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address)
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Connect' }).click()
}

export async function signIn(dialog: Locator): Promise<void> {
  await dialog.getByLabel('Name', { exact: true }).fill(PERSON.name)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}

/** Enters the code of a console that is for its own computer only, once the dialog asks for it. */
export async function enterCode(dialog: Locator, { running }: SecondServer): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Code' }).fill(running.consoleCode ?? '')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}

/** Adds a server of this computer by the link that it printed, and waits until it is in use. */
export async function add({ page }: ReleaseConsole, { link }: SecondServer, name = 'Studio') {
  await startAdding(page, link, name)
  await signIn(page.getByRole('dialog', { name: `Sign in to ${name}` }))
  await bar(page).getByText(name, { exact: true }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Chooses a server in the sidebar. */
export async function switchTo(page: Page, name: string): Promise<void> {
  await switcher(page).click()
  await page.getByRole('menuitem', { name }).click()
}

export function sessionsOf({ running: { people } }: SecondServer) {
  return people.list().flatMap(({ id }) => people.sessionsOf(id))
}

export async function endSessions(second: SecondServer): Promise<void> {
  for (const { id } of sessionsOf(second)) {
    await second.running.people.endSession({ actor: THERE.actor, accountId: null }, id)
  }
}

/** A fingerprint that is shown in rows. */
export const inOneLine = (shown: string) => shown.replaceAll('\n', ':')

export const fingerprintIn = async (dialog: Locator) =>
  inOneLine((await dialog.locator('pre').textContent()) ?? '')

export const fingerprintOf = (file: string) =>
  new X509Certificate(readFileSync(file)).fingerprint256

/** Whether the focus is on an element, or within it. */
export const holdsFocus = (locator: Locator) =>
  locator.evaluate((element) => element.contains(document.activeElement))
