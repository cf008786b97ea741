import type { Locator } from 'playwright'
import type { ReleaseConsole } from './console.ts'

/** Presses a key until the element has the focus. */
export async function tabTo(
  { page }: ReleaseConsole,
  element: Locator,
  key = 'Tab',
): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await element.evaluate((it) => it === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${element}`)
}
