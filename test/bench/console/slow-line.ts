import type { Page } from 'playwright'
import { publishByApi } from '../../e2e/support/api.ts'
import { openInBrowser, sharedBrowser } from '../../e2e/support/browser.ts'
import { checkAll } from '../../e2e/support/device.ts'
import type { ReleaseConsole, Screen } from '../../e2e/support/release-console.ts'
import { createApp } from '../../e2e/support/steps.ts'
import type { Table } from '../output/table.ts'
import { FIGURE_COLUMNS, type Figure, figureRow } from '../scenarios/figures.ts'

/** 10 Mbit/s, and 40 ms until an answer begins. */
const LINE = {
  offline: false,
  latency: 40,
  downloadThroughput: 1_250_000,
  uploadThroughput: 1_250_000,
}
/** The aims. Other programs only make times longer, so that the shortest of all runs counts. */
const MOST = { firstMs: 1_000, firstKb: 350, routeMs: 100, shift: 0.01 }
const SCREENS: readonly Screen[] = [
  ...(['Fleet', 'Releases', 'Calendar', 'Devices', 'Apps and channels', 'API keys'] as const),
  ...(['People', 'Webhooks', 'Audit log', 'Settings', 'Overview'] as const),
]

interface Visit {
  readonly ms: number
  readonly kb: number
  readonly shift: number
  /** Of each screen, when it was opened again. */
  readonly routes: readonly Route[]
}

/** Milliseconds until a screen is drawn, and until it has its data. */
interface Route {
  readonly drawn: number
  readonly full: number
}

/**
 * Measures the overview over a line of 10 Mbit/s with nothing in the browser's cache, and the way from screen to screen.
 * `tooMuch`: what takes more than it may. `slack`: times may be so many times as long, on a computer that is busy.
 */
export async function measureSlowLine(
  runs: number,
  slack: number,
): Promise<{ tables: Table[]; tooMuch: string[] }> {
  const opened = await openInBrowser({})
  try {
    await createApp(opened)
    await publishByApi(opened, '1.0.0')
    await checkAll(opened.address, '1.0.0', 5)
    const visits: Visit[] = []
    for (let run = 0; run < runs; run += 1) visits.push(await visit(opened))
    return report(visits, slack)
  } finally {
    await opened.close()
  }
}

function report(visits: readonly Visit[], slack: number): { tables: Table[]; tooMuch: string[] } {
  const least = (of: (one: Visit) => number) => Math.min(...visits.map(of))
  const times = (of: keyof Route, words = '') =>
    SCREENS.map((screen, index): Figure => {
      const values = visits.map(({ routes: all }) => all[index]?.[of] ?? 0)
      return { what: `${screen}${words}`, unit: 'ms', values }
    })
  const routes = times('drawn')
  const figures: Figure[] = [
    { what: 'overview, first visit', unit: 'ms', values: visits.map(({ ms }) => ms) },
    { what: 'scripts and styles until then', unit: 'kB', values: visits.map(({ kb }) => kb) },
    { what: 'layout shift until then', unit: '', values: visits.map(({ shift }) => shift) },
  ]
  const columns = FIGURE_COLUMNS.filter(
    ({ name }) => name !== 'ratio' && name !== 'of aim' && name !== 'to',
  )
  const tooMuch = [
    ...(least(({ ms }) => ms) > MOST.firstMs * slack
      ? [`overview: more than ${MOST.firstMs} ms`]
      : []),
    ...(least(({ kb }) => kb) > MOST.firstKb ? [`overview: more than ${MOST.firstKb} kB`] : []),
    ...(least(({ shift }) => shift) > MOST.shift ? [`layout shift above ${MOST.shift}`] : []),
    ...routes
      .filter(({ values }) => Math.min(...values) > MOST.routeMs * slack)
      .map(({ what }) => `${what}: more than ${MOST.routeMs} ms`),
  ]
  return {
    tables: [
      { title: 'At 10 Mbit/s and 40 ms', columns, rows: figures.map(figureRow), notes: [] },
      {
        title: 'From screen to screen',
        columns,
        rows: [...routes, ...times('full', ', with its data')].map(figureRow),
        notes: ['From the click until it is drawn, when it is opened again.'],
      },
    ],
    tooMuch,
  }
}

/** One visit with an empty cache: of a browser context of its own, with the session of the first one. */
async function visit({ page: signedIn, address }: ReleaseConsole): Promise<Visit> {
  const context = await (await sharedBrowser()).newContext({
    viewport: { width: 1_280, height: 800 },
  })
  try {
    await context.addCookies(await signedIn.context().cookies())
    const page = await context.newPage()
    const line = await context.newCDPSession(page)
    let bytes = 0
    const counted = new Set<string>()
    line.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (type === 'Script' || type === 'Stylesheet') counted.add(requestId)
    })
    line.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (counted.has(requestId)) bytes += encodedDataLength
    })
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', LINE)
    await observeShifts(page)
    const began = performance.now()
    await page.goto(`${address}/console/`, { waitUntil: 'commit' })
    await page.getByRole('region', { name: 'Editor, channel stable' }).waitFor()
    const ms = performance.now() - began
    const kb = bytes / 1_000
    const shift = await page.evaluate<number>('window.shifted')
    await line.send('Network.emulateNetworkConditions', {
      ...LINE,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    for (const screen of SCREENS) await routeTime(page, screen)
    const routes: Route[] = []
    for (const screen of SCREENS) routes.push(await routeTime(page, screen))
    return { ms, kb, routes, shift }
  } finally {
    await context.close()
  }
}

/** Adds up how far what is shown jumps, without what a person has just caused (web.dev/cls). */
async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(`window.shifted = 0
    addEventListener('click', () => { window.clickedAt = performance.now() }, true)
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** Returns the milliseconds from a click in the navigation until the screen is drawn, and until it has its data. */
async function routeTime(page: Page, screen: Screen): Promise<Route> {
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: screen })
    .click()
  return await page.evaluate(async (name) => {
    const until = async (isThere: () => boolean) => {
      while (!isThere()) await new Promise((drawn) => requestAnimationFrame(drawn))
      return performance.now() - Reflect.get(window, 'clickedAt')
    }
    const drawn = await until(() => document.querySelector('h1')?.textContent === name)
    return { drawn, full: await until(() => document.querySelector('[aria-busy=true]') === null) }
  }, screen)
}
