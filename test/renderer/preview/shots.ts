import type { Page } from 'playwright'
import { WANDERER } from './seed.ts'

/** One picture: where to go, and what to do there first. */
export interface Shot {
  readonly name: string
  readonly path: string
  prepare?(page: Page): Promise<void>
}

const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

/** Pictures of a server on which nothing was done yet. */
export const EMPTY: readonly Shot[] = [
  { name: 'overview-empty', path: '/' },
  {
    name: 'create-app',
    path: '/',
    async prepare(page) {
      await click(page, 'Create app')
      await page.getByLabel('Name').fill('Harbour Editor')
    },
  },
  { name: 'fleet-empty', path: '/fleet' },
  { name: 'releases-empty', path: '/releases' },
  { name: 'devices-empty', path: '/devices' },
  { name: 'apps-empty', path: '/apps' },
  { name: 'keys-empty', path: '/keys' },
  { name: 'audit-empty', path: '/audit' },
]

/** Pictures of a server with apps, releases, devices and keys. */
export const FILLED: readonly Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'fleet', path: '/fleet' },
  {
    name: 'fleet-below',
    path: '/fleet?range=30d',
    prepare: (page) =>
      page.getByRole('region', { name: 'Live check-ins', exact: true }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'fleet-table',
    path: '/fleet?range=24h&channel=stable',
    prepare: (page) => click(page, 'Show as table: versions'),
  },
  { name: 'fleet-nobody', path: '/fleet?app=viewer' },
  { name: 'releases', path: '/releases' },
  { name: 'publish', path: '/releases/publish?app=editor&channel=stable' },
  {
    name: 'publish-filled',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByLabel('Version').fill('2.4.0')
      for (const [index, platform] of ['darwin', 'macos'].entries()) {
        await click(page, 'Add artifact')
        const row = page.getByRole('group', { name: `Artifact ${index + 1}` })
        await row.getByLabel('Platform', { exact: true }).fill(platform)
        await row.getByLabel('Architecture', { exact: true }).fill('aarch64')
      }
      await click(page, 'Add expression')
      await click(page, 'Publish')
      await page.getByRole('group', { name: 'Artifact 2' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'release', path: '/releases/editor/stable/2.3.0' },
  {
    name: 'release-raise',
    path: '/releases/editor/stable/2.3.0',
    async prepare(page) {
      await click(page, '50%')
      await click(page, 'Raise to 50%')
      await page.getByText('will be newly offered').waitFor()
    },
  },
  {
    name: 'release-targets',
    path: '/releases/editor/beta/2.4.0-beta.2%2Bbuild.118',
    prepare: (page) => click(page, 'Edit targets'),
  },
  { name: 'compare', path: '/releases/editor/stable/2.3.0/compare' },
  {
    name: 'compare-below',
    path: '/releases/editor/stable/2.3.0/compare',
    prepare: (page) => page.getByRole('region', { name: 'Release notes' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'compare-choose',
    path: '/releases/editor/beta/2.4.0-beta.2%2Bbuild.118/compare?with=stable%2F2.3.0',
    async prepare(page) {
      await page.getByRole('combobox', { name: 'Compare with' }).fill('2.')
      await page.getByRole('option', { name: '2.0.3 on stable' }).waitFor()
    },
  },
  { name: 'compare-first', path: '/releases/editor/stable/2.0.3/compare' },
  {
    name: 'release-platforms',
    path: '/releases/editor/stable/2.2.0',
    prepare: (page) => page.getByRole('region', { name: 'Release notes' }).scrollIntoViewIfNeeded(),
  },
  { name: 'release-rolled-back', path: '/releases/editor/stable/2.1.0' },
  { name: 'devices', path: '/devices?app=editor' },
  { name: 'devices-label', path: '/devices?app=editor&search=ring%3Dearly&sort=version' },
  { name: 'devices-none', path: '/devices?app=editor&search=nobody' },
  { name: 'devices-silent', path: '/devices?app=viewer' },
  { name: 'device', path: `/devices/editor/${WANDERER}` },
  {
    name: 'device-forget',
    path: `/devices/editor/${WANDERER}`,
    prepare: (page) => click(page, 'Forget device'),
  },
  { name: 'device-rolled-back', path: '/devices/editor/stable-2.1.0-1' },
  { name: 'device-untargeted', path: '/devices/editor/beta-2.4.0-beta.1-1' },
  { name: 'apps', path: '/apps' },
  { name: 'app', path: '/apps/editor' },
  {
    name: 'app-connect',
    path: '/apps/editor',
    async prepare(page) {
      await page.getByRole('tab', { name: 'Scripts' }).click()
      await page.getByText('Check for an update from a terminal').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'app-policy',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Manage channel stable')
      await page.getByRole('menuitem', { name: 'Edit policy' }).click()
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
  {
    name: 'palette',
    path: '/',
    prepare: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'palette-results',
    path: '/',
    async prepare(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('2.')
      await page.getByRole('option', { name: '2.3.0' }).waitFor()
    },
  },
  { name: 'shortcuts', path: '/', prepare: (page) => page.keyboard.press('?') },
  { name: 'keys', path: '/keys' },
  { name: 'key-create', path: '/keys', prepare: (page) => click(page, 'Create key') },
  {
    name: 'key-revoke',
    path: '/keys',
    prepare: (page) => click(page, 'Revoke key release machine'),
  },
  { name: 'people', path: '/people' },
  { name: 'person-invite', path: '/people', prepare: (page) => click(page, 'Invite person') },
  {
    name: 'person-roles',
    path: '/people',
    async prepare(page) {
      await click(page, 'Manage Ben')
      await page.getByRole('menuitem', { name: 'Change roles' }).click()
    },
  },
  { name: 'audit', path: '/audit' },
  {
    name: 'audit-details',
    path: '/audit?app=editor&channel=stable',
    async prepare(page) {
      await click(page, 'Details: Rolled back.')
      await click(page, /Details: Published at 25%/)
    },
  },
  { name: 'audit-no-match', path: '/audit?search=nowhere' },
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
      await page.getByRole('table', { name: 'Backups' }).waitFor()
      await page.getByRole('heading', { name: 'Backups', exact: true }).scrollIntoViewIfNeeded()
      await page.getByRole('heading', { name: 'About' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-restore',
    path: '/settings',
    async prepare(page) {
      await click(page, /^Restore backup .*\.db/)
      await page.getByLabel('Type restore to confirm').waitFor()
    },
  },
  { name: 'lost', path: '/nowhere' },
]

/** Pictures for those who read everything and change nothing. */
export const FOR_VIEWER: readonly Shot[] = [
  { name: 'viewer-overview', path: '/' },
  { name: 'viewer-releases', path: '/releases' },
  { name: 'viewer-publish', path: '/releases/publish' },
  { name: 'viewer-release', path: '/releases/editor/stable/2.3.0' },
  { name: 'viewer-device', path: `/devices/editor/${WANDERER}` },
  { name: 'viewer-apps', path: '/apps' },
  { name: 'viewer-app', path: '/apps/editor' },
  { name: 'viewer-keys', path: '/keys' },
  { name: 'viewer-settings', path: '/settings' },
  {
    name: 'viewer-palette',
    path: '/',
    prepare: (page) => click(page, /Search/),
  },
]

/** Pictures for those who have no role yet. */
export const FOR_NOBODY: readonly Shot[] = [{ name: 'nobody-overview', path: '/' }]
