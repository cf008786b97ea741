import { LANTERN } from './lantern.ts'
import { PARLEY } from './parley.ts'
import { SIFT } from './sift.ts'
import { type AppStory, type KeyStory, PIPELINE } from './story.ts'

/** The apps of the studio. */
export const APPS: readonly AppStory[] = [LANTERN, PARLEY, SIFT]

/** Its keys: one was revoked, two are bound to an app. */
export const KEYS: readonly KeyStory[] = [
  { at: 0, by: 'mara', name: PIPELINE, scopes: ['publish', 'serve', 'read'] },
  {
    at: 0,
    by: 'terminal',
    name: 'Old build server',
    scopes: ['publish'],
    revoked: { at: 18, by: 'jonas' },
  },
  { at: 16, by: 'jonas', name: 'Device backend', scopes: ['fleet', 'read'], app: 'parley' },
  { at: 44, by: 'mara', name: 'Status page', scopes: ['read'], app: 'lantern' },
]
