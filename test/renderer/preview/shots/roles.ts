import { WANDERER } from '../seed.ts'
import { openPalette, type Shot } from './shot.ts'

/** Pictures for those who read everything and change nothing. */
export const FOR_VIEWER: readonly Shot[] = [
  { name: 'viewer-overview', path: '/' },
  { name: 'viewer-releases', path: '/releases' },
  { name: 'viewer-publish', path: '/releases/publish' },
  { name: 'viewer-release', path: '/releases/editor/stable/2.3.0' },
  { name: 'viewer-plan-release', path: '/releases/editor/stable/2.4.0' },
  { name: 'viewer-calendar', path: '/calendar' },
  { name: 'viewer-device', path: `/devices/editor/${WANDERER}` },
  { name: 'viewer-apps', path: '/apps' },
  { name: 'viewer-app', path: '/apps/editor' },
  { name: 'viewer-keys', path: '/keys' },
  { name: 'viewer-settings', path: '/settings' },
  { name: 'viewer-palette', path: '/', prepare: openPalette },
]

/** Pictures for those who have no role yet. */
export const FOR_NOBODY: readonly Shot[] = [{ name: 'nobody-overview', path: '/' }]
