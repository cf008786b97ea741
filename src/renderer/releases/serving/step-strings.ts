import type { Release, ReleaseStatus } from '../../../shared/releases/release.ts'
import { formatPercent } from '../../../shared/wording/format.ts'
import { targetsLine } from '../targets/strings.ts'
import type { StepChange } from './step.ts'
import { actionOn, text } from './strings.ts'

/** How a step is asked about: a title, a verb for the button, and what it means. */
interface StepWords {
  readonly title: string
  readonly action: string
  readonly meaning: string
  /** What is announced once it is done, and if it failed after the screen was left. */
  readonly done: string
  readonly failed: string
  readonly destructive: boolean
}

/** Returns how a step is asked about. `release` is the state that it starts from. */
export function stepInWords(release: Release, step: StepChange): StepWords {
  switch (step.part) {
    case 'rollout':
      return rolloutInWords(release, step.rolloutPct)
    case 'targets':
      return {
        title: `Change the targets of ${release.version}`,
        action: text.saveTargets,
        meaning: `${targetsLine(step.targets)}.`,
        done: `Targets of ${release.version} changed`,
        failed: `Targets of ${release.version} not changed`,
        destructive: false,
      }
    case 'status':
      return statusInWords(release.version, step.status)
  }
}

function rolloutInWords({ version, rolloutPct }: Release, pct: number): StepWords {
  const isRaise = pct > rolloutPct
  const final = isRaise ? ' Once devices are offered it, you cannot lower the rollout again.' : ''
  return {
    title: `${isRaise ? 'Raise' : 'Lower'} the rollout of ${version} to ${formatPercent(pct)}`,
    action: isRaise ? text.raise(pct) : text.lower(pct),
    meaning: `The rollout goes from ${formatPercent(rolloutPct)} to ${formatPercent(pct)} of devices.${final}`,
    done: `Rollout of ${version} ${isRaise ? 'raised' : 'lowered'} to ${formatPercent(pct)}`,
    failed: `Rollout of ${version} not changed`,
    destructive: false,
  }
}

/** Returns how a change of the status is asked about. */
export function statusInWords(
  version: string,
  status: Exclude<ReleaseStatus, 'paused'>,
): StepWords {
  const words: Record<typeof status, StepWords> = {
    published: {
      title: `Resume ${version}`,
      action: actionOn(text.resume, version),
      meaning: 'Devices are offered this release again, according to its rollout and targets.',
      done: `${version} resumed`,
      failed: `${version} not resumed`,
      destructive: false,
    },
    rolled_back: {
      title: `Roll back ${version}`,
      action: actionOn(text.rollBack, version),
      meaning: `${version} will no longer be offered to any device. What devices that run it are offered depends on the channel policy. This is final: ${version} can never be served again.`,
      done: `${version} rolled back`,
      failed: `${version} not rolled back`,
      destructive: true,
    },
  }
  return words[status]
}
