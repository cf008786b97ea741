import type { Locator, Page } from 'playwright'

/** The dialog in which a person confirms that it is them. */
export function confirmationDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Confirm your identity' })
}

/** Confirms with the password what the console asks for, and waits until it goes on. */
export async function confirmIdentity(page: Page, password: string): Promise<void> {
  const dialog = confirmationDialog(page)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}
