import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole()
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
afterAll(() => opened?.close())

/** The width of a text in pixels, in the font of the page. */
const widthOf = (text: string, element = 'td') =>
  opened.page.evaluate(`(() => {
    const span = document.createElement('${element}')
    span.style.display = 'inline'
    span.textContent = ${JSON.stringify(text)}
    document.body.append(span)
    const { width } = span.getBoundingClientRect()
    span.remove()
    return width
  })()`)

test('the page uses the bundled font', async () => {
  const loaded = `document.fonts.ready.then((fonts) => [...fonts]
    .filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`
  await expect.poll(() => opened.page.evaluate(loaded)).toContain('Inter Variable')
  const family = await opened.page.evaluate('getComputedStyle(document.body).fontFamily')
  expect(family).toMatch(/^"Inter Variable"/)
})

test('digits in tables have equal width', async () => {
  const width = await widthOf('1111')
  expect(width).toBe(await widthOf('8888'))
  expect(width).not.toBe(await widthOf('iiii'))
  // In this font that would also widen the hyphens of words.
  expect(await widthOf('----', 'span')).toBeLessThan(Number(await widthOf('----')))
})
