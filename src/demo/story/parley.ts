import { type AppStory, ramp, rings } from './story.ts'

/** A team chat on Electron: it tells platforms as Node does. Large releases go to early rings first. */
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
      channel: 'stable',
      version: '4.2.0',
      rolloutPct: 100,
      notes: `## Threads that stay out of the way

- A thread opens beside the conversation instead of over it.
- Mark a thread as done, and it leaves your list.
- Reactions can be searched.

## Mended

- Calls no longer stop when a headset is unplugged.
- The badge counts what you have not read, not what arrived.
`,
    },
    {
      at: 12,
      channel: 'stable',
      version: '4.2.1',
      rolloutPct: 25,
      notes: `- Signing in with a company account works behind a proxy that asks for a password.
- The list of conversations keeps its place while messages come in.
`,
      changes: ramp('pipeline', [14.6, 100]),
    },
    {
      at: 33,
      channel: 'stable',
      version: '4.3.0',
      rolloutPct: 10,
      notes: `## Quiet hours

Tell Parley when you work. Outside those hours it keeps quiet, and tells the others so before they
write.

- Files up to 2 GB, and an upload goes on where it stopped.
- Screen sharing shows one window without its neighbours.
- Uses a fifth less memory with many conversations open.
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
      channel: 'stable',
      version: '4.3.1',
      rolloutPct: 100,
      notes: `A security release. Please install it soon.

- Links in messages are opened by the system's browser alone.
- The preview of a file can no longer load anything from elsewhere.
`,
    },
    {
      at: 70,
      channel: 'stable',
      version: '4.4.0',
      rolloutPct: 50,
      targets: rings('early'),
      notes: `## Rooms

A room is a call that is always there. Walk in, walk out; who is inside is shown beside its name.

- Captions in eleven languages, made on your machine.
- Messages can be sent later.
- The composer understands markdown tables.

## Mended

- A muted conversation stays muted after an update.
- Windows: notifications open the message and not only the window.
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
      channel: 'stable',
      version: '4.4.1',
      rolloutPct: 10,
      notes: `- Rooms reconnect within a second after the network changes.
- Captions can be larger, and moved.
- Mended: a message to be sent later was sent at once where the clock had been changed.
- Linux: the tray icon follows light and dark panels.
`,
      changes: ramp('jonas', [96, 50]),
    },
    {
      at: 0,
      channel: 'beta',
      version: '4.3.0-beta.1',
      rolloutPct: 100,
      notes: `Quiet hours, first round. Tell us in **#parley-beta** what is too loud.
`,
    },
    {
      at: 55,
      channel: 'beta',
      version: '4.4.0-beta.1',
      rolloutPct: 100,
      notes: `Rooms for everybody on beta. Captions are in English only for now.
`,
    },
    {
      at: 64,
      channel: 'beta',
      version: '4.4.0-beta.2',
      rolloutPct: 100,
      notes: `- Captions in all eleven languages.
- Rooms show who speaks.
- Mended: leaving a room could leave the microphone open.
`,
    },
    {
      at: 96.5,
      channel: 'beta',
      version: '4.5.0-beta.1',
      rolloutPct: 100,
      targets: rings('early'),
      notes: `Notes that belong to a room and stay when everybody has left. For the early ring only: the format
may still change.
`,
    },
  ],
}
