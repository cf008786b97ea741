import { z } from 'zod'
import { Alarm } from '../../shared/events/webhook.ts'
import { failedOf, judgedOf, ReleaseHealth } from '../../shared/health/health.ts'
import { HoldoutResult, StopReason } from '../../shared/health/judgement.ts'
import { Freeze } from '../../shared/plans/freeze.ts'
import { FailureAction } from '../../shared/plans/plan.ts'
import { PlanReason } from '../../shared/plans/plan-state.ts'
import { ALARM_NAMES } from '../../shared/wording/event.ts'
import {
  formatCount,
  formatCounted,
  formatList,
  formatPercent,
} from '../../shared/wording/format.ts'
import {
  heldBackPhrase,
  holdoutLine,
  holdoutSentences,
  planReasonSentence,
  stopSentences,
} from '../../shared/wording/plan.ts'
import { type Words, whenRead } from './entry.ts'

const Webhook = z.object({ name: z.string(), address: z.string() })
const Named = z.object({ name: z.string() })
const Redelivered = z.object({ name: z.string(), event: z.string() })
const Alarmed = z.object({ alarm: Alarm })
const Disabled = z.object({ name: z.string(), failingSince: z.string() })

/** Sentences about webhooks, and about the alarms that they are sent for. */
export const WEBHOOK_WORDS: Readonly<Record<string, Words>> = {
  'webhook.created': (_, after) =>
    whenRead(Webhook, after, ({ name, address }) => `Created webhook ${name} to ${address}.`),
  'webhook.changed': (_, after) =>
    whenRead(Webhook, after, ({ name }) => `Changed webhook ${name}.`),
  'webhook.enabled': (_, after) => whenRead(Named, after, ({ name }) => `Enabled webhook ${name}.`),
  'webhook.disabled': (_, after) =>
    whenRead(Disabled, after, ({ name }) => `Disabled webhook ${name} because it kept failing.`) ??
    whenRead(Named, after, ({ name }) => `Disabled webhook ${name}.`),
  'webhook.secret_rotated': (_, after) =>
    whenRead(Named, after, ({ name }) => `Rotated the secret of webhook ${name}.`),
  'webhook.redelivered': (_, after) =>
    whenRead(Redelivered, after, ({ name, event }) => `Sent ${event} to webhook ${name} again.`),
  'webhook.removed': (before) =>
    whenRead(Webhook, before, ({ name }) => `Deleted webhook ${name}.`),
  'health.alarm_raised': (_, after) =>
    whenRead(Alarmed, after, ({ alarm }) => `Alarm: ${ALARM_NAMES[alarm]}.`),
  'health.alarm_cleared': (before) =>
    whenRead(Alarmed, before, ({ alarm }) => `Resolved: ${ALARM_NAMES[alarm]}.`),
}

const Proposed = z.object({
  kind: z.enum(['serving', 'publish', 'plan']),
  status: z.string().optional(),
  rolloutPct: z.number().optional(),
  plan: z.object({}).optional(),
})
const Closed = z.object({ proposedBy: z.string() })

/** Sentences about change requests. */
export const CHANGE_REQUEST_WORDS: Readonly<Record<string, Words>> = {
  'change_request.proposed': (_, after) =>
    whenRead(Proposed, after, ({ kind, status, rolloutPct = 0, plan }) => {
      if (kind === 'plan') return 'Requested approval of a plan.'
      if (plan !== undefined) return 'Requested approval to publish with a plan.'
      if (kind === 'publish')
        return `Requested approval to publish at ${formatPercent(rolloutPct)}.`
      if (rolloutPct > 0)
        return `Requested approval to raise the rollout to ${formatPercent(rolloutPct)}.`
      return status === undefined
        ? 'Requested approval to change the targets.'
        : 'Requested approval to resume.'
    }),
  'change_request.applied': of((name) => `Applied the change request by ${name}.`),
  'change_request.declined': of((name) => `Declined the change request by ${name}.`),
  'change_request.withdrawn': of((name) => `${name} withdrew the change request.`),
  'change_request.expired': of((name) => `The change request by ${name} expired.`),
}

