import { z } from 'zod'
import { formatCounted, formatPercent } from '../../shared/wording/format.ts'
import { type Words, whenRead } from './entry.ts'

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
