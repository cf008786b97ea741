import { afterAll, beforeAll, expect, test } from 'vitest'
import { inBrowser, openConsole, type ReleaseConsole } from './support/console.ts'

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

test.runIf(inBrowser)('the first screen takes 350 kB of scripts and styles at most', async () => {
  const sizes = `performance.getEntriesByType('resource')
    .filter(({ name }) => /\\.(?:js|css)$/.test(name))
    .map(({ transferSize, decodedBodySize }) => [transferSize, decodedBodySize])`
  const files = (await opened.page.evaluate(sizes)) as [number, number][]
  const sum = (index: 0 | 1) => files.reduce((total, file) => total + file[index], 0)
  // What the browser had in its cache took nothing.
  expect(files.filter(([taken]) => taken === 0)).toEqual([])
  expect(sum(0)).toBeLessThan(350_000)
  expect(sum(1)).toBeGreaterThan(2 * sum(0))
})
