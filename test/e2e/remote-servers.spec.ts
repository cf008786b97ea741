import type { Locator, Page } from 'playwright'
import { afterEach, expect, test } from 'vitest'
import { FULL_ACCESS } from '../../src/server/updates/access.ts'
import { PERSON } from './support/browser.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { type SecondServer, startSecondServer } from './support/second-server.ts'

/** Who prepares the second server. */
const THERE = {
  actor: { kind: 'command_line', name: 'e2e' },
  access: FULL_ACCESS,
  seesArchived: true,
} as const

const opened: ReleaseConsole[] = []
const started: SecondServer[] = []

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  for (const one of started.splice(0)) await one.close()
})

async function open(): Promise<ReleaseConsole> {
  const one = await openConsole({ reducedMotion: true })
  opened.push(one)
  return one
}

async function serve(...tls: Parameters<typeof startSecondServer>): Promise<SecondServer> {
  const one = await startSecondServer(...tls)
  started.push(one)
  return one
}

const switcher = (page: Page) => page.getByRole('button', { name: /Switch server$/ })
const bar = (page: Page) => page.getByRole('region', { name: 'Server in use' })

/** Fills in the first step of adding a server. */
async function startAdding(page: Page, address: string, name: string): Promise<void> {
  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Add server…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill(address)
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Connect' }).click()
}

async function signIn(dialog: Locator): Promise<void> {
  await dialog.getByLabel('Name', { exact: true }).fill(PERSON.name)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PERSON.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}

/** Adds a server of this computer, and waits until it is in use. */
async function add({ page }: ReleaseConsole, { address }: SecondServer, name = 'Studio') {
  await startAdding(page, address, name)
  await signIn(page.getByRole('dialog', { name: `Sign in to ${name}` }))
  await bar(page).getByText(name, { exact: true }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

test('a server of this computer is added, signed in to and shown', async () => {
  const second = await serve()
  await second.running.updates.createApp(THERE, {
    ref: 'editor',
    name: 'Editor there',
  })
  const { page } = await open().then(async (one) => {
    await add(one, second)
    return one
  })
  await page.getByText('Editor there').first().waitFor()
  expect(await page.title()).toBe('Overview · Studio · Tidegate')
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
})