/** Returns the sentence that names who requested a change, after a space; none for a change without a request. */
export function requestInWords(requestedBy: string | undefined): string {
  return requestedBy === undefined ? '' : ` Requested by ${requestedBy}.`
}

function of(words: (name: string) => string): Words {
  return (_, after) => whenRead(Closed, after, ({ proposedBy }) => words(proposedBy))
}

const Content = z.object({ artifacts: z.number() })

/** Sentences about drafts. */
export const DRAFT_WORDS: Readonly<Record<string, Words>> = {
  'draft.created': (_, after) => whenRead(Content, after, (now) => `Created draft${has(now)}.`),
  'draft.changed': (_, after) =>
    whenRead(Content, after, (now) => `Changed draft, now${has(now)}.`),
  'draft.discarded': (before) => whenRead(Content, before, (then) => `Deleted draft${has(then)}.`),
  'draft.expired': (before) => whenRead(Content, before, (then) => `Draft${has(then)} expired.`),
}

function has({ artifacts }: z.infer<typeof Content>): string {
  return ` with ${formatCounted(artifacts, 'artifact')}`
}

const Explained = z.object({ reason: z.string() })
const Standing = z.object({ step: z.number(), of: z.number() })
const PlanSet = Standing.extend({ requestedBy: z.string().optional() })
const Applied = Standing.extend({
  rolloutPct: z.number(),
  rings: z.array(z.string()).optional(),
  heldBackPct: z.number().optional(),
  releasedPct: z.number().optional(),
  health: ReleaseHealth.optional(),
  holdout: HoldoutResult.optional(),
})
const Interrupted = z.object({ reason: PlanReason })
const Stopped = Interrupted.extend({
  reasons: z.array(StopReason).optional(),
  action: FailureAction.optional(),
})
const Freezes = z.object({ freezes: z.array(Freeze) })

/** Sentences about plans and freezes, and why a release was stopped. */
export const PLAN_WORDS: Readonly<Record<string, Words>> = {
  'release.stop_explained': (_, after) =>
    whenRead(Explained, after, ({ reason }) => `Reason for the stop: ${reason}`),
  'release.plan_set': (_, after) =>
    whenRead(PlanSet, after, ({ step, of, requestedBy }) => {
      const from = step === 0 ? '' : `, beginning at step ${step + 1}`
      return `Set plan with ${formatCounted(of, 'step')}${from}.${requestInWords(requestedBy)}`
    }),
  'release.plan_step_applied': (_, after) =>
    whenRead(Applied, after, ({ step, of, rolloutPct, rings, heldBackPct, ...more }) => {
      const percent = `${formatPercent(rolloutPct)}${heldBackPhrase(heldBackPct)}`
      const reached = rings === undefined ? percent : `ring ${formatList(rings, 'or')}`
      return `Applied step ${step} of ${of} of the plan: ${reached}.${releasedInWords(more)}`
    }),
  'release.offers_held': () => 'Held new offers: too many devices may have failed.',
  'release.offers_resumed': () => 'Resumed new offers.',
  'release.plan_suspended': (_, after) =>
    whenRead(Interrupted, after, ({ reason }) => `Suspended plan. ${planReasonSentence(reason)}`),
  'release.plan_stopped': (_, after) =>
    whenRead(Stopped, after, ({ reason, reasons = [], action }) =>
      action === undefined
        ? `Stopped plan. ${planReasonSentence(reason)}`
        : `Stopped plan. ${stopSentences(reasons, action)}`,
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

/** What slow harm a holdout has shown. */
function releasedInWords({
  releasedPct,
  health,
  holdout,
}: Pick<z.infer<typeof Applied>, 'releasedPct' | 'health' | 'holdout'>): string {
  if (releasedPct === undefined) return ''
  if (holdout !== undefined) {
    return ` Holdout: ${holdoutLine(releasedPct, holdout)}. ${holdoutSentences(holdout)}`
  }
  const released = ` Released the ${formatPercent(releasedPct)} that were held back`
  if (health === undefined) return `${released}.`
  return `${released}: ${formatCount(failedOf(health))} of ${formatCounted(judgedOf(health), 'device')} failed.`
}
