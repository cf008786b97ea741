import { beforeAll, expect, test } from 'vitest'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await opened.goTo('Webhooks')
})

test('a webhook shows its secret once, and what came of a test event', async () => {
  const { page } = opened
  await page.getByRole('main').getByRole('button', { name: 'Create webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Create a webhook' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Chat')
  await form.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  await form.getByText(/private address/).waitFor()
  await form.getByRole('textbox', { name: 'URL' }).fill('http://localhost:9/hook')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the signing secret' })
  const secret = (await shown.getByRole('region', { name: 'Signing secret' }).innerText()).trim()
  expect(secret).toMatch(/^whsec_/)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('link', { name: 'Chat' }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByRole('cell', { name: /Private address, not allowed/ }).waitFor()
  expect(await page.getByText(secret).count()).toBe(0)

  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete webhook Chat' })
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
})
