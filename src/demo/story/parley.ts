import { Plan } from '../../shared/plans/plan.ts'
import { type AppStory, type LiveRelease, ramp, rings, soaking } from './story.ts'

/** Its plan is stopped in its first step. */
const PARLEY_FAILING: LiveRelease = {
  hour: 1,
  by: 'jonas',
  version: '4.4.3',
  plan: Plan.parse({
    steps: [
      { rolloutPct: 20, soakHours: 4, gate: { minSample: 20 } },
      { rolloutPct: 50, soakHours: 4 },
      { rolloutPct: 100, soakHours: 4 },
    ],
  }),
  failure: { share: 0.45, detail: 'Call service did not start (exit code 3)' },
  notes: `- Calls start twice as fast
- Rooms keep their volume setting for each person
`,
}

/** A team chat on Electron, which names platforms as Node does. Large releases go to early rings first. */
export const PARLEY: AppStory = {
  ref: 'parley',
  name: 'Parley',
  weight: 38,
  channels: [
    { name: 'stable', weight: 90, before: ['4.1.8'] },
    { name: 'beta', weight: 10 },
  ],
  platforms: [
    { platform: 'win32', arch: 'x64', weight: 56 },
    { platform: 'win32', arch: 'arm64', weight: 3 },
    { platform: 'darwin', arch: 'arm64', weight: 27 },
    { platform: 'darwin', arch: 'x64', weight: 6 },
    { platform: 'linux', arch: 'x64', weight: 8 },
  ],
  rhythms: [
    { name: 'office', weight: 84 },
    { name: 'home', weight: 16 },
  ],
  files: [
    ['darwin', 'universal', 'universal.zip'],
    ['win32', 'x64', 'x64.exe'],
    ['win32', 'arm64', 'arm64.exe'],
    ['linux', 'x64', 'x86_64.AppImage'],
  ],
  policies: [
    { at: 48.5, by: 'terminal', channel: 'stable', policy: { minimumSupportedVersion: '4.2.0' } },
    { at: 56, by: 'jonas', channel: 'beta', policy: { rollback: 'roll-forward' } },
  ],
  releases: [
    {
      at: 0,
      version: '4.2.0',
      notes: `## Threads that stay out of the way

- A thread opens beside the conversation instead of over it
- Threads marked as done leave your list
- Reactions can be searched

## Fixed

- Calls no longer end when a headset is unplugged
- The badge counts unread messages only
`,
    },
    {
      at: 12,
      version: '4.2.1',
      rolloutPct: 25,
      notes: `- Signing in with a company account works behind a proxy with a password
- The conversation list keeps its scroll position when messages arrive
`,
      changes: ramp('pipeline', [14.6, 100]),
    },
    {
      at: 33,
      version: '4.3.0',
      rolloutPct: 10,
      notes: `## Quiet hours

Set your working hours. Outside them, Parley mutes notifications and lets others know before they
write.

- Files up to 2 GB, with resumable uploads
- Screen sharing can show a single window
- 20% less memory with many conversations open
`,
      changes: [
        { at: 35, by: 'jonas', status: 'paused' },
        { at: 37, by: 'jonas', status: 'published' },
        { at: 38.5, by: 'mara', rolloutPct: 50 },
        { at: 41, by: 'mara', rolloutPct: 100 },
      ],
    },
    {
      at: 47,
      version: '4.3.1',
      notes: `A security release. Please install it as soon as possible.

- Links in messages open only in the system browser
- File previews can no longer load remote content
`,
    },
    {
      at: 70,
      version: '4.4.0',
      rolloutPct: 50,
      targets: rings('early'),
      notes: `## Rooms

A room is a call that is always open. Join or leave at any time. Participants are shown next to its name.

- Captions in 11 languages, generated on your computer
- Scheduled messages
- Markdown tables in the composer

## Fixed

- A muted conversation stays muted after an update
- Windows: notifications open the message, not just the window
`,
      changes: [
        { at: 73, by: 'mara', targets: rings('early', 'pilot') },
        { at: 76, by: 'mara', targets: { matchLabels: {}, matchExpressions: [] } },
        { at: 79, by: 'pipeline', rolloutPct: 75 },
        { at: 82, by: 'pipeline', rolloutPct: 100 },
      ],
    },
    {
      at: 93,
      version: '4.4.2',
      rolloutPct: 10,
      notes: `- Rooms reconnect within a second after the network changes
- Captions can be enlarged and moved
- Fixed: a scheduled message was sent immediately if the system clock had been changed
- Linux: the tray icon follows light and dark panels
`,
      changes: ramp('jonas', [96, 50]),
    },
    {
      at: 84,
      version: '4.4.1',
      plan: soaking([10, 12], [50, 24], [100, 24]),
      failure: { share: 0.3, detail: 'Migration of scheduled messages failed' },
      notes: `- Scheduled messages can be edited and moved
- Rooms remember who was muted
`,
      changes: [{ at: 87, by: 'mara', status: 'rolled_back' }],
    },
    {
      at: 0,
      channel: 'beta',
      version: '4.3.0-beta.1',
      notes: `First beta of quiet hours. Send feedback to **#parley-beta**.
`,
    },
    {
      at: 55,
      channel: 'beta',
      version: '4.4.0-beta.1',
      notes: `Rooms for everyone on the beta channel. Captions are in English only for now.
`,
    },
    {
      at: 64,
      channel: 'beta',
      version: '4.4.0-beta.2',
      notes: `- Captions in all 11 languages
- Rooms show who is speaking
- Fixed: the microphone could stay on after leaving a room
`,
    },
    {
      at: 96.5,
      channel: 'beta',
      version: '4.5.0-beta.1',
      targets: rings('early'),
      notes: `Room notes that stay after everyone has left. For the early ring only, because the format may still
change.
`,
    },
  ],
  live: [PARLEY_FAILING],
}
