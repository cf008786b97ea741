import { beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi, releaseBody } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened, { name: 'Viewer', ref: 'viewer' })
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await publishByApi(opened, '1.0.0', { app: 'viewer' })
  await opened.goTo('API keys')
})

const SCOPES = ['Read', 'Publish', 'Serve', 'Fleet'] as const
const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
const device = { deviceId: 'a', version: '1.0.0' }

/** Creates a key in the dialog and answers it. */
async function create(name: string, scopes: readonly string[], app?: string): Promise<string> {
  const { page } = opened
  await page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  for (const scope of scopes) await form.getByRole('checkbox', { name: scope }).check()
  if (app !== undefined) {
    await form.getByRole('combobox', { name: 'App' }).click()
    await page.getByRole('option', { name: app }).click()
  }
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy your API key' })
  const key = (await shown.getByRole('region', { name: 'API key' }).innerText()).trim()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await shown.waitFor({ state: 'hidden' })
  return key
}

/** The status of a call for each scope. */
async function statuses(key: string): Promise<number[]> {
  const calls = [
    callApi(opened, 'GET', 'releases?app=editor', undefined, key),
    callApi(opened, 'POST', 'releases', releaseBody('1.0.0'), key),
    callApi(opened, 'PATCH', 'releases', { ...place, rolloutPct: 100 }, key),
    callApi(opened, 'POST', 'fleet/report', { app: 'editor', devices: [device] }, key),
  ]
  return (await Promise.all(calls)).map(({ status }) => status)
}

test('a key allows only its scopes', async () => {
  // 409: the key may publish, and the version exists.
  const allowed = [200, 409, 200, 200]
  for (const [index, scope] of SCOPES.entries()) {
    const key = await create(`only ${scope}`, [scope])
    const expected = allowed.map((status, each) => (each === index ? status : 403))
    expect(await statuses(key), scope).toEqual(expected)
  }
  expect(await statuses(await create('all of them', SCOPES))).toEqual(allowed)
})

test('a key of one app has no access to other apps', async () => {
  const { page } = opened
  const key = await create('viewer alone', SCOPES, 'Viewer')
  const row = page.getByRole('row', { name: /viewer alone/ })
  await row.getByText('App viewer').waitFor()
  expect(await statuses(key)).toEqual([404, 404, 404, 404])
  const own = await callApi(opened, 'GET', 'releases', undefined, key)
  expect(own.body).toMatchObject({ total: 1, releases: [{ app: 'viewer' }] })
})

test('the key list shows when a key was last used', async () => {
  const { page, goTo } = opened
  const key = await create('used key', ['Read'])
  const lastUsed = page
    .getByRole('row', { name: /used key/ })
    .getByRole('cell')
    .nth(3)
  expect(await lastUsed.locator('time').count()).toBe(0)
  await callApi(opened, 'GET', 'releases?app=editor', undefined, key)
  // The server writes it some seconds later.
  const looked = async () => {
    await goTo('Overview')
    await goTo('API keys')
    return await lastUsed.locator('time').count()
  }
  await expect.poll(looked).toBe(1)
})
