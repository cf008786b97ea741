import { z } from 'zod'
import { Freeze } from '../../shared/freeze.ts'
import { StopReason } from '../../shared/judgement.ts'
import { FailureAction, PlanReason } from '../../shared/plan.ts'
import { formatCounted, formatList, formatPercent } from '../../shared/wording/format.ts'
import { stopReasonSentence } from '../../shared/wording/judgement.ts'
import { failureActionSentence, planReasonSentence } from '../../shared/wording/plan.ts'
import { requestInWords } from './change-request-strings.ts'
import { type Words, whenRead } from './entry.ts'

const Standing = z.object({ step: z.number(), of: z.number() })
const PlanSet = Standing.extend({ requestedBy: z.string().optional() })
const Applied = Standing.extend({ rolloutPct: z.number(), rings: z.array(z.string()).optional() })
const Interrupted = z.object({ reason: PlanReason })
const Stopped = Interrupted.extend({
  reasons: z.array(StopReason).optional(),
  action: FailureAction.optional(),
})
const Freezes = z.object({ freezes: z.array(Freeze) })

/** Sentences about plans and freezes. */
export const PLAN_WORDS: Readonly<Record<string, Words>> = {
  'release.plan_set': (_, after) =>
    whenRead(PlanSet, after, ({ step, of, requestedBy }) => {
      const from = step === 0 ? '' : `, beginning at step ${step + 1}`
      return `Set plan with ${formatCounted(of, 'step')}${from}.${requestInWords(requestedBy)}`
    }),
  'release.plan_step_applied': (_, after) =>
    whenRead(Applied, after, ({ step, of, rolloutPct, rings }) => {
      const reached =
        rings === undefined ? formatPercent(rolloutPct) : `ring ${formatList(rings, 'or')}`
      return `Applied step ${step} of ${of} of the plan: ${reached}.`
    }),
  'release.plan_suspended': (_, after) =>
    whenRead(Interrupted, after, ({ reason }) => `Suspended plan. ${planReasonSentence(reason)}`),
  'release.plan_stopped': (_, after) =>
    whenRead(Stopped, after, ({ reason, reasons = [], action }) =>
      [
        'Stopped plan.',
        planReasonSentence(reason),
        ...reasons.map(stopReasonSentence),
        ...(action === undefined ? [] : [failureActionSentence(action)]),
      ].join(' '),
    ),
  'release.plan_resumed': (_, after) =>
    whenRead(Standing, after, ({ step, of }) => `Resumed plan after step ${step} of ${of}.`),
  'release.plan_finished': () => 'Finished plan.',
  'release.plan_removed': (before) =>
    whenRead(Standing, before, ({ step, of }) => `Removed plan after step ${step} of ${of}.`),
  'app.freezes_changed': (_, after) =>
    whenRead(Freezes, after, ({ freezes }) =>
      freezes.length === 0
        ? 'Removed all freezes.'
        : `Changed freezes, now ${formatCounted(freezes.length, 'freeze')}.`,
    ),
}
