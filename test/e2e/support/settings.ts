import { expect } from 'vitest'
import { type ReleaseConsole, serverProcesses } from './console.ts'

/** Presses the button that saves a section of the settings, and waits for another server process that runs. */
export async function saveSection({ app, page }: ReleaseConsole, section: string): Promise<void> {
  const [before] = await serverProcesses(app)
  await page
    .getByRole('form', { name: section, exact: true })
    .getByRole('button', { name: /^Save and/ })
    .click()
  await page
    .getByText(/Saved\. The server is restarting/)
    .first()
    .waitFor()
  // Until then the screen may still show the state of the one before.
  await expect.poll(() => serverProcesses(app)).not.toEqual([before])
  await expect.poll(() => serverProcesses(app)).toHaveLength(1)
  await page.getByText('Server is running').waitFor()
}
