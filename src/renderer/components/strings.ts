import type { WriteFailure } from '../../shared/console/desktop/shell.ts'
import type { PersonStatus } from '../../shared/console/people/people.ts'
import type { CarriedOver } from '../../shared/console/settings/backups.ts'
import type { DeliveryState } from '../../shared/events/webhook.ts'
import type { PlanStatus } from '../../shared/plans/plan-state.ts'
import type { ReleaseStatus } from '../../shared/releases/release.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'
import type { ErrorCode } from '../bridge/error.ts'

/** The title of an error, by its code. */
export const ERROR_TITLES: Readonly<Record<ErrorCode, string>> = {
  invalid: 'Invalid input',
  forbidden: 'Permission required',
  unknown: 'No longer exists',
  duplicate: 'Already exists',
  rolled_back: 'This release was rolled back',
  conflict: 'Preflight fails',
  invariant: 'Not possible right now',
  unauthenticated: 'You are not signed in',
  limited: 'Too many attempts',
  temporary: 'Temporarily unavailable',
  unavailable: 'Server unavailable',
  internal: 'Internal server error',
}

/** The status of a release, an app, a key, an account or a plan. */
export const STATUS_WORDS = {
  published: 'Published',
  paused: 'Paused',
  rolled_back: 'Rolled back',
  archived: 'Archived',
  active: 'Active',
  revoked: 'Revoked',
  invited: 'Invited',
  disabled: 'Disabled',
  failing: 'Failing',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  canceled: 'Canceled',
  running: 'Running',
  suspended: 'Suspended',
  stopped: 'Stopped',
  finished: 'Finished',
} as const satisfies Readonly<
  Record<
    ReleaseStatus | PersonStatus | DeliveryState | PlanStatus | 'archived' | 'revoked' | 'failing',
    string
  >
>

/** What was kept, counted, kind by kind; kinds with none are left out. */
export function keptCounts({ rolledBack, servingKept, keysRevoked }: CarriedOver): string[] {
  return [
    ...(rolledBack > 0 ? [formatCounted(rolledBack, 'rollback')] : []),
    ...(servingKept > 0 ? [formatCounted(servingKept, 'serving change')] : []),
    ...(keysRevoked > 0 ? [formatCounted(keysRevoked, 'key revocation')] : []),
  ]
}

export const text = {
  publish: 'Publish a release',
  breadcrumb: 'Breadcrumb',
  email: 'E-mail address',
  commandLineOn: (computer: string) => `Command line on ${computer}`,
  browser: (browser: string | null, system: string | null) => {
    const name = browser ?? 'Unknown browser'
    return system === null ? name : `${name} on ${system}`
  },
  cancel: 'Cancel',
  checking: 'No answer from the server. Checking whether the change was made…',
  noAnswer: 'No answer from the server',
  unconfirmed: (failed: string) => `Unconfirmed: ${failed}`,
  stopWaiting: 'Stop waiting',
  confirmByTyping: (name: string) => `Type ${name} to confirm`,
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  copyFailed: 'Could not copy to the clipboard',
  loading: 'Loading',
  pages: 'Pages of the list',
  page: (number: number) => `Page ${formatCount(number)}`,
  goToPage: (control: string) => `Go to ${control} page`,
  moreChoices: (count: number) => `Type to find ${formatCount(count)} more`,
  never: 'Never',
  noResults: 'No results',
  clearFilters: 'Clear filters',
  retry: 'Try again',
  rollout: (percent: string) => `Rollout ${percent}`,
  legend: { rollout: 'Rollout', adoption: 'Adoption' },
  rolloutAndAdoption: (percent: string, share: string) =>
    `Rollout ${percent}, running on ${share} of devices`,
  search: 'Search',
  appNotFound: 'App not found',
  appNotFoundHint: (app: string) =>
    `There is no app with the reference ${app}. It may have been deleted.`,
  appChoice: (name: string, ref: string) => `${name} (${ref})`,
  archivedChoice: (app: string) => `${app}, archived`,
  noApps: 'No apps yet',
  openApps: 'Go to Apps and channels',
  pageGone: 'Page not found',
  pageGoneHint: 'The link to this page of the list is invalid or out of date.',
  showFirst: 'Show first page',
  channelNotFound: 'Channel not found',
  channelNotFoundHint: (app: string, channel: string) =>
    `${app} has no channel ${channel}. It may have been deleted.`,
  releaseNotFound: 'Release not found',
  releaseNotFoundHint: (version: string, place: string) =>
    `${place} has no release ${version}. It may have been deleted together with its app or channel.`,
  openReleases: 'Go to releases',
  showAllChannels: 'Show all channels',
  appArchived: (name: string) => `${name} is archived`,
  appArchivedHint: 'Its devices receive no updates until you restore it.',
  exportCsv: 'Export CSV',
  cancelExport: 'Cancel export',
  exported: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
  exportProgress: 'Rows exported',
  asOf: 'As of',
  notRefreshed: 'It could not be refreshed since.',
  refresh: 'Refresh',
  stillLoading: 'The server is taking longer than usual to respond.',
  otherVersions: 'Other',
  otherVersionsHint: 'Unreleased versions beyond the limit are counted together',
} as const

/** Returns why a file could not be saved, and what to do about it. */
export function writeFailureSentence({ path, reason, detail }: WriteFailure): string {
  const what = `${path} could not be written`
  const sentences: Record<typeof reason, string> = {
    disk_full: `${what}: the disk is full. Free some space, or choose another folder.`,
    not_allowed: `${what}: permission denied. Choose another folder.`,
    is_folder: `${what}: a folder with this name exists. Choose another name.`,
    folder_missing: `${what}: the folder no longer exists. Choose another one.`,
    in_use: `${what}: it is open in another program. Close it there, then try again.`,
    other: `${what}: ${detail}`,
  }
  return sentences[reason]
}
