import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { inBrowser, type ReleaseConsole } from './console.ts'

/** A page of a browser, or that of the desktop app. */
type Looked = Pick<ReleaseConsole, 'page'> & Partial<Pick<ReleaseConsole, 'app'>>

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns what axe finds on the page, moderate and worse, once nothing on it loads or moves. Text that fades
 * has too little contrast until it is there, so the console must have been opened with `reducedMotion`:
 * otherwise a notification may start to fade while axe looks. Throws when it was not. Menus open outside of all
 * landmarks, so that what is in none is no finding.
 */
export function findings({ page }: Pick<ReleaseConsole, 'page'>): Promise<unknown> {
  return look(page, {})
}

/** The rules about colors. What the others look at is the same in every theme, and takes axe most of its time. */
const COLORS = ['color-contrast', 'link-in-text-block']

/** Returns what axe finds about colors, on a page that `findings` has looked at in another theme. */
export function colorFindings({ page }: Pick<ReleaseConsole, 'page'>): Promise<unknown> {
  return look(page, { runOnly: COLORS })
}

/** What `findingsInBothThemes` returns if axe finds nothing. */
export const NO_FINDINGS = { light: [], dark: [] }

/** Returns what axe finds in the light theme, and what it finds about colors in the dark one. The page is light then. */
export async function findingsInBothThemes(opened: Looked) {
  await chooseTheme(opened, 'light')
  const light = await findings(opened)
  await chooseTheme(opened, 'dark')
  const dark = await colorFindings(opened)
  await chooseTheme(opened, 'light')
  return { light, dark }
}

async function look(page: Page, only: { readonly runOnly?: readonly string[] }): Promise<unknown> {
  if (!(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches))) {
    throw new Error('Open the console with reducedMotion to look at it with axe')
  }
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true]') === null &&
      document
        .getAnimations()
        .every(
          ({ effect, playState }) =>
            playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
        ),
  )
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], rules: { region: { enabled: false } }, ...only }
  return await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => id + ': ' + nodes
      .map(({ html, failureSummary }) => html.slice(0, 160) + ' ' + failureSummary).join(' | ')))`)
}

/** Switches the page to one theme, as the person's machine would. */
async function chooseTheme(opened: Looked, theme: 'light' | 'dark'): Promise<void> {
  const { page } = opened
  if (inBrowser) await page.emulateMedia({ colorScheme: theme })
  else {
    await opened.app?.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
  }
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor()
}
