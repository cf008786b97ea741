import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { inBrowser } from './support/console.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp, openPublishForm } from './support/steps.ts'

const NOTES = `## What is new

#### Fixes

# Earlier

Read [the news](https://example.invalid/news?of=1.0.0), or not.

[A script](javascript:alert(1)) and <script>window.ran = true</script> and ![a picture](https://example.invalid/p.png)`
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0', { notes: NOTES })
  await opened.goTo('Releases')
  await opened.page.getByRole('link', { name: '1.0.0 of editor/stable' }).click()
})

test.runIf(inBrowser)(
  'a link in the notes opens in another tab, which learns nothing of the console',
  async () => {
    const { page } = opened
    const link = page.getByRole('link', {
      name: 'the news (opens example.invalid in your browser)',
    })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await tab.close()
    await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
  },
)

test('the headings of the notes follow those of the screen without gaps', async () => {
  const notes = opened.page.getByRole('region', { name: 'Release notes' })
  await notes.getByRole('heading', { level: 3, name: 'What is new' }).waitFor()
  await notes.getByRole('heading', { level: 4, name: 'Fixes' }).waitFor()
  await notes.getByRole('heading', { level: 3, name: 'Earlier' }).waitFor()
})

test('the notes cannot run scripts or load files', async () => {
  const notes = opened.page.getByRole('region', { name: 'Release notes' })
  await notes.getByText('[a picture]').waitFor()
  expect(await notes.getByRole('link').count()).toBe(1)
  expect(await notes.locator('img, script').count()).toBe(0)
  expect(await opened.page.evaluate('typeof window.ran')).toBe('undefined')
})

test('a preview of long notes is complete, and in its order', async () => {
  const { page } = opened
  await openPublishForm(opened)
  const lines = Array.from({ length: 2_000 }, (_, line) => `- change ${line} of [it](${line})`)
  // Chromium takes seconds to insert so many lines as a person does.
  await page.getByRole('textbox', { name: 'Release notes' }).evaluate((field, text) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {}
    set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }, lines.join('\n'))
  const views = page.getByRole('radiogroup', { name: 'View' })
  await views.getByText('Preview', { exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview of the release notes' })
  await preview.getByText('change 1999 of it').waitFor()
  const shown = await preview.getByRole('listitem').allInnerTexts()
  expect(shown).toEqual(lines.map((_, line) => `change ${line} of it`))
})
