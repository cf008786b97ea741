import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inBrowser, type ReleaseConsole } from './console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns what axe finds on the page, moderate and worse, once nothing on it loads or moves. Text that fades
 * has too little contrast until it is there, so the console must have been opened with `reducedMotion`:
 * otherwise a notification may start to fade while axe looks. Throws when it was not. Menus open outside of all
 * landmarks, so that what is in none is no finding.
 */
export async function findings({ page }: Pick<ReleaseConsole, 'page'>): Promise<unknown> {
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
  return await page.evaluate(`${axe};
    axe.run(document, { resultTypes: ['violations'], rules: { region: { enabled: false } } }).then(({ violations }) => violations
      .filter(({ impact }) => impact !== 'minor')
      .map(({ id, nodes }) => id + ': ' + nodes
        .map(({ html, failureSummary }) => html.slice(0, 160) + ' ' + failureSummary).join(' | ')))`)
}

/** Switches the page to one theme, as the person's machine would. */
export async function useTheme(opened: ReleaseConsole, theme: 'light' | 'dark') {
  const { page } = opened
  if (inBrowser) await page.emulateMedia({ colorScheme: theme })
  else {
    await opened.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source
    }, theme)
  }
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor()
}
