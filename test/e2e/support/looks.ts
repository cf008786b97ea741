import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { colorFindings, findings } from './axe.ts'

const THEMES = ['light', 'dark'] as const
/** Widths in CSS pixels. 800 also is that of a window of 1280 at a zoom of 160%, the last two those of phones. */
export const WIDTHS = [1_920, 1_280, 1_024, 800, 390, 360] as const

/**
 * Expects that axe finds nothing on the page, that nothing scrolls sideways and that everything can be hit, in both themes and
 * every width. The page has 1,280 pixels afterwards. `name`: of the pictures that are stored where `E2E_SHOTS` names a folder.
 */
export async function expectFits(page: Page, name: string): Promise<void> {
  const shots = process.env.E2E_SHOTS
  for (const width of [...WIDTHS, 1_280]) {
    await resize(page, width)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction((theme) => {
        const shown = document.documentElement.dataset.mantineColorScheme
        return shown === undefined || shown === theme
      }, colorScheme)
      const look = `${name}-${width}-${colorScheme}`
      const found =
        colorScheme === 'light' ? await findings({ page }) : await colorFindings({ page })
      expect.soft(found, look).toEqual([])
      expect.soft(await unfit(page), look).toEqual([])
      if (shots !== undefined) await page.screenshot({ path: join(shots, `${look}.png`) })
    }
  }
}

/** Returns what does not fit in any width, each with the width; the page has 1,280 pixels afterwards. */
export async function unfitInAnyWidth(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of [...WIDTHS, 1_280]) {
    await resize(page, width)
    found.push(...(await unfit(page)).map((each) => `${width}: ${each}`))
  }
  return found
}

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 640 ? 844 : 800 })
  await page.waitForFunction((wanted) => innerWidth === wanted, width)
  // Charts follow the width a moment later. What is too wide for good is found by `unfit`.
  await page
    .waitForFunction(
      () => {
        const main = document.querySelector('main')
        return main === null || main.scrollWidth <= main.clientWidth
      },
      undefined,
      { timeout: 10_000 },
    )
    .catch(() => {})
}

/**
 * Returns what has more width than room for it, what leaves a large screen empty, and what is too small to be hit. Code may scroll in its place, and
 * tables where the navigation is a bar. Targets have 44 pixels on a phone; else 24 (WCAG 2.2, 2.5.8).
 */
export async function unfit(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const isPhone = innerWidth < 640
    const wide = [
      document.documentElement,
      ...document.querySelectorAll(innerWidth < 900 ? 'main' : 'main, main *'),
    ].filter((it) => {
      if (it.querySelector(':scope > pre, :scope > code') !== null || it.matches('pre'))
        return false
      const { overflowX } = getComputedStyle(it)
      const scrolls = it.matches('html, main') || ['auto', 'scroll'].includes(overflowX)
      return scrolls && it.scrollWidth > it.clientWidth
    })
    const reaching = (place: Element) => {
      const edge = place.getBoundingClientRect().left + place.clientWidth
      const [last] = [...place.querySelectorAll('*')]
        .filter((it) => it.getBoundingClientRect().right > edge + 1)
        .slice(-1)
      return last?.outerHTML.slice(0, 160) ?? ''
    }
    const targets = document.querySelectorAll(
      'main :is(button, input[type=text], a.mantine-Button-root), nav :is(a, button), [role=dialog] :is(a, button)',
    )
    const small = [...targets]
      // In the heading of a column, and what moves with a finger held down.
      .filter((it) => it.closest('th, [role=slider]') === null)
      .filter((it) => it.checkVisibility())
      .filter((it) => it.getBoundingClientRect().height < (isPhone ? 44 : 24))
    // A large screen is used.
    const main = document.querySelector('#content')
    const used = [...(main?.children ?? [])].map((it) => it.getBoundingClientRect().width)
    const isNarrow = innerWidth >= 1_900 && main !== null && Math.max(...used) < innerWidth * 0.8
    return [
      ...(isNarrow ? [`narrow: ${Math.max(...used)}`] : []),
      ...wide.map((it) => `wide: ${it.className || it.tagName}, ${reaching(it)}`),
      ...small.map((it) => `small: ${it.outerHTML.slice(0, 160)}`),
    ]
  })
}
