import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ReleaseConsole } from './console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is, serious and worse. */
export async function findings({ page }: ReleaseConsole): Promise<unknown> {
  return await page.evaluate(`${axe};
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`)
}

/** Has the page in one theme, as the person's machine would. */
export async function useTheme({ app, page }: ReleaseConsole, theme: 'light' | 'dark') {
  await app.evaluate(({ nativeTheme }, source) => {
    nativeTheme.themeSource = source
  }, theme)
  await page.waitForFunction(
    (dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark,
    theme === 'dark',
  )
}
