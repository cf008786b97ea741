import { DRAFT_DAYS } from '../../../shared/releases/draft.ts'
import { formatCounted, formatDuration } from '../../../shared/wording/format.ts'

export const text = {
  title: 'Drafts',
  releases: 'Releases',
  description: `Releases in preparation. A draft is deleted ${formatDuration(DRAFT_DAYS, 'day')} after its last change.`,
  newDraft: 'New draft',
  count: (total: number) => formatCounted(total, 'draft'),
  draft: 'Draft',
  of: ' of ',
  artifacts: 'Artifacts',
  changed: 'Last changed',
  expires: 'Expires',
  empty: 'No drafts yet',
  emptyHint:
    'Build jobs that run publish --draft add their files to a draft here. You can also save a release as a draft before you publish it.',
  emptyForViewers: 'Releases that are being prepared appear here.',
} as const

export const draftText = {
  pageName: (version: string, place: string) => `Draft of ${version} on ${place}`,
  badge: 'Draft',
  changed: 'Last changed',
  expires: 'Expires',
  delete: 'Delete draft',
  deleteTitle: (version: string) => `Delete the draft of ${version}?`,
  deleteWarning: (artifacts: number) =>
    `Its release notes and ${formatCounted(artifacts, 'artifact')} will be lost.`,
  deleted: (version: string) => `Draft of ${version} deleted`,
  notDeleted: (version: string) => `Draft of ${version} not deleted`,
  changedTitle: 'This draft has changed',
  changedHint:
    'Someone else, or a build job, changed it while you were editing. Load it to see the current state. Your changes will be lost.',
  load: 'Load current draft',
  notes: 'Release notes',
  noNotes: 'No release notes',
  artifacts: 'Artifacts',
  noArtifacts: 'No artifacts yet',
  goneTitle: 'This draft no longer exists',
  goneHint: 'It was published or deleted, or it has expired. Below is what was last known.',
  notFound: 'Draft not found',
  notFoundHint: (version: string, place: string) =>
    `${place} has no draft of ${version}. It may have been published or deleted, or it has expired.`,
  showDrafts: 'Go to drafts',
} as const

export const previewText = {
  title: 'Preview',
  hint: 'What a device would get if this draft were published to all devices, as it is saved now.',
  form: 'Device to preview',
  platform: 'Platform',
  arch: 'Architecture',
  bundle: 'Bundle kind',
  noBundle: 'None',
  version: 'Current version',
  incomplete: 'Enter a platform, an architecture and a version to see the response.',
  response: 'Response to the update check',
  noContent: 'The response has status 204 and no content.',
} as const
