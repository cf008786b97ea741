import { beforeAll, beforeEach, expect, test } from 'vitest'
import { startOver } from './support/console.ts'
import { openDialog } from './support/dialog.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, openPublishForm } from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})
beforeEach(async () => {
  await startOver(opened)
  await openPublishForm(opened)
  await version().fill('3.0.0')
})

const version = () => opened.page.getByRole('textbox', { name: 'Version' })
const address = () => opened.page.evaluate(() => location.hash)
const type = (hash: string) =>
  opened.page.evaluate((typed) => {
    location.hash = typed
  }, hash)
const answer = async (name: string) => {
  const question = openDialog(opened)
  await question.getByRole('button', { name, exact: true }).click()
  await question.waitFor({ state: 'hidden' })
}
const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name }).waitFor()
const back = () => opened.page.evaluate(() => history.back())

test('another address asks before a form is left, each time', async () => {
  for (const typed of ['#/audit', '#/fleet']) {
    await type(typed)
    await answer('Cancel')
    expect(await address()).toBe('#/releases/publish')
    expect(await version().inputValue()).toBe('3.0.0')
  }
  await type('#/audit')
  await answer('Discard changes')
  await heading('Audit log')
  expect(await address()).toBe('#/audit')
})

test('the way back asks, before and after another address was typed', async () => {
  await back()
  await answer('Cancel')
  expect(await version().inputValue()).toBe('3.0.0')
  await type('#/audit')
  await answer('Cancel')
  await back()
  await answer('Discard changes')
  await heading('Releases')
})

test('the way back from a typed address leads to where it was typed', async () => {
  await type('#/audit')
  await answer('Discard changes')
  await heading('Audit log')
  await back()
  await heading('Publish a release')
  await back()
  await heading('Releases')
})
