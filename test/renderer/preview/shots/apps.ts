import type { Page } from 'playwright'
import { click, type Shot } from './shot.ts'

/** Apps and channels. */
export const APPS: readonly Shot[] = [
  {
    name: 'app-proof',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Edit proof settings')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'apps', path: '/apps' },
  { name: 'app', path: '/apps/editor' },
  ...['Tauri', 'electron-updater', 'Electron Forge', 'Sparkle', 'Velopack', 'Other', 'Scripts'].map(
    (tab) => ({
      name: `app-connect-${tab.toLowerCase().replaceAll(' ', '-')}`,
      path: '/apps/editor',
      async prepare(page: Page) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await page.getByRole('tabpanel').scrollIntoViewIfNeeded()
      },
    }),
  ),
  {
    name: 'app-policy',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Manage channel stable')
      await page.getByRole('menuitem', { name: 'Edit policy' }).click()
    },
  },
  {
    name: 'app-policy-early-access',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Manage channel stable')
      await page.getByRole('menuitem', { name: 'Edit policy' }).click()
      await click(page, 'Add devices by label')
      await click(page, 'Save policy')
      await page.getByRole('textbox', { name: 'Device IDs' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'app-delete',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Manage')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    },
  },
]
