import { useMemo } from 'react'
import type { ExpectedInput } from '../../../shared/console/plans.ts'
import type { PublishBody } from '../../../shared/release.ts'
import type { PlanAt } from '../../plans/schedule/plan-schedule.tsx'
import { type ExpectedDevices, useExpected } from '../../plans/schedule/use-expected.ts'
import { readTargets } from '../targets/draft.ts'
import type { PublishDraft, PublishRead } from './draft.ts'

/** On what the plan of a release is tried while the release is written, and how many devices its steps reach. */
export function usePlanTrial(
  { app, channel, targets }: PublishDraft,
  read: PublishRead,
): { readonly at: PlanAt; readonly expected: ExpectedDevices | undefined } {
  const at = useMemo(() => {
    const known = readTargets(targets)
    return { app, channel, targets: known.ok ? known.targets : undefined }
  }, [app, channel, targets])
  return { at, expected: useExpected(read.ok ? expectedInput(read.body) : undefined) }
}

/** Undefined for a release that reaches nobody: without a plan, or without files. */
function expectedInput(body: PublishBody): ExpectedInput | undefined {
  const { app, channel, version, plan, targets, artifacts } = body
  if (plan === undefined || artifacts.length === 0) return undefined
  return { app, channel, version, plan, release: { targets, artifacts } }
}
