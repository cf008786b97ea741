import { beforeAll, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { publishByApi } from './support/api.ts'
import { check, checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const AWKWARD = 'a%2Fb/c%25'
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 3)
  await check(opened.address, '0.9.0', AWKWARD)
  // The list stays as it is opened, and check-ins are stored a moment after their answer.
  await eventually(async () => {
    await opened.goTo('Overview')
    await opened.goTo('Devices')
    await opened.page.getByText('4 devices', { exact: true }).waitFor({ timeout: 2_000 })
  })
})

/** The list shows that many, and its filter says of which version. */
async function listed(count: string, version: string): Promise<void> {
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await page.getByText(count, { exact: true }).waitFor()
  await page.waitForFunction(
    (wanted) => new URLSearchParams(location.hash.split('?')[1]).get('version') === wanted,
    version,
  )
}

test('a device count on the overview links to the devices', async () => {
  const { page } = opened
  await opened.goTo('Overview')
  const channel = page.getByRole('region', { name: 'Editor, channel stable' })
  await channel.getByRole('link', { name: '3 devices', exact: true }).click()
  await listed('3 of 4 devices', '1.0.0')
})

test('a device count on a release page links to the devices', async () => {
  const { page } = opened
  await opened.goTo('Releases')
  await page.getByRole('link', { name: '1.0.0 of editor/stable' }).click()
  await page.getByRole('link', { name: '3 devices', exact: true }).first().click()
  await listed('3 of 4 devices', '1.0.0')
})

test('a device whose ID looks like a URL has a page', async () => {
  const { page } = opened
  await opened.goTo('Devices')
  await page.getByRole('link', { name: AWKWARD }).click()
  await page.getByRole('heading', { level: 1, name: AWKWARD }).waitFor()
  await page.getByRole('heading', { name: 'Update decision' }).waitFor()
  await opened.goTo('Overview')
  await page.goBack()
  await page.getByRole('heading', { name: 'Update decision' }).waitFor()
})
