import { expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

const EMPTY = 'No releases yet'

/** Notes from now on whether the page ever says that nothing was published. */
const watch = () =>
  opened.page.evaluate(`window.wasEmpty = false
    new MutationObserver(() => {
      if (document.body.textContent.includes('${EMPTY}')) window.wasEmpty = true
    }).observe(document.body, { childList: true, subtree: true, characterData: true })`)

test('the empty state is shown only while the list is empty', async () => {
  const { page } = opened
  await createApp(opened)
  await opened.goTo('Releases')
  await page.getByRole('heading', { name: EMPTY }).waitFor()
  await opened.goTo('Overview')
  await publishByApi(opened, '1.0.0')
  await page.getByRole('link', { name: '1.0.0' }).waitFor()
  await watch()
  await opened.goTo('Releases')
  await page.getByRole('link', { name: '1.0.0 of editor/stable' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: '1.0.0 of editor/stable' }).waitFor()
  expect(await page.evaluate('window.wasEmpty')).toBe(false)
})
