import { artifactTarget } from '../../shared/artifacts/target.ts'
import type { BucketUnavailable } from '../../shared/files/hosted-file.ts'
import type { BudgetName, UsedBudget } from '../../shared/operation/budgets.ts'
import type { ReleaseStatus } from '../../shared/releases/release.ts'
import {
  formatCount,
  formatCounted,
  formatPercent,
  formatShare,
} from '../../shared/wording/format.ts'
import { refusalSentence } from '../../shared/wording/refusals/refusal.ts'
import { sentence } from '../components/text/sentence.ts'

export const text = {
  title: 'Overview',
  description: 'Live releases and rollout progress',
  noAccess: 'No access yet',
  noAccessHint: 'You do not have a role in any app. Ask an administrator for access.',
  apps: 'Apps',
  searchApps: 'App or channel',
  noAppsHint: 'No app or channel matches your search.',
  openApp: 'Open',
  compareChannels: 'Compare channels',
  openAppLabel: (app: string) => `Open ${app}`,
  channelLabel: (app: string, channel: string) => `${app}, channel ${channel}`,
  channelReleases: (label: string) => `Releases of ${label}`,
  live: (label: string) => `Live on ${label}`,
  stats: {
    seen24Hours: 'Devices, 24 hours',
    seen7Days: 'Devices, 7 days',
    upToDate: 'On a live release',
    checkIns24Hours: 'Check-ins, 24 hours',
  },
  noReleases: 'No releases on this channel yet',
  nothingLive: 'No live releases: all are paused, rolled back or without artifacts',
  publish: 'Publish a release',
  noDevices: 'No devices yet',
  adoption: (share: number) => `Adoption ${formatShare(share)},`,
  targeted: 'Targeted',
  details: 'Details',
  detailsOf: (label: string) => `Details of ${label}`,
  onlyRollouts: 'Rolling out',
  upToDate: (share: number) => `${formatShare(share)} up to date`,
  /** What a release without a plan does next. */
  noPlan: (rolloutPct: number) => (rolloutPct === 100 ? 'Fully rolled out' : 'Raised by hand'),
  health: (failed: number, judged: number) => {
    if (judged === 0) return 'No results yet'
    const of = `of ${formatCounted(judged, 'device')}`
    return failed === 0 ? `No failures ${of}` : `${formatCount(failed)} ${of} failed`
  },
  plans: {
    states: { suspended: 'Plan suspended', stopped: 'Plan stopped', finished: 'Plan finished' },
    next: (step: string) => `Next: ${step}`,
    lastStep: 'Last step applied',
  },
  attention: {
    title: 'Needs attention',
    notStored: 'Check-ins are not being stored',
    someNotStored: 'Some check-ins were not stored',
    lost: (count: number) => `${formatCounted(count, 'check-in')} could not be stored.`,
    stillAnswered: 'Update checks are still answered, but device counts are too low.',
    lastReached: 'Last reached:',
    channel: (app: string, channel: string) => `${app}/${channel}`,
    stillRuns: 'still runs on',
    provingFailed:
      'Artifacts cannot be proven: the last attempt failed. The server log says why. It is tried again every 15 minutes.',
    plansFailed:
      'Rollout plans cannot be advanced: the last attempt failed. The server log says why. It is tried again every minute.',
    nodesNotServing: (nodes: number) =>
      nodes === 1 ? '1 node has no lease' : `${formatCount(nodes)} nodes have no lease`,
    nodesNotServingHint: 'Update checks there get no update.',
    bucketOutage: (facts: BucketUnavailable) =>
      `${sentence(refusalSentence(facts))} It is tried again every 30 seconds.`,
    failing: {
      state: (status: ReleaseStatus, isStopped: boolean) => {
        if (!isStopped) return 'Still offered'
        if (status === 'rolled_back') return 'Rolled back automatically'
        return status === 'paused'
          ? 'Paused automatically'
          : 'Resumed by hand. Until its plan is resumed, nothing stops it again'
      },
      held: 'New offers and the next step wait. To go on, raise the rollout by hand or suspend the plan',
      failures: 'Failed devices',
    },
    artifactOf: (version: string, place: string) => `${version} on ${place}`,
    artifact: (target: Parameters<typeof artifactTarget>[0], problem: string) =>
      `: the artifact for ${artifactTarget(target)} is not proven. ${problem} Since`,
    planSuspended: ': the rollout plan is suspended.',
    since: 'Since',
    silent: (devices: number) =>
      `No check-ins for 7 days (${formatCounted(devices, 'known device')})`,
    webhook: (name: string) => `Webhook ${name}`,
    webhookFailing: 'Deliveries are failing and are retried for 24 hours',
    webhookDisabled: 'Disabled because of failures or a restored backup',
    more: (count: number) => `${formatCount(count)} more`,
  },
  addresses: {
    title: 'Server addresses',
    copy: (url: string) => `the address ${url}`,
  },
  firstSteps: {
    title: 'First steps',
    done: 'Done',
    createTitle: 'Create an app',
    createText:
      'An app has a reference, which is part of its update URL, and a channel named stable. Or publish your first build: its app is created with it.',
    createAction: 'Create app',
    connectTitle: 'Connect the app',
    connectText:
      'Copy the updater configuration into your app so that it checks this server for updates.',
    connectAction: (app: string) => `Connect ${app}`,
    publishTitle: 'Publish a release',
    publishText:
      'Drop the built files or an updater manifest, choose how to roll it out, and publish.',
    publishAction: 'Publish a release',
  },
} as const

