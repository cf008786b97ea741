import { type AppStory, from, ramp } from './story.ts'

/** Documents of 2.x open in those of 1.9 and above only, so 1.9 is a stepping stone. */
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

Two documents side by side, or the same document twice. Drag a tab to the edge of the window, or
press \`Ctrl+\\\` (\`⌘\\\` on macOS).

## Also new

- The outline shows how long each section is.
- Spelling in **Danish**, **Finnish** and **Portuguese**.
- Opening a folder with ten thousand files takes a second instead of nine.

## Mended

- Pasting a table from a spreadsheet keeps empty cells.
- The caret no longer jumps when a line wraps around an image.
`,
    },
    {
      at: 8,
      channel: 'stable',
      version: '1.8.1',
      rolloutPct: 10,
      notes: `A small release for what you reported about 1.8.0.

- Closing one half of a split view keeps the other where it was scrolled to.
- The window opens on the right display after a laptop was undocked.
- Linux: the file dialog follows the theme of the desktop.
`,
      changes: ramp('jonas', [11, 50], [14, 100]),
    },
    {
      at: 22,
      channel: 'stable',
      version: '1.9.0',
      rolloutPct: 5,
      notes: `## Ready for Lantern 2

This release learns to read the document store that Lantern 2 will write. **Update to it before you
go to 2.0**, so that you can always come back.

## New

- Comments in the margin, with names and times.
- Search understands \`tag:\` and \`before:\`.

## Mended

- Undo after replacing everywhere undoes all of it in one step.
- Footnotes keep their numbers when they are exported to PDF.
`,
      changes: [...ramp('pipeline', [24, 25], [26, 50]), ...ramp('mara', [29, 100])],
    },
    {
      at: 36,
      channel: 'stable',
      version: '1.9.1',
      rolloutPct: 25,
      notes: `- Comments written offline are no longer shown twice after the connection comes back.
- Exporting a document with more than 500 images needs a third of the memory.
- Windows: the installer closes Lantern by itself and opens it again afterwards.
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

A new document store: documents open at once whatever their size, and every change is kept for
thirty days.

- **History** for each document, with a preview before you go back.
- **Workspaces** remember their open tabs, their splits and their search.
- A quieter look, with more room for the text.

Documents are converted when they are opened for the first time.
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
      notes: `Lantern 2, again, and this time with your tabs. In 2.0.0 a workspace could come back empty after an
update; the documents themselves were never touched.

- Workspaces are written before the window closes, and checked when they are read.
- If a workspace cannot be read, the one of the day before is opened and you are told.
- Everything else that was new in 2.0: the document store, history, the quieter look.
`,
      changes: ramp('mara', [60, 25], [63, 50], [67, 100]),
    },
    {
      at: 78,
      channel: 'stable',
      version: '2.0.2',
      rolloutPct: 20,
      targets: FROM_1_9,
      notes: `- History opens in a fraction of a second for documents with many changes.
- Images that were dragged in from a browser keep their description.
- macOS: \`⌘,\` opens the settings in full screen, too.
- Fewer wake-ups in the background, which laptops will notice.
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

Invite somebody into a workspace and write in the same document. Carets have names, and what
happened while you were away is marked in the margin.

## New

- Tables can be **sorted by several columns**.
- A focus mode that dims everything but the paragraph at hand.
- Export to EPUB.

## Mended

1. Opening a very large document no longer blocks the other tabs.
2. \`Ctrl+Shift+T\` opens the tab that was closed last, also after a restart.
3. The word count leaves out what is struck through.
`,
      changes: ramp('jonas', [94.5, 10], [97.5, 25]),
    },
    {
      at: 0,
      channel: 'beta',
      version: '1.9.0-beta.2',
      rolloutPct: 100,
      notes: `Second beta of 1.9. Comments in the margin are complete; please try them with large documents.
`,
    },
    {
      at: 30,
      channel: 'beta',
      version: '2.0.0-beta.1',
      rolloutPct: 50,
      notes: `First beta of Lantern 2 with the new document store. Keep a copy of what matters to you.

- Conversion shows its progress and can be cancelled.
- Known: search does not look into history yet.
`,
      changes: ramp('jonas', [32.3, 100]),
    },
    {
      at: 42,
      channel: 'beta',
      version: '2.0.0-beta.2',
      rolloutPct: 100,
      notes: `- Conversion is four times as fast and needs no more room than the document itself.
- Workspaces remember their splits.
- Mended: the outline of a converted document was empty until it was edited.
`,
    },
    {
      at: 74,
      channel: 'beta',
      version: '2.1.0-beta.1',
      rolloutPct: 100,
      notes: `Writing together, for the brave. Both sides need this beta.

- Known: undo takes back what the other one wrote, too.
`,
    },
    {
      at: 86,
      channel: 'beta',
      version: '2.1.0-beta.2',
      rolloutPct: 100,
      notes: `- Undo takes back your own changes alone.
- A lost connection is shown, and what was written meanwhile is kept.
- Focus mode.
`,
    },
    {
      at: 0,
      channel: 'nightly',
      version: '2.0.0-nightly.41',
      rolloutPct: 100,
      notes: `Built from the main branch. Nobody has tried it yet.
`,
    },
    {
      at: 71,
      channel: 'nightly',
      version: '2.2.0-nightly.7',
      rolloutPct: 100,
      notes: `Built from the main branch: plugins in a process of their own.
`,
    },
  ],
}
