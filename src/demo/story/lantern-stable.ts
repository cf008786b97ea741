import { from, type ReleaseStory, ramp } from './story.ts'

/** Only 1.9 and later can read documents of 2.x, so 1.9 is a stepping stone. */
const FROM_1_9 = from('>=1.9.0')

/** The releases of Lantern Editor on its stable channel. 2.0.0 went wrong and was rolled back. */
export const LANTERN_STABLE: readonly ReleaseStory[] = [
  {
    at: 0,
    version: '1.8.0',
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
]
