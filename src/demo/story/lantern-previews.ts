import { type ReleaseStory, ramp } from './story.ts'

/** The releases of Lantern Editor on its beta and nightly channels. */
export const LANTERN_PREVIEWS: readonly ReleaseStory[] = [
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
]
