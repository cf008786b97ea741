import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { goPastDialog } from './support/window.ts'

const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
})
beforeEach(async () => {
  await opened.goTo('Overview')
  await opened.goTo('API keys')
})
afterEach(() => faults.end())

const form = () => opened.page.getByRole('dialog', { name: 'Create an API key' })
const shown = () => opened.page.getByRole('dialog', { name: 'Copy your API key' })
const secret = () => shown().getByRole('region', { name: 'API key' })
const row = (name: string) => opened.page.getByRole('cell', { name: new RegExp(`^${name}`) })

async function fill(name: string): Promise<void> {
  await opened.page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  await form().getByRole('textbox', { name: 'Name' }).fill(name)
  await form().getByRole('checkbox', { name: 'Read' }).check()
}

const leave = () => goPastDialog(opened, 'Audit log')
/** Waits until leaving was refused: the announcement of a refusal comes after it. */
const refused = async (reason: string) => {
  const said = opened.page.locator('.mantine-Notification-root').filter({ hasText: reason })
  await said.first().waitFor()
  await expect.poll(() => opened.page.evaluate(() => location.hash)).toBe('#/keys')
  await said.first().getByRole('button', { name: 'Close' }).click()
}

/** Closes the dialog that shows the secret; the list then has the key once. */
async function acknowledge(name: string): Promise<void> {
  await shown().getByRole('button', { name: 'I have copied it' }).click()
  await shown().waitFor({ state: 'hidden' })
  await expect.poll(() => row(name).count()).toBe(1)
}

test('Escape while a key is created does not hide its secret', async () => {
  const { page } = opened
  await fill('key 1')
  const held = await faults.hold('keys.mint')
  await page.keyboard.press('Enter')
  await form().getByRole('button', { name: 'Create key' }).dispatchEvent('click')
  await held.asked()
  await page.keyboard.press('Escape')
  await held.release()
  expect(await secret().innerText()).toMatch(/^tg_/)
  // The first control must not be the one that lets the secret go.
  await expect.poll(() => secret().evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await acknowledge('key 1')
})

test('no other screen opens while a key is being created or its secret is shown', async () => {
  const { page } = opened
  await fill('key 2')
  const held = await faults.hold('keys.mint')
  await form().getByRole('button', { name: 'Create key' }).click()
  await held.asked()
  await leave()
  await refused('The key is being created')
  await held.release()
  await secret().waitFor()
  await leave()
  await refused('Copy the key first')
  expect(await secret().innerText()).toMatch(/^tg_/)
  await page.evaluate(() => history.back())
  await refused('Copy the key first')
  expect(await secret().innerText()).toMatch(/^tg_/)
  await acknowledge('key 2')
})

test('the form for the next key does not show the previous secret', async () => {
  await fill('key 4')
  await form().getByRole('button', { name: 'Create key' }).click()
  await secret().waitFor()
  await acknowledge('key 4')
  await opened.page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  await form().waitFor()
  expect(await form().getByText(/tg_/).count()).toBe(0)
  await form().getByRole('button', { name: 'Cancel' }).click()
  await form().waitFor({ state: 'hidden' })
})
