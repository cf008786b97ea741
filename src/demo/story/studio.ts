import { presetPlan } from '../../shared/plans/plan-presets.ts'
import { LANTERN_STABLE } from './lantern-stable.ts'
import { PARLEY } from './parley.ts'
import { SIFT } from './sift.ts'
import { type AppStory, type KeyStory, PIPELINE, type ReleaseStory, ramp } from './story.ts'

/** The releases of Lantern Editor on its beta and nightly channels. */
const LANTERN_PREVIEWS: readonly ReleaseStory[] = [
  {
    at: 0,
    channel: 'beta',
    version: '1.9.0-beta.2',
    notes: `Second beta of 1.9. Comments in the margin are complete. Please test them with large documents.
`,
  },
  {
    at: 30,
    channel: 'beta',
    version: '2.0.0-beta.1',
    rolloutPct: 50,
    notes: `First beta of Lantern 2, with the new document store. Back up important documents first.

- Conversion shows its progress and can be canceled
- Known issue: search does not include history yet
`,
    changes: ramp('jonas', [32.3, 100]),
  },
  {
    at: 42,
    channel: 'beta',
    version: '2.0.0-beta.2',
    notes: `- Conversion is four times as fast and needs no extra disk space
- Workspaces remember their splits
- Fixed: the outline of a converted document was empty until the document was edited
`,
  },
  {
    at: 74,
    channel: 'beta',
    version: '2.1.0-beta.1',
    notes: `First beta of writing together. Everyone in the workspace needs this beta.

- Known issue: undo also reverts changes of others
`,
  },
  {
    at: 86,
    channel: 'beta',
    version: '2.1.0-beta.2',
    notes: `- Undo reverts only your own changes
- A lost connection is shown, and your changes are kept
- Focus mode
`,
  },
  {
    at: 0,
    channel: 'nightly',
    version: '2.0.0-nightly.41',
    notes: `Automated build of the main branch. Not tested.
`,
  },
  {
    at: 71,
    channel: 'nightly',
    version: '2.2.0-nightly.7',
    notes: `Automated build of the main branch: plugins run in a separate process.
`,
  },
]

/** A text editor on Tauri. */
const LANTERN: AppStory = {
  ref: 'lantern',
  name: 'Lantern Editor',
  weight: 46,
  channels: [
    { name: 'stable', weight: 84, before: ['1.7.2', '1.7.4'] },
    { name: 'beta', weight: 12 },
    { name: 'nightly', weight: 4 },
  ],
  platforms: [
    { platform: 'darwin', arch: 'aarch64', weight: 41 },
    { platform: 'darwin', arch: 'x86_64', weight: 7 },
    { platform: 'windows', arch: 'x86_64', weight: 38 },
    { platform: 'linux', arch: 'x86_64', weight: 12 },
    { platform: 'linux', arch: 'aarch64', weight: 2 },
  ],
  rhythms: [
    { name: 'office', weight: 68 },
    { name: 'home', weight: 32 },
  ],
  files: [
    ['darwin', 'aarch64', 'aarch64.app.tar.gz'],
    ['darwin', 'x86_64', 'x64.app.tar.gz'],
    ['windows', 'x86_64', 'x64-setup.exe'],
    ['linux', 'x86_64', 'amd64.AppImage'],
    ['linux', 'aarch64', 'arm64.AppImage'],
  ],
  policies: [
    { at: 54.1, by: 'mara', channel: 'stable', policy: { updateMode: 'required' } },
    { at: 57, by: 'mara', channel: 'stable', policy: { updateMode: 'optional' } },
    { at: 69, by: 'jonas', channel: 'stable', policy: { minimumSupportedVersion: '1.9.0' } },
  ],
  releases: [...LANTERN_STABLE, ...LANTERN_PREVIEWS],
  live: [
    {
      hour: 2.5,
      by: 'mara',
      channel: 'beta',
      version: '2.2.0-beta.1',
      plan: presetPlan('one-day', 'UTC'),
      notes: `First beta of 2.2. Send feedback to **beta@lantern.example**.

- Styles can be shared with a workspace
- The outline can be filtered
`,
    },
  ],
  freezes: [
    { name: 'Book fair', first: 4, last: 6 },
    { name: 'Holidays', first: 32, last: 43 },
  ],
}

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
