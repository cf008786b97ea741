import { formatCount, formatPercent } from '../../../shared/wording/format.ts'
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
