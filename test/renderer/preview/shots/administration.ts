import { click, clicked, openPalette, type Shot } from './shot.ts'

/** The palette, keys, webhooks, people and the audit log. */
export const ADMINISTRATION: readonly Shot[] = [
  {
    name: 'palette',
    path: '/',
    prepare: openPalette,
  },
  {
    name: 'palette-results',
    path: '/',
    async prepare(page) {
      await openPalette(page)
      await page.getByRole('combobox').fill('2.')
      await page.getByRole('option', { name: '2.3.0' }).waitFor()
    },
  },
  { name: 'shortcuts', path: '/', prepare: (page) => page.keyboard.press('?') },
  { name: 'keys', path: '/keys' },
  clicked('key-create', '/keys', 'Create key'),
  clicked('key-revoke', '/keys', 'Revoke key release machine'),
  { name: 'webhooks', path: '/webhooks' },
  clicked('webhook-create', '/webhooks', 'Create webhook'),
  {
    name: 'webhook-detail',
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Build status' }).click()
      await page.getByRole('cell', { name: 'Release published' }).first().waitFor()
    },
  },
  {
    name: 'webhook-delivery',
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Build status' }).click()
      await page
        .getByRole('button', { name: /^Details of/ })
        .first()
        .click()
    },
  },
  {
    name: 'person-email',
    path: '/people',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Manage/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Change e-mail address' }).click()
    },
  },
  { name: 'people', path: '/people' },
  clicked('person-invite', '/people', 'Invite person'),
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
]
