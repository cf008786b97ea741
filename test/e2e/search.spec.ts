import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { loadAnew, type Screen } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

/** Milliseconds between two letters, around the rest after which a field hands its text on: 250. */
const SPEEDS = [90, 245, 255, 275]
/** Close to the rest, where a letter comes while the text before is handed on. */
const HARDEST = [245]
const TEXT = 'device-012'
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 3)
})

const field = () => opened.page.getByRole('searchbox', { name: 'Search' })
const address = () => opened.page.evaluate(() => decodeURIComponent(location.hash))

/** Has the page take long for every change of the address, as a large list does. */
const slowDown = () =>
  opened.page.evaluate(() => {
    const { replaceState } = history
    history.replaceState = (...args) => {
      const until = performance.now() + 120
      while (performance.now() < until);
      replaceState.apply(history, args)
    }
  })

// One field, on the screens that put it into different lists.
test.each<[Screen, number[]]>([
  ['Devices', SPEEDS],
  ['Releases', HARDEST],
  ['Audit log', HARDEST],
])('%s: no typed letter is lost, at any speed', async (screen, speeds) => {
  const { goTo } = opened
  await goTo(screen)
  await slowDown()
  for (const delay of speeds) {
    await field().fill('')
    await field().pressSequentially(TEXT, { delay })
    await expect.poll(address).toContain(`search=${TEXT}`)
    expect(await field().inputValue()).toBe(TEXT)
  }
  await loadAnew(opened)
  await expect.poll(() => field().inputValue()).toBe(TEXT)
})

test('clearing the filters clears the field', async () => {
  const { page, goTo } = opened
  await goTo('Devices')
  await field().fill('nobody')
  await page.getByRole('button', { name: /^Clear/ }).click()
  await expect.poll(() => field().inputValue()).toBe('')
  await page
    .getByRole('status')
    .filter({ hasText: /^3 devices$/ })
    .waitFor()
})
