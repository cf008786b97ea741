import { globSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { inBrowser } from './support/console.ts'
import { openForAll } from './support/open-for-all.ts'

const opened = openForAll()

beforeAll(async () => {
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})

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

test('every component of Mantine that is used has its styles', () => {
  const all = readFileSync('node_modules/@mantine/core/styles.css', 'utf8')
  const [scripts, styles] = ['js', 'css'].map((type) =>
    globSync(`out/renderer/assets/*.${type}`)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n'),
  )
  const classesIn = (text = '') => new Set(text.match(/\bm_[0-9a-f]{6,10}\b/g))
  const styled = classesIn(styles)
  const isUsed = classesIn(scripts).intersection(classesIn(all))
  expect(isUsed.size).toBeGreaterThan(100)
  expect([...isUsed].filter((name) => !styled.has(name))).toEqual([])
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
  // By themselves they were 50, and a browser asks for six at a time.
  expect(files.length).toBeLessThan(12)
})

test.runIf(inBrowser)('who is signed in loads the screens while the page is read', async () => {
  const page = `${opened.address}/console/`
  const { link = '' } = (await opened.page.request.get(page)).headers()
  const named = [...link.matchAll(/<\.\/([^>]+)>; rel=(\w+)/g)].map(([, file, rel]) => [rel, file])
  expect(named).toEqual([
    ['modulepreload', expect.stringMatching(/^assets\/console-.+\.js$/)],
    ['preload', expect.stringMatching(/^assets\/console-.+\.css$/)],
  ])
  for (const [, file] of named) expect((await fetch(`${page}${file}`)).status).toBe(200)
  expect((await fetch(page)).headers.get('link')).toBe(null)
})

test.runIf(inBrowser)('a screen whose file is gone loads the page again, once', async () => {
  const { page, goTo } = opened
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  const isGone = (screen: string) =>
    page.route(`**/assets/${screen}-screen-*.js`, (route) => route.fulfill({ status: 404 }))
  await isGone('webhooks')
  await isGone('calendar')
  const places = page.getByRole('navigation', { name: 'Screens' })
  const reloaded = page.waitForEvent('load')
  await places.getByRole('link', { name: 'Calendar' }).click()
  await reloaded
  // As after an upgrade of the server, whose page names other files.
  await page.unroute('**/assets/calendar-screen-*.js')
  await goTo('Calendar')
  expect(loads).toBe(1)
  const again = page.waitForEvent('load')
  await places.getByRole('link', { name: 'Webhooks' }).click()
  await again
  await places.getByRole('link', { name: 'Webhooks' }).click()
  await page
    .getByRole('heading', { level: 1, name: 'This screen could not be displayed' })
    .waitFor()
  expect(loads).toBe(2)
})

test.runIf(inBrowser)(
  'while no server answers, a screen that is not loaded keeps the page',
  async () => {
    const { page, goTo } = opened
    await goTo('Overview')
    const failed = page.getByRole('heading', {
      level: 1,
      name: 'This screen could not be displayed',
    })
    const navigations: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) navigations.push(request.url())
    })
    let unanswered = 0
    page.on('requestfailed', (request) => {
      if (request.method() === 'HEAD') unanswered++
    })
    await page.evaluate(
      `window.lost = 0; addEventListener('vite:preloadError', () => window.lost++)`,
    )
    await page.route('**', (route) => route.abort())
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Audit' })
      .click()
    await failed.waitFor()
    // Each lost file asks whether the server answers; one that asked later would load the page.
    const lost = await page.evaluate<number>('window.lost')
    expect(lost).toBeGreaterThan(0)
    await expect.poll(() => unanswered).toBe(lost)
    await page.unroute('**')
    await goTo('Overview')
    expect(navigations).toEqual([])
  },
)
