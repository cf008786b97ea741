import { below, clicked, type Shot } from './shot.ts'

/** The overview and the fleet. */
export const FLEET: readonly Shot[] = [
  { name: 'overview', path: '/' },
  below('overview-channels', '/', 'Harbour Editor'),
  { name: 'fleet', path: '/fleet' },
  {
    name: 'fleet-below',
    path: '/fleet?range=30d',
    prepare: (page) =>
      page.getByRole('region', { name: 'Live check-ins', exact: true }).scrollIntoViewIfNeeded(),
  },
  clicked('fleet-table', '/fleet?range=24h&channel=stable', 'Show as table: versions'),
  { name: 'fleet-nobody', path: '/fleet?app=viewer' },
]
