import type { Preview } from '../../../shared/console/releases/preview.ts'
import {
  formatCount,
  formatCounted,
  formatList,
  formatPercent,
  formatSize,
} from '../../../shared/wording/format.ts'
import type { StepObstacle } from './step.ts'

export const text = {
  title: 'Serving',
  resume: 'Resume',
  rollBack: 'Roll back',
  actionOn: (verb: string, version: string, place: string | undefined) =>
    place === undefined ? `${verb} ${version}` : `${verb} ${version} on ${place}`,
  undo: 'Undo',
  undone: (version: string) => `Undone: ${version} is served as before`,
  notUndone: 'Could not undo',
  changedSince: (version: string) =>
    `${version} has changed since then. Review it before you change it again.`,
  final: (version: string, pct: number) =>
    `${version} was rolled back at ${formatPercent(pct)} rollout. It cannot be served again. Publish a new version instead.`,
  archived: (app: string) =>
    `${app} is archived, so its releases are not served. Restore the app to change how this release is served.`,
  goToApp: 'Go to app',
  deleted: 'This release no longer exists, so it is not served.',
  rolloutAt: (pct: number) => `Rollout ${formatPercent(pct)}`,
  rolloutLabel: 'Rollout',
  presets: 'Presets',
  offered: (pct: number) =>
    `Devices have been offered this release, so its rollout cannot go below ${formatPercent(pct)}.`,
  notOffered: 'No device has been offered this release yet. You can set any percentage.',
  reset: (pct: number) => `Reset to ${formatPercent(pct)}`,
  raise: (pct: number) => `Raise to ${formatPercent(pct)}`,
  lower: (pct: number) => `Lower to ${formatPercent(pct)}`,
  changeRollout: 'Change rollout',
  editTargets: 'Edit targets',
  saveTargets: 'Change targets',
  cancel: 'Cancel',
  leaveTitle: 'Discard changes to targets?',
  leave: 'Discard changes',
  leaveWarning: (version: string) => `Your changes to the targets of ${version} will be lost.`,
  changedTitle: (version: string) => `${version} has changed since you opened it`,
  changedDialog: 'Review the change before you confirm. The impact is counted again.',
  changedTargets: 'Your edits are based on the earlier targets.',
  useCurrent: 'Discard edits and use current targets',
  review: 'Review again',
  impact: 'Impact',
  countedDevices: 'Devices counted',
  counting: 'Counting devices',
  countingOf: (done: number, total: number) =>
    `Counting devices: ${formatCount(done)} of ${formatCount(total)}`,
  stopCounting: 'Stop counting',
  countAgain: 'Count again',
  countStopped: 'Counting stopped. The impact is unknown.',
  countFailed: 'Could not calculate the impact',
  countEnded: 'Counting ended early.',
  byVersion: 'By version',
  byPlatform: 'By platform',
  byLabel: 'By label',
  runs: 'Current version',
  devices: 'Devices',
  gaining: 'Newly offered',
  losing: 'No longer offered',
  movingDown: 'Downgraded',
  stepBack: (why: string) =>
    `${why} What devices were offered cannot be taken back. To withdraw the release, roll it back. Nothing was changed.`,
  rolledBackMeanwhile:
    'This release was rolled back, which is final. To serve these files again, publish a new version. Nothing was changed.',
} as const

/** Why a step is not possible any more. */
export const OBSTACLES: Readonly<Record<StepObstacle, string>> = {
  deleted: 'This release no longer exists. Nothing was changed.',
  archived: 'The app was archived. Restore it to serve its releases. Nothing was changed.',
  rolled_back: text.rolledBackMeanwhile,
  not_permitted:
    'Your role no longer allows this change. Ask an administrator to change it. Nothing was changed.',
  same_rollout: 'The rollout is already at this percentage.',
  same_status: 'The release is already in this state.',
  same_targets: 'The release already has these targets.',
  rollout_offered:
    'Devices have been offered this release, so its rollout cannot go down. Nothing was changed.',
}

/** A button has no room for a long version; the title of its dialog says it. */
export function actionOn(verb: string, version: string): string {
  return version.length > MAX_IN_BUTTON ? verb : `${verb} ${version}`
}

/** Characters of a version that fit into a button beside its verb. */
const MAX_IN_BUTTON = 40

/**
 * Returns in numbers what a change would do to the known devices. `running` is how many devices run
 * `version` now.
 */
export function previewInWords(preview: Preview, version: string, running: number): string[] {
  const { devices, gaining, losing, earlyAccess, manualChecks } = preview
  if (devices === 0) return ['No devices on this channel yet, so there is nothing to count.']
  const of = `of ${formatCounted(devices, 'device')}`
  const gain = `${gaining === 0 ? 'None' : formatCount(gaining)} ${of} will be newly offered this release.`
  const lose =
    losing === 0 ? [] : [`${formatCount(losing)} ${of} will no longer be offered this release.`]
  const early =
    earlyAccess === 0
      ? []
      : [`${formatCount(earlyAccess)} of them ${earlyAccess === 1 ? 'has' : 'have'} early access.`]
  const manual = manualChecks
    ? ['Devices whose users check for updates manually are offered it too.']
    : []
  return [
    gain,
    ...early,
    ...manual,
    ...downloadInWords(preview),
    ...lose,
    ...downInWords(preview, version, running),
    ...unknownInWords(preview),
  ]
}

/** Devices whose updater downloads only what has changed need less. */
function downloadInWords({ gaining, sized, bytes, blocks, patches }: Preview): string[] {
  if (sized === 0) return []
  const of =
    sized === gaining ? '' : `, for the ${formatCounted(sized, 'device')} whose file size is known`
  return [
    `Full downloads: ${formatSize(bytes / sized)} per device on average, ${formatSize(bytes)} in total${of}.`,
    ...partInWords('Differential downloads with electron-updater', blocks),
    ...partInWords('Patches with @tidegate/client', patches),
  ]
}

function partInWords(what: string, { devices, known, most, bytes }: Preview['blocks']): string[] {
  if (devices === 0) return []
  if (known === 0) return [`${what}: not known yet.`]
  const of =
    known === devices ? '' : `, for ${formatCount(known)} of ${formatCounted(devices, 'device')}`
  const size = most > 0 ? `at most ${formatSize(bytes / known)}` : formatSize(bytes / known)
  return [`${what}: ${size} per device on average, ${formatSize(bytes)} in total${of}.`]
}

function unknownInWords({ unknown }: Preview): string[] {
  if (unknown === 0) return []
  const are = unknown === 1 ? 'is counted as Other and' : 'are counted as Other and'
  return [`${formatCounted(unknown, 'device')} ${are} not included.`]
}

function downInWords(preview: Preview, version: string, running: number): string[] {
  const { movingDown, stranded, downTo } = preview
  if (movingDown === 0 && stranded === 0) return []
  const all = Math.max(running, movingDown + stranded)
  const of = `of ${formatCounted(all, 'device')} on ${version}`
  const nothing = `${stranded === 1 ? 'has' : 'have'} no earlier version to downgrade to`
  if (movingDown === 0) return [`${formatCount(stranded)} ${of} ${nothing}.`]
  const goals = downTo.map((goal) =>
    downTo.length === 1 ? goal.version : `${formatCount(goal.devices)} to ${goal.version}`,
  )
  const where = downTo.length === 1 ? ` to ${goals[0]}` : `: ${formatList(goals)}`
  const down = `${formatCount(movingDown)} ${of} will be downgraded${downTo.length === 0 ? '' : where}`
  return [stranded === 0 ? `${down}.` : `${down}; ${formatCount(stranded)} ${nothing}.`]
}
