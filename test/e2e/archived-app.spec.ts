import { beforeAll, expect, test } from 'vitest'
import { mutate, publishByApi } from './support/api.ts'
import { check } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { picker } from './support/picker.ts'
import { goToAddress } from './support/release-console.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await check(opened.address, '1.0.0', 'device-1')
})

const main = () => opened.page.getByRole('main')

async function setArchived(archived: boolean): Promise<void> {
  await mutate(opened, 'apps.setArchived', { ref: 'editor', archived })
}

test('a release of an archived app is marked, and cannot be served', async () => {
  const { page } = opened
  await setArchived(false)
  await goToAddress(page, '#/releases/editor/stable/1.0.0')
  const steps = main().getByRole('button', {
    name: /^(Stop|Roll back|Edit targets|Change rollout)/,
  })
  await expect.poll(() => steps.count()).toBe(4)
  await setArchived(true)
  await main().getByText('editor is archived, so its releases are not served').waitFor()
  await page.getByRole('heading', { level: 1 }).getByText('Archived').waitFor()
  expect(await steps.count()).toBe(0)
})

test.each(['devices?app=editor', 'fleet?app=editor', 'releases/publish?app=editor'])(
  'the address %s says that its app is archived',
  async (address) => {
    await setArchived(true)
    await opened.goTo('Overview')
    await opened.page.evaluate((to) => window.location.assign(to), `#/${address}`)
    await main().getByText('Editor is archived').waitFor()
    if (address.startsWith('releases')) return
    await expect.poll(() => picker(main(), 'App').inputValue()).toBe('Editor (editor), archived')
  },
)
