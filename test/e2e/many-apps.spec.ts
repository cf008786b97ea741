import { afterAll, beforeAll, expect, test } from 'vitest'
import { callConsole } from './support/api.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'

const APPS = 300

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  await opened.page.getByRole('heading', { name: 'First steps' }).waitFor()
  for (let n = 0; n < APPS; n++) {
    const number = String(n).padStart(3, '0')
    const input = { ref: `app-${number}`, name: `Product ${number}` }
    expect(await callConsole(opened.page, 'mutation', 'apps.create', input)).toMatchObject({
      ok: true,
    })
  }
})
afterAll(() => opened?.close())

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
  await main().getByRole('button', { name: 'Clear search' }).click()
  await main().getByText('300 apps').waitFor()
})

test('one of many apps is chosen by typing', async () => {
  await opened.goTo('API keys')
  await main().getByRole('button', { name: 'Create key' }).click()
  const field = opened.page.getByRole('dialog').getByRole('combobox', { name: 'App' })
  await field.fill('217')
  await opened.page.getByRole('option', { name: 'Product 217 (app-217)' }).click()
  expect(await field.inputValue()).toBe('Product 217 (app-217)')
})
