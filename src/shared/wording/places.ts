/** What navigation and menus call the screens. */
export const PLACE_NAMES = {
  overview: 'Overview',
  fleet: 'Fleet',
  releases: 'Releases',
  calendar: 'Calendar',
  approvals: 'Approvals',
  devices: 'Devices',
  apps: 'Apps and channels',
  keys: 'API keys',
  people: 'People',
  webhooks: 'Webhooks',
  audit: 'Audit log',
  settings: 'Settings',
} as const
