import type { ExpectedEvent, ExpectedInput } from '../../../shared/console/releases/plans.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import { releaseOn } from '../../catalog/catalog.ts'
import { ringsAt, stepServing } from '../../rules/plans/step-serving.ts'
import { findChannel, type Principal } from '../principal.ts'
import { type PreviewParts, previewServed } from './preview-serving.ts'

/**
 * Yields how many known devices each step of a plan would newly offer a release to, and what they download: progress, then the
 * result. Rings are counted; a percentage is taken of the devices that the release would reach at 100%. Ends early when `signal` is
 * aborted. Needs the role `viewer`. Throws `unknown`.
 */
export async function* expectedDevices(
  parts: PreviewParts,
  principal: Principal,
  { plan, version, release, ...place }: ExpectedInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExpectedEvent, void> {
  const find = async () => findChannel(await parts.catalog.refresh(), principal, place, 'viewer')
  const known = releaseOn(await find(), version)
  const own = known === undefined ? release?.targets : known.facts.targets
  const served = known?.facts.rolloutPct ?? 0
  const counts = countsOf(plan, own)
  const counted: { readonly gaining: number; readonly bytes: number }[] = []
  let devices = 0
  for (const [done, targets] of counts.entries()) {
    const changed = { version, targets, rolloutPct: 100, artifacts: release?.artifacts ?? [] }
    for await (const event of previewServed(parts, principal, find, changed, signal)) {
      if (event.type === 'progress') {
        const total = event.total * counts.length
        yield { type: 'progress', done: done * event.total + event.done, total }
      } else {
        counted.push(event.preview)
        devices = event.preview.devices
      }
    }
    if (counted.length === done) return
  }
  const byStep = (of: 'gaining' | 'bytes') =>
    allSteps(plan).map((step, index) => {
      if ('ring' in step) return counted[index]?.[of] ?? 0
      const share = Math.max(0, step.rolloutPct - served) / Math.max(1, 100 - served)
      return Math.round((counted.at(-1)?.[of] ?? 0) * share)
    })
  yield { type: 'result', devices, byStep: byStep('gaining'), bytesByStep: byStep('bytes') }
}

/** The targets to count: those of every step with a ring, then those of the release. */
function countsOf(plan: Plan, own: Targets = { matchLabels: {}, matchExpressions: [] }): Targets[] {
  const rings = plan.steps.flatMap((_, index) =>
    ringsAt(plan.steps, index) === null ? [] : [stepServing(plan, own, index).targets],
  )
  return [...rings, own]
}
