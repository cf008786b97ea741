import { type AppStory, from, ramp } from './story.ts'

/** Only 1.9 and later can read documents of 2.x, so 1.9 is a stepping stone. */
const FROM_1_9 = from('>=1.9.0')

/** A text editor on Tauri. Its 2.0.0 went wrong and was rolled back. */
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
  releases: [
    {
      at: 0,
      channel: 'stable',
      version: '1.8.0',
      rolloutPct: 100,
      notes: `## Split view

View two documents side by side, or two parts of the same document. Drag a tab to the edge of the
window, or press \`Ctrl+\\\` (\`⌘\\\` on macOS).

## Also new

- The outline shows the length of each section
- Spell checking in **Danish**, **Finnish** and **Portuguese**
- Opening a folder with 10,000 files takes one second instead of nine

## Fixed

- Pasting a table from a spreadsheet keeps empty cells
- The cursor no longer jumps when a line wraps around an image
`,
    },
    {
      at: 8,
      channel: 'stable',
      version: '1.8.1',
      rolloutPct: 10,
      notes: `Fixes for issues that you reported in 1.8.0.

- Closing one half of a split view keeps the scroll position of the other
- The window opens on the correct display after a laptop is undocked
- Linux: the file dialog follows the desktop theme
`,
      changes: ramp('jonas', [11, 50], [14, 100]),
    },
    {
      at: 22,
      channel: 'stable',
      version: '1.9.0',
      rolloutPct: 5,
      notes: `## Ready for Lantern 2

This release can read the document store of Lantern 2. **Install it before you update to 2.0**, so that
you can go back at any time.

## New

- Comments in the margin, with names and times
- Search supports \`tag:\` and \`before:\`

## Fixed

- Replace all can be undone in one step
- Footnotes keep their numbers when exported to PDF
`,
      changes: [...ramp('pipeline', [24, 25], [26, 50]), ...ramp('mara', [29, 100])],
    },
    {
      at: 36,
      channel: 'stable',
      version: '1.9.1',
      rolloutPct: 25,
      notes: `- Comments written offline no longer appear twice after reconnecting
- Exporting a document with more than 500 images uses a third of the memory
- Windows: the installer closes and reopens Lantern automatically
`,
      changes: ramp('pipeline', [38, 100]),
    },
    {
      at: 50,
      channel: 'stable',
      version: '2.0.0',
      rolloutPct: 5,
      targets: FROM_1_9,
      notes: `# Lantern 2

A new document store: documents of any size open instantly, and every change is kept for 30 days.

- **History** for each document, with a preview before you restore a version
- **Workspaces** remember their open tabs, splits and searches
- A cleaner design with more room for your text

Documents are converted when you open them for the first time.
`,
      changes: [
        { at: 52, by: 'pipeline', rolloutPct: 25 },
        { at: 53.4, by: 'jonas', status: 'paused' },
        { at: 53.9, by: 'mara', status: 'rolled_back' },
      ],
    },
    {
      at: 58,
      channel: 'stable',
      version: '2.0.1',
      rolloutPct: 5,
      targets: FROM_1_9,
      notes: `In 2.0.0, a workspace could be empty after an update. Documents were not affected.

- Workspaces are saved before the window closes and verified when they are opened
- If a workspace cannot be opened, Lantern restores the one from the day before and notifies you
- Everything from 2.0: the document store, history and the new design
`,
      changes: ramp('mara', [60, 25], [63, 50], [67, 100]),
    },
    {
      at: 78,
      channel: 'stable',
      version: '2.0.2',
      rolloutPct: 20,
      targets: FROM_1_9,
      notes: `- History opens instantly for documents with many changes
- Images dragged in from a browser keep their description
- macOS: \`⌘,\` opens the settings in full screen, too
- Less background activity for longer battery life
`,
      changes: ramp('pipeline', [80, 100]),
    },
    {
      at: 92,
      channel: 'stable',
      version: '2.1.0',
      rolloutPct: 5,
      targets: FROM_1_9,
      notes: `## Write together

Invite others to a workspace and edit the same document together. Each cursor has a name, and changes
made while you were away are marked in the margin.

## New

- Tables can be **sorted by several columns**
- Focus mode dims everything except the current paragraph
- Export to EPUB

## Fixed

1. Opening a very large document no longer blocks other tabs
2. \`Ctrl+Shift+T\` reopens the last closed tab, even after a restart
3. The word count excludes struck-through text
`,
      changes: ramp('jonas', [94.5, 10], [97.5, 25]),
    },
    {
      at: 0,
      channel: 'beta',
      version: '1.9.0-beta.2',
      rolloutPct: 100,
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
      rolloutPct: 100,
      notes: `- Conversion is four times as fast and needs no extra disk space
- Workspaces remember their splits
- Fixed: the outline of a converted document was empty until the document was edited
`,
    },
    {
      at: 74,
      channel: 'beta',
      version: '2.1.0-beta.1',
      rolloutPct: 100,
      notes: `First beta of writing together. Everyone in the workspace needs this beta.

- Known issue: undo also reverts changes of others
`,
    },
    {
      at: 86,
      channel: 'beta',
      version: '2.1.0-beta.2',
      rolloutPct: 100,
      notes: `- Undo reverts only your own changes
- A lost connection is shown, and your changes are kept
- Focus mode
`,
    },
    {
      at: 0,
      channel: 'nightly',
      version: '2.0.0-nightly.41',
      rolloutPct: 100,
      notes: `Automated build of the main branch. Not tested.
`,
    },
    {
      at: 71,
      channel: 'nightly',
      version: '2.2.0-nightly.7',
      rolloutPct: 100,
      notes: `Automated build of the main branch: plugins run in a separate process.
`,
    },
  ],
}
