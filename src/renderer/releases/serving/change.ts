import type { ServingChangeInput } from '../../../shared/console/releases.ts'
import type { Release, ReleaseStatus } from '../../../shared/release.ts'
import type { Targets } from '../../../shared/targets.ts'
import { formatPercent } from '../../../shared/wording/format.ts'
import { targetsInWords } from '../targets/strings.ts'

/** One step in the serving of a release. */
export type ServingStep =
  | { readonly part: 'rollout'; readonly rolloutPct: number }
  | { readonly part: 'targets'; readonly targets: Targets }
  | { readonly part: 'status'; readonly status: ReleaseStatus }

/** How a step is asked about: a title, a verb for the button, and what it means. */
export interface StepWords {
  readonly title: string
  readonly action: string
  readonly meaning: string
  /** What is said once it is done. */
  readonly done: string
  readonly destructive: boolean
}

/** The step as the server takes it. */
export function changeInput(release: Release, step: ServingStep): ServingChangeInput {
  const { app, channel, version } = release
  const place = { app, channel, version }
  switch (step.part) {
    case 'rollout':
      return { ...place, rolloutPct: step.rolloutPct }
    case 'targets':
      return { ...place, targets: step.targets }
    case 'status':
      return { ...place, status: step.status }
  }
}

/** Lowest percentage that the rollout can have: once offered it only grows. */
export function lowestRollout({ offered, rolloutPct }: Release): number {
  return offered ? rolloutPct : 0
}

export function stepInWords(release: Release, step: ServingStep): StepWords {
  switch (step.part) {
    case 'rollout':
      return rolloutInWords(release, step.rolloutPct)
    case 'targets':
      return {
        title: `Change the targets of ${release.version}`,
        action: 'Change targets',
        meaning: `It will be meant for these: ${targetsInWords(step.targets)}`,
        done: `The targets of ${release.version} were changed.`,
        destructive: false,
      }
    case 'status':
      return statusInWords(release.version, step.status)
  }
}

function rolloutInWords({ version, rolloutPct }: Release, pct: number): StepWords {
  const verb = pct > rolloutPct ? 'Raise' : 'Lower'
  const final =
    pct > rolloutPct ? ' Once devices are offered it, the percentage cannot go down again.' : ''
  return {
    title: `${verb} the rollout of ${version} to ${formatPercent(pct)}`,
    action: `${verb} to ${formatPercent(pct)}`,
    meaning: `The rollout goes from ${formatPercent(rolloutPct)} to ${formatPercent(pct)} of devices.${final}`,
    done: `The rollout of ${version} is at ${formatPercent(pct)} now.`,
    destructive: false,
  }
}

function statusInWords(version: string, status: ReleaseStatus): StepWords {
  switch (status) {
    case 'published':
      return {
        title: `Resume ${version}`,
        action: `Resume ${version}`,
        meaning: 'Devices are offered it again, as its rollout and its targets say.',
        done: `${version} was resumed.`,
        destructive: false,
      }
    case 'paused':
      return {
        title: `Pause ${version}`,
        action: `Pause ${version}`,
        meaning:
          'No further device is offered it until it is resumed. Devices that run it already keep it.',
        done: `${version} was paused.`,
        destructive: false,
      }
    case 'rolled_back':
      return {
        title: `Roll back ${version}`,
        action: `Roll back ${version}`,
        meaning: `Nobody is offered it any more, and devices that run it are sent to another release. This is final: ${version} can never be served again.`,
        done: `${version} was rolled back.`,
        destructive: true,
      }
  }
}
