import type { Page } from 'playwright'

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
  { name: 'releases-empty', path: '/releases' },
  { name: 'apps-empty', path: '/apps' },
  { name: 'keys-empty', path: '/keys' },
  { name: 'audit-empty', path: '/audit' },
]

/** Pictures of a server with apps, releases, devices and keys. */
export const FILLED: readonly Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'releases', path: '/releases' },
  { name: 'publish', path: '/releases/publish?app=editor&channel=stable' },
  { name: 'release', path: '/releases/editor/stable/2.3.0' },
  { name: 'release-rolled-back', path: '/releases/editor/stable/2.1.0' },
  { name: 'apps', path: '/apps' },
  { name: 'app', path: '/apps/editor' },
  {
    name: 'app-policy',
    path: '/apps/editor',
    async prepare(page) {
      await click(page, 'Manage channel stable')
      await page.getByRole('menuitem', { name: 'Edit rules' }).click()
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
  { name: 'keys', path: '/keys' },
  { name: 'key-create', path: '/keys', prepare: (page) => click(page, 'Create key') },
  {
    name: 'key-revoke',
    path: '/keys',
    prepare: (page) => click(page, 'Revoke key release machine'),
  },
  { name: 'audit', path: '/audit' },
  {
    name: 'audit-details',
    path: '/audit?app=editor&channel=stable',
    async prepare(page) {
      await click(page, 'Details of: Rolled back.')
      await click(page, /Details of: Published to 25 %/)
    },
  },
  { name: 'audit-no-match', path: '/audit?search=nowhere' },
  { name: 'lost', path: '/nowhere' },
]
