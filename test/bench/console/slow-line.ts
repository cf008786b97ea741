import type { BrowserContext, Page } from 'playwright'
import { SESSION_COOKIE } from '../../../src/shared/console/bridge/web.ts'
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
const MOST = { ms: 1_000, kb: 350, requests: 14, routeMs: 100, shift: 0.01 }
const FIRST = [
  { of: 'ms', what: 'first visit', unit: 'ms', most: MOST.ms },
  { of: 'kb', what: 'bytes until then', unit: 'kB', most: MOST.kb },
  { of: 'requests', what: 'requests until then', unit: '', most: MOST.requests },
  { of: 'shift', what: 'layout shift until then', unit: '', most: MOST.shift },
] as const
const SCREENS: readonly Screen[] = [
  ...(['Fleet', 'Releases', 'Calendar', 'Devices', 'Apps and channels', 'API keys'] as const),
  ...(['People', 'Webhooks', 'Audit log', 'Settings', 'Overview'] as const),
]

/** What it takes until a screen is there, with nothing in the browser's cache. */
interface First {
  readonly ms: number
  /** Of everything that was loaded. */
  readonly kb: number
  readonly requests: number
  readonly shift: number
}

interface Visit {
  readonly signIn: First
  readonly overview: First
  /** Of each screen, when it was opened again. */
  readonly routes: readonly Route[]
}

/** Milliseconds until a screen is drawn, and until it has its data. */
interface Route {
  readonly drawn: number
  readonly full: number
}

/**
 * Measures the page for signing in and the overview over a line of 10 Mbit/s, and the way from screen to screen.
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
  const times = (of: keyof Route, words = '') =>
    SCREENS.map((screen, index): Figure => {
      const values = visits.map(({ routes: all }) => all[index]?.[of] ?? 0)
      return { what: `${screen}${words}`, unit: 'ms', values }
    })
  const routes = times('drawn')
  const figures = (['signIn', 'overview'] as const).flatMap((screen) =>
    FIRST.map(({ of, what, unit, most }) => ({
      ...{ what: `${screen === 'signIn' ? 'sign-in' : screen}, ${what}`, unit },
      values: visits.map((visit) => visit[screen][of]),
      most: of === 'ms' ? most * slack : most,
    })),
  )
  const columns = FIGURE_COLUMNS.filter(
    ({ name }) => name !== 'ratio' && name !== 'of aim' && name !== 'to',
  )
  const tooMuch = [
    ...figures,
    ...routes.map((route) => ({ ...route, most: MOST.routeMs * slack })),
  ].flatMap(({ what, unit, values, most }) =>
    Math.min(...values) > most ? [`${what}: more than ${most} ${unit}`] : [],
  )
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

/** One visit of a browser of its own, with the session of the first one. */
async function visit({ page: signedIn, address }: ReleaseConsole): Promise<Visit> {
  const session = await signedIn.context().storageState()
  const cookies = session.cookies.filter(({ name }) => !name.endsWith(SESSION_COOKIE))
  const signIn = await first(address, { cookies, origins: [] }, 'input[type=password]')
  const routes: Route[] = []
  const shown = '[aria-label="Editor, channel stable"]'
  const overview = await first(address, session, shown, async (page) => {
    for (const screen of SCREENS) await routeTime(page, screen)
    for (const screen of SCREENS) routes.push(await routeTime(page, screen))
  })
  return { signIn, overview, routes }
}

/** Loads the page over the slow line until `shown`, a selector, is drawn, and goes on without that line. */
async function first(
  address: string,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  shown: string,
  goOn: (page: Page) => Promise<void> = async () => {},
): Promise<First> {
  const context = await (await sharedBrowser()).newContext({
    ...{ viewport: { width: 1_280, height: 800 }, storageState },
  })
  try {
    const page = await context.newPage()
    const line = await context.newCDPSession(page)
    let [bytes, requests] = [0, 0]
    line.on('Network.requestWillBeSent', () => {
      requests += 1
    })
    line.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', LINE)
    await observe(page, shown)
    await page.goto(`${address}/console/`, { waitUntil: 'commit' })
    await page.waitForFunction(() => Reflect.has(window, 'drawnAt'))
    const until = { kb: bytes / 1_000, requests }
    const [ms, shift] = await page.evaluate<[number, number]>('[drawnAt, shifted]')
    await line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
    })
    await goOn(page)
    return { ms, ...until, shift }
  } finally {
    await context.close()
  }
}

/**
 * Has the page note when a selector is drawn, in milliseconds since the navigation began, and add up how far what is shown
 * jumps, without what a person has just caused (web.dev/cls).
 */
async function observe(page: Page, shown: string): Promise<void> {
  await page.addInitScript(`window.shifted = 0
    addEventListener('click', () => { window.clickedAt = performance.now() }, true)
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      if (!document.querySelector(${JSON.stringify(shown)})) requestAnimationFrame(look)
      else requestAnimationFrame(() => setTimeout(() => { window.drawnAt = performance.now() }))
    }
    look()`)
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
