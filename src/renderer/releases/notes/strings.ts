/** Release notes: the field that they are written in, and how they are shown. */
export const text = {
  label: 'Release notes',
  view: 'View',
  write: 'Write',
  preview: 'Preview',
  previewOf: 'Preview of the release notes',
  placeholder: 'What changed, in Markdown',
  empty: 'Nothing to preview',
  picture: 'picture',
  table: 'Table',
  done: 'Done',
  notDone: 'Not done',
  opensIn: (host: string) => ` (opens ${host} in your browser)`,
  notOpened: (host: string) => `Could not open ${host}. Copy the link into your browser.`,
} as const
