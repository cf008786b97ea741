import { click, type Shot } from './shot.ts'

/** Settings. */
export const SETTINGS: readonly Shot[] = [
  { name: 'settings', path: '/settings' },
  {
    name: 'settings-about',
    path: '/settings',
    prepare: (page) => page.getByText('Data folder').scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings-limits',
    path: '/settings',
    prepare: (page) => page.getByText('Keep devices seen once').scrollIntoViewIfNeeded(),
  },
  {
    name: 'settings-issues',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('radio', { name: 'All network interfaces' }).check()
      await page.getByLabel('Port').fill('70000')
      await page
        .getByRole('form', { name: 'Server' })
        .getByRole('button', { name: /^Save/ })
        .click()
      await page.getByRole('switch', { name: 'Serve over HTTPS (TLS)' }).check()
      await page.getByLabel('Certificate file', { exact: true }).fill('/no/such.pem')
      await page.getByLabel('Private key file', { exact: true }).fill('/no/such.key')
      await page.getByLabel('Private key file', { exact: true }).blur()
      await page.getByText(/Certificate file cannot be read/).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-backups',
    path: '/settings',
    async prepare(page) {
      await click(page, 'Back up now')
      await page.getByRole('menuitem', { name: 'Database only' }).click()
      await page.getByRole('table', { name: 'Backups' }).waitFor()
      await page.getByRole('heading', { name: 'Backups', exact: true }).scrollIntoViewIfNeeded()
      await page.getByRole('heading', { name: 'About' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-storage',
    path: '/settings',
    async prepare(page) {
      await page.getByRole('switch', { name: 'Store files on this server' }).check()
      const form = page.getByRole('form', { name: 'File storage' })
      await form.getByRole('button', { name: /^Save/ }).click()
      await form.evaluate((element) => element.scrollIntoView())
    },
  },
  {
    name: 'settings-files',
    path: '/settings',
    prepare: (page) =>
      page.getByRole('table', { name: 'Stored files' }).evaluate((table) => {
        table.scrollIntoView({ block: 'center' })
      }),
  },
  {
    name: 'settings-restore',
    path: '/settings',
    async prepare(page) {
      await click(page, /^Restore backup .*\.db/)
      await page.getByLabel('Type restore to confirm').waitFor()
    },
  },
]
