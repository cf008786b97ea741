import { beforeAll, expect, test } from 'vitest'
import { callConsole, publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick, picker } from './support/picker.ts'
import { openPublishForm } from './support/steps.ts'

const APPS = 300

const opened = openForAll()

beforeAll(async () => {
  await opened.page.getByRole('heading', { name: 'First steps' }).waitFor()
  for (let n = 0; n < APPS; n++) {
    const number = String(n).padStart(3, '0')
    const input = { ref: `app-${number}`, name: `Product ${number}` }
    expect(await callConsole(opened.page, 'mutation', 'apps.create', input)).toMatchObject({
      ok: true,
    })
  }
  await publishByApi(opened, '1.0.0', { app: 'app-000' })
})

const main = () => opened.page.getByRole('main')
const elements = () => main().evaluate((it) => it.querySelectorAll('*').length)
const scrollTo = (part: number) =>
  main().evaluate((it, share) => {
    it.scrollTop = it.scrollHeight * share
  }, part)

test('the overview draws the apps that can be seen, and finds the others', async () => {
  await opened.goTo('Overview')
  await main().getByRole('heading', { name: 'Product 000' }).waitFor()
  expect(await elements()).toBeLessThan(2_500)
  // What is measured on the way makes the list longer or shorter.
  await expect
    .poll(async () => {
      await scrollTo(1)
      return await main().getByRole('heading', { name: 'Product 299' }).isVisible()
    })
    .toBe(true)
  expect(await elements()).toBeLessThan(2_500)
  await main().getByRole('searchbox', { name: 'Search' }).fill('217')
  await main().getByRole('heading', { name: 'Product 217' }).waitFor()
  await expect
    .poll(() =>
      main()
        .getByRole('heading', { name: /^Product/ })
        .count(),
    )
    .toBe(1)
})

test('the list of apps does the same, and shows the total', async () => {
  await opened.goTo('Apps and channels')
  await main().getByRole('link', { name: 'Product 000' }).waitFor()
  expect(await elements()).toBeLessThan(2_500)
  const table = main().getByRole('table', { name: 'Apps' })
  expect(await table.getAttribute('aria-rowcount')).toBe(String(APPS + 1))
  await expect
    .poll(async () => {
      await scrollTo(1)
      return await main().getByRole('link', { name: 'Product 299' }).isVisible()
    })
    .toBe(true)
  await main().getByRole('searchbox', { name: 'Search' }).fill('app-21')
  await main().getByText('10 of 300 apps').waitFor()
  await main().getByRole('searchbox', { name: 'Search' }).fill('nothing like it')
  await main().getByRole('button', { name: 'Clear filters' }).click()
  await main().getByText('300 apps').waitFor()
})

test('one of many apps is chosen by typing', async () => {
  await opened.goTo('API keys')
  await main().getByRole('button', { name: 'Create key' }).click()
  const dialog = opened.page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'App' })
  await field.fill('217')
  await opened.page.getByRole('option', { name: 'Product 217 (app-217)' }).click()
  await expect.poll(() => field.inputValue()).toBe('Product 217 (app-217)')
  await opened.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await opened.page.getByRole('dialog').waitFor({ state: 'hidden' })
})

/** Screens whose list of apps puts the choice into the address. */
const FILTERED = ['Releases', 'Fleet', 'Devices', 'Audit log'] as const

for (const screen of FILTERED) {
  test(`an app is found by keyboard: ${screen}`, async () => {
    const { page, goTo } = opened
    await goTo(screen)
    const field = picker(main(), 'App')
    await field.focus()
    // The list opens when it is asked for.
    expect(await field.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowDown')
    const list = page.getByRole('listbox', { name: 'App', exact: true })
    await list.getByRole('option', { name: /^Type to find 25\d more$/ }).waitFor()
    // Typing replaces what was chosen before.
    await page.keyboard.type('217')
    await list.getByText('Product 217 (app-217)').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('app=app-217')
    await expect.poll(() => field.inputValue()).toBe('Product 217 (app-217)')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('ArrowDown')
    // Chosen ones are offered without typing, however far down the list they are.
    await list.getByRole('option', { name: 'Product 217 (app-217)', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
  })
}

test('the publish form finds an app by keyboard, and is not sent by searching', async () => {
  const { page } = opened
  await openPublishForm(opened)
  const field = picker(main(), 'App')
  await field.focus()
  await page.keyboard.type('no such app')
  const list = page.getByRole('listbox', { name: 'App', exact: true })
  await list.getByText('No results').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => field.inputValue()).toBe('Product 000 (app-000)')
  expect(await main().getByText('Fix the highlighted fields').count()).toBe(0)
  await field.fill('app-217')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Product 217 (app-217)')
  await expect.poll(() => picker(main(), 'Channel').inputValue()).toBe('stable')
})

test('the code for another channel comes with the focus where it was', async () => {
  const { page, goTo } = opened
  await callConsole(page, 'mutation', 'channels.create', { app: 'app-000', name: 'beta' })
  await goTo('Apps and channels')
  await main().getByRole('link', { name: 'Product 000' }).click()
  await pick(page, 'Channel', 'beta')
  await main().getByText('/app-000/beta/').first().waitFor()
  const field = picker(main(), 'Channel')
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
})
