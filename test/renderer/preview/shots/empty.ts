import { click, type Shot } from './shot.ts'

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
  { name: 'webhooks-empty', path: '/webhooks' },
  { name: 'calendar-empty', path: '/calendar' },
  { name: 'audit-empty', path: '/audit' },
]
