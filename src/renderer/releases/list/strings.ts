import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import { STATUS_WORDS } from '../../components/strings.ts'

export const text = {
  title: 'Releases',
  drafts: (count: number) => (count === 0 ? 'Drafts' : `Drafts (${formatCount(count)})`),
  app: 'App',
  allApps: 'All apps',
  channel: 'Channel',
  allChannels: 'All channels',
  status: 'Status',
  searchHint: 'Version or notes',
  count: (total: number) => formatCounted(total, 'release'),
  release: 'Release',
  of: ' of ',
  rollout: 'Rollout',
  targets: 'Targets',
  offered: 'Offered',
  artifacts: 'Artifacts',
  devices: 'Devices',
  published: 'Published',
  targeted: 'Targeted',
  all: 'All',
  yes: 'Yes',
  notYet: 'Not yet',
  noResultsHint: 'No release matches these filters.',
  none: 'No releases yet',
  noneForViewers: 'Releases appear here once a release manager publishes them.',
  noneHint: 'Publish a version with its files, choose its rollout, and watch devices adopt it.',
} as const

/** What the list can be narrowed to by status. */
export const STATUS_CHOICES: readonly {
  readonly value: ReleaseStatus | ''
  readonly label: string
}[] = [
  { value: '', label: 'Any status' },
  { value: 'published', label: STATUS_WORDS.published },
  { value: 'paused', label: STATUS_WORDS.paused },
  { value: 'rolled_back', label: STATUS_WORDS.rolled_back },
]
