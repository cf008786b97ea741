import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { colorFindings, findings } from './axe.ts'

const THEMES = ['light', 'dark'] as const
/** Widths in CSS pixels; the second one also is that of a window of 1280 at a zoom of 160%, the last one that of a phone. */
const WIDTHS = [1_280, 800, 390] as const

/**
 * Expects that axe finds nothing on the page and that nothing scrolls sideways, in both themes, wide and narrow. The page
 * is wide afterwards. `name`: of the pictures that are stored where `E2E_SHOTS` names a folder.
 */
export async function expectFits(page: Page, name: string): Promise<void> {
  const shots = process.env.E2E_SHOTS
  for (const width of WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 800 })
    await page.waitForFunction((wanted) => innerWidth === wanted, width)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction((theme) => {
        const shown = document.documentElement.dataset.mantineColorScheme
        return shown === undefined || shown === theme
      }, colorScheme)
      const look = `${name}-${width}-${colorScheme}`
      const found =
        colorScheme === 'light' ? await findings({ page }) : await colorFindings({ page })
      expect(found, look).toEqual([])
      expect(await scrolledSideways(page), look).toEqual([])
      if (shots !== undefined) await page.screenshot({ path: join(shots, `${look}.png`) })
    }
  }
}

/** Returns the classes of what has more width than room for it. On a phone, tables may: they scroll in their place. */
async function scrolledSideways(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll(innerWidth < 640 ? 'main' : 'main, main *'),
    ]
      .filter((it) => {
        const { overflowX } = getComputedStyle(it)
        const scrolls = it === document.documentElement || ['auto', 'scroll'].includes(overflowX)
        return scrolls && it.scrollWidth > it.clientWidth
      })
      .map((it) => it.className || it.tagName),
  )
}
