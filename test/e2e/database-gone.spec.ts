import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole
afterEach(() => opened?.close())

test('a missing database is reported on every screen until it is back', async () => {
  opened = await openConsole({ reducedMotion: true })
  const { page, goTo, userData } = opened
  await page.getByText('Server is running').waitFor()
  const file = join(userData, 'data', 'tidegate.db')
  renameSync(file, `${file}.moved`)
  const notice = page.getByRole('alert').filter({ hasText: 'The database file is missing' })
  await notice.getByText(file).waitFor()
  await goTo('API keys')
  await notice.waitFor()
  expect(await findingsInBothThemes(opened)).toEqual(NO_FINDINGS)
  renameSync(`${file}.moved`, file)
  await notice.waitFor({ state: 'detached' })
})
