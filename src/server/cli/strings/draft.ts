import type { ExpectedArtifact } from '../../../shared/releases/draft.ts'
import { formatCounted, formatList } from '../../../shared/wording/format.ts'

export const text = {
  description: 'Put a release together from several build jobs, and publish it',
  version: 'Version of the draft',
  show: 'Show a draft',
  publish: 'Publish a draft',
  delete: 'Delete a draft',
  rollout: 'Rollout percentage, 0 to 100 (default: 100)',
  expect: 'Artifact without which the draft is not published, such as linux/x86_64/deb; repeatable',
  ifExists:
    'If the version exists: fail, or succeed if it has the expected artifacts (default: fail)',
  expectForm:
    'It must have the form platform/arch or platform/arch/kind, such as linux/x86_64/deb.',
  wrongExpect: (member: string, reason: string) => `The ${member} ${reason}.`,

  list: {
    description: 'List drafts, last changed first',
    channel: 'Only drafts on this channel of the app',
    perPage: 'Drafts per page, 1 to 100 (default: 20)',
    headings: ['APP', 'CHANNEL', 'VERSION', 'ARTIFACTS', 'CHANGED', 'EXPIRES'],
    empty: 'No drafts found. Create one with "publish --draft".',
    pages: (page: number, pageCount: number, drafts: number) =>
      `Page ${page} of ${pageCount}, ${formatCounted(drafts, 'draft')} in total`,
  },

  shown: (version: string, place: string, artifacts: number, expiresAt: string) =>
    `Draft of ${version} on ${place} with ${formatCounted(artifacts, 'artifact')}, expires ${expiresAt}`,
  artifactHeadings: ['PLATFORM', 'ARCH', 'KIND', 'SIZE'],
  floorHeading: 'MINIMUM OS',
  urlHeading: 'URL',
  deleted: (version: string, place: string) => `Deleted the draft of ${version} on ${place}.`,
  alreadyPublished: (version: string) => `${version} is already published. Nothing was changed.`,
  lacks: (place: string, version: string, missing: readonly ExpectedArtifact[]) => {
    const targets = missing.map(({ platform, arch, kind = '' }) =>
      [platform, arch, kind].filter((part) => part !== '').join(' '),
    )
    return `${version} already exists on ${place} and has no artifact for ${formatList(targets)}; publish a new version`
  },

  draftOption: 'Add to the draft of the version instead, and publish it later with "draft publish"',
  onPublish: (option: string) => `${option}: give it to "draft publish", not with --draft`,
  nothing: 'specify what to add with --from, --file, --artifact, --artifacts-file or --notes',
} as const
