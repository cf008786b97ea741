import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/** The field of a list that is searched by typing. While it is open, its list has the same name. */
export function picker(within: Page | Locator, name: string): Locator {
  return within.getByRole('combobox', { name, exact: true })
}

/** Chooses from such a list by typing the label of the choice, which then stands in the field. */
export async function pick(page: Page, name: string, label: string): Promise<void> {
  await picker(page, name).fill(label)
  const list = page.getByRole('listbox', { name, exact: true })
  await list.getByRole('option', { name: label, exact: true }).click()
  await list.waitFor({ state: 'hidden' })
  await expect.poll(() => picker(page, name).inputValue()).toBe(label)
}
