import { presetPlan } from '../../shared/plan-presets.ts'
import { LANTERN_PREVIEWS } from './lantern-previews.ts'
import { LANTERN_STABLE } from './lantern-stable.ts'
import type { AppStory } from './story.ts'

/** A text editor on Tauri. */
export const LANTERN: AppStory = {
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
