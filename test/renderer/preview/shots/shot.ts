import type { Page } from 'playwright'

/** One picture: where to go, and what to do there first. */
export interface Shot {
  readonly name: string
  readonly path: string
  prepare?(page: Page): Promise<void>
  /** Takes back what that changed for the pictures after it. */
  restore?(page: Page): Promise<void>
}

/** Clicks the first button of that name. */
export const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

/** Scrolls until the end of a part of the screen is in view. */
export async function bottomOf(page: Page, name: string): Promise<void> {
  const region = page.getByRole('region', { name, exact: true })
  await region.evaluate((element) => element.scrollIntoView({ block: 'end' }))
}

/** A picture of what the first button of that name opens. */
export function clicked(name: string, path: string, button: string | RegExp): Shot {
  return { name, path, prepare: (page) => click(page, button) }
}

/** A picture of the end of a part of a screen. */
export function below(name: string, path: string, region: string): Shot {
  return { name, path, prepare: (page) => bottomOf(page, region) }
}

/** Opens the command palette, which is loaded after the first screen. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
}

/** Pictures of a screen whose calls are not answered, and of one whose calls fail. */
export function withoutAnswer(name: string, path: string): readonly Shot[] {
  const error = { code: 'unavailable', reason: 'server_not_answering' }
  const go = async (page: Page, fails: boolean) => {
    await page.route('**/bridge/call', (route) =>
      fails ? route.fulfill({ json: { ok: false, error } }) : undefined,
    )
    await page.evaluate((to) => window.location.assign(`#${to}`), path)
    const shown = fails ? page.getByRole('alert') : page.locator('[aria-busy=true]')
    await shown.first().waitFor()
  }
  return [
    { name: `${name}-loading`, path: '/nowhere', prepare: (page) => go(page, false) },
    { name: `${name}-error`, path: '/nowhere', prepare: (page) => go(page, true) },
  ]
}
