import { beforeAll, expect, test } from 'vitest'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await opened.goTo('API keys')
})

const listReleases = async (key: string) => {
  const url = `${opened.address}/api/v1/releases?app=editor&channel=stable`
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status
}

test('a key is shown once, works, and is refused once it is revoked', async () => {
  const { page } = opened
  await page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('build machine')
  await form.getByRole('checkbox', { name: 'Read' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your API key' })
  const key = (await shown.getByRole('region', { name: 'API key' }).innerText()).trim()
  expect(key).toMatch(/^tg_/)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('cell', { name: /^build machine/ }).waitFor()
  expect(await page.getByText(key).count()).toBe(0)
  expect(await listReleases(key)).toBe(200)

  await page.getByRole('button', { name: 'Revoke key build machine' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke key build machine' })
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('cell', { name: 'Revoked' }).waitFor()
  expect(await listReleases(key)).toBe(401)
})
