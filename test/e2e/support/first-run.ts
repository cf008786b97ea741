import type { Page } from 'playwright'
import { PERSON } from './browser.ts'
import { goToScreen } from './release-console.ts'
import { fillNewApp } from './steps.ts'

/** What `serve` prints on a terminal while there is no account. */
export const SETUP_LINK = /first account within 15 minutes: (\S+\/console\/#\/link\/[\w-]+)/

/** Opens the link of the first account, and creates it. The overview is open afterwards. */
export async function createFirstAccount(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Set up Tidegate' }).waitFor()
  await page.getByLabel('Name').fill(PERSON.name)
  await page.getByRole('textbox', { name: 'New password' }).fill(PERSON.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Creates the first app from the overview, and a key that can publish. Returns the key. */
export async function createAppAndKey(page: Page): Promise<string> {
  await page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
  await fillNewApp(page)
  await goToScreen(page, 'API keys')
  await page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('ci')
  await form.getByRole('checkbox', { name: 'Publish' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your API key' })
  const key = (await shown.getByRole('region', { name: 'API key' }).innerText()).trim()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  return key
}

/** Publishes a release as a build machine does. */
export function publishWith(key: string, address: string, body: object): Promise<Response> {
  return fetch(`${address}/api/v1/releases`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