/** Who can reach an address of the server. */
export const REACH_NAMES = {
  network: 'Devices on the network',
  this_machine: 'This computer only',
} as const

const BUDGET_NAMES: Readonly<Record<BudgetName, (count: number) => string>> = {
  requests: (count) =>
    `Too many requests from one address: ${formatCounted(count, 'request')} refused. If your devices share an address, raise --device-limit; behind a proxy, set --trust-proxy.`,
  combinations: (count) =>
    `Too many unknown versions and platforms: ${formatCounted(count, 'check-in')} counted as Other.`,
  new_devices: (count) =>
    `Too many new devices from one address: ${formatCounted(count, 'device was', 'devices were')} not added.`,
  sessions: (count) =>
    `Too many sessions from one address: ${formatCounted(count, 'group')} of sessions not counted.`,
  labels: (count) =>
    `Too many labels on a device: labels of ${formatCounted(count, 'check-in')} not saved.`,
  disk_space: (count) =>
    `Disk space is low: ${formatCounted(count, 'new device or label set', 'new devices and label sets')} not saved. Free some disk space.`,
}

/** Returns which limit was reached and its effect, such as `… 1,204 check-ins counted as Other.` */
export function budgetSentence({ name, count }: Pick<UsedBudget, 'name' | 'count'>): string {
  return BUDGET_NAMES[name](count)
}

export const wallText = {
  title: 'Rollouts',
  invalid: 'This link is no longer valid',
  invalidHint: 'Its key was revoked. Create a new link under API keys.',
  channel: (devices: number, upToDate: number | null) =>
    upToDate === null
      ? formatCounted(devices, 'device')
      : `${formatCounted(devices, 'device')} · ${formatShare(upToDate)} up to date`,
  progress: (rolloutPct: number, adoption: number | null) =>
    adoption === null
      ? formatPercent(rolloutPct)
      : `${formatPercent(rolloutPct)} · adoption ${formatShare(adoption)}`,
  failed: (failed: number, judged: number) =>
    `${formatCount(failed)} of ${formatCounted(judged, 'device')} failed`,
  failing: 'Too many failures',
  next: (step: string) => `Next: ${step}`,
  nothingLive: 'No live releases',
} as const
