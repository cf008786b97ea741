import { failedOf, type ReleaseHealth } from '../../../../shared/health/health.ts'
import type { GateCondition } from '../../../../shared/plans/plan-gate.ts'
import { formatCount, formatCounted, formatPercent } from '../../../../shared/wording/format.ts'

/** The rollout plan on the page of its release. */
export const text = {
  none: 'No plan. You raise the rollout by hand, and nothing stops it if devices fail.',
  noneAtAll: 'No plan. The release is already offered to all devices.',
  nonePaused: 'No plan. Resume the release before you set one.',
  set: 'Set plan',
  edit: 'Edit plan',
  suspend: 'Suspend plan',
  resume: 'Resume plan',
  remove: 'Remove plan',
  resumeReleaseFirst: 'Resume the release before you resume its plan.',

  steps: 'Steps of the plan',
  applied: 'Applied',
  skipped: 'Skipped: the release was already past this step',
  next: 'Next step',
  until: 'until',
  notScheduled: 'Not scheduled while the plan is not running',
  afterConditions: 'As soon as the conditions are met',
  waitFor: (time: string) => `Then waits at least ${time}`,
  watchFor: (time: string) => `Then watched for ${time}`,
  end: 'Finished',
  windows: (when: string) => `Steps are applied ${when}.`,
  interrupted: { suspended: 'The plan is suspended', stopped: 'The plan was stopped' },
  started: 'The first step is not applied yet',
  since: 'Since',

  met: 'Met',
  notMet: 'Not met',

  setTitle: (version: string) => `Set a rollout plan for ${version}`,
  editTitle: (version: string) => `Edit the rollout plan of ${version}`,
  setDone: (version: string) => `Rollout plan of ${version} set`,
  notSet: (version: string) => `Rollout plan of ${version} not set`,
  editHint: 'Steps that the release is already past are left out.',
} as const

/** Returns what was known of the devices when a step was applied. */
export function justifiedInWords(health: ReleaseHealth): string {
  const { offered, adopted } = health
  return `Before this step: ${formatCount(adopted)} of ${formatCounted(offered, 'offered device')} adopted it, ${formatCount(failedOf(health))} failed`
}

/** Returns what a gate looks at, and what it asks for: `Adopted: 42%, at least 50% required`. */
export function conditionInWords({ name, asked, actual }: GateCondition): string {
  const digits = (number: number) => (Number.isInteger(number) || number >= 10 ? 0 : 1)
  const percent = (number: number) => formatPercent(number, digits(number))
  const words: Record<typeof name, string> = {
    minAdoptedPct: `Adopted: ${percent(actual)}, at least ${percent(asked)} required`,
    maxFailedPct: `Failed: at most ${percent(actual)} with 95% confidence, ${percent(asked)} allowed`,
    minSample: `Devices with a known outcome: ${formatCount(actual)}, at least ${formatCount(asked)} required`,
  }
  return words[name]
}

interface QuestionWords {
  readonly title: string
  readonly action: string
  readonly effect: string
  readonly done: string
  readonly failed: string
}

/** Returns what is asked before a plan is suspended, resumed or removed. */
export function questionInWords(
  kind: 'suspend' | 'resume' | 'remove',
  version: string,
): QuestionWords {
  const goesOn =
    'The plan goes on from where the release stands now. Steps that the release is past are left out.'
  const words: Record<typeof kind, QuestionWords> = {
    suspend: {
      title: `Suspend the plan of ${version}`,
      action: text.suspend,
      effect: `No more steps are applied until you resume the plan. ${version} stays as it is served now.`,
      done: `Plan of ${version} suspended`,
      failed: `Plan of ${version} not suspended`,
    },
    resume: {
      title: `Resume the plan of ${version}`,
      action: text.resume,
      effect: goesOn,
      done: `Plan of ${version} resumed`,
      failed: `Plan of ${version} not resumed`,
    },
    remove: {
      title: `Remove the plan of ${version}`,
      action: text.remove,
      effect: `${version} stays as it is served now. You raise the rollout by hand, and nothing stops it if devices fail.`,
      done: `Plan of ${version} removed`,
      failed: `Plan of ${version} not removed`,
    },
  }
  return words[kind]
}
