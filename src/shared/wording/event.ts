import { z } from 'zod'
import { artifactTarget } from '../artifacts/target.ts'
import { Alarm, type SentType, TEST_EVENT } from '../events/webhook.ts'
import { ProofFailure } from '../files/proof.ts'
import { HoldoutResult, StopReason } from '../health/judgement.ts'
import { RolloutPct } from '../names.ts'
import { FailureAction } from '../plans/plan.ts'
import { PlanReason } from '../plans/plan-state.ts'
import { formatPercent } from './format.ts'
import { heldBackPhrase, holdoutLine, planReasonSentence, stopSentences } from './plan.ts'
import { proofFailureSentence } from './proof.ts'

/** What an event says of itself; members that are missing are left out of the sentence. */
const Data = z.object({
  app: z.string().nullish(),
  channel: z.string().nullish(),
  version: z.string().nullish(),
  actor: z.object({ name: z.string() }).optional(),
  before: z.unknown(),
  after: z.unknown(),
})
type Data = z.infer<typeof Data>

const Rollout = z.object({ rolloutPct: RolloutPct })
const PlanStep = z.object({
  ...{ step: z.int(), of: z.int(), rolloutPct: RolloutPct },
  ...{ heldBackPct: z.int().optional(), releasedPct: z.int().optional() },
  holdout: HoldoutResult.optional(),
})
const Interrupted = z.object({ reason: PlanReason })
const Judged = z.object({ action: FailureAction, reasons: z.array(StopReason) })
const Alarmed = z.object({ alarm: Alarm })
const Artifact = z.object({ platform: z.string(), arch: z.string(), kind: z.string() })
const Failed = z.object({ failure: ProofFailure })
const Commented = z.object({ comment: z.string().min(1) })

/** The event as a message: a sentence without a full stop, who did it, and what they wrote, or what is wrong. */
export interface EventMessage {
  readonly title: string
  /** `editor / stable`, empty for events of the server. */
  readonly place: string
  /** Empty for the server itself. */
  readonly by: string
  readonly comment: string
}

/** Returns the message about an event. `data`: that of the event, as it was sent. */
export function eventMessage({
  type,
  data,
}: {
  readonly type: string
  readonly data: unknown
}): EventMessage {
  const read = Data.safeParse(data)
  const facts: Data = read.success ? read.data : { before: null, after: null }
  const place = [facts.app, facts.channel].filter((part) => part != null).join(' / ')
  const isServer = facts.actor?.name === 'server'
  const comment = Commented.safeParse(facts.after)
  return {
    title: TITLE_OF.get(type)?.(facts.version ?? '', facts) ?? type,
    place,
    by: isServer ? '' : (facts.actor?.name ?? ''),
    comment: comment.success ? comment.data.comment : reasonOf(facts.after),
  }
}

/** Returns an event in one line. */
export function headline({ title, place }: EventMessage): string {
  return place === '' ? title : `${title} (${place})`
}

/** Why an artifact failed, or a plan was suspended or stopped; empty for everything else. */
function reasonOf(state: unknown): string {
  const failed = Failed.safeParse(state)
  if (failed.success) return proofFailureSentence(failed.data.failure)
  const interrupted = Interrupted.safeParse(state)
  if (!interrupted.success) return ''
  const judged = Judged.safeParse(state)
  if (!judged.success) return planReasonSentence(interrupted.data.reason)
  const { action, reasons } = judged.data
  return stopSentences(reasons, action)
}

type Title = (name: string, data: Data) => string

const TITLES: Readonly<Record<SentType, Title>> = {
  'release.published': (name, { after }) => `${name} published${rolloutOf(after, ' at')}`,
  'release.rollout_changed': (name, { after }) => {
    const rollout = rolloutOf(after, ' to')
    return rollout === '' ? `${name}: targets changed` : `${name}: rollout raised${rollout}`
  },
  'release.paused': (name) => `${name} paused`,
  'release.resumed': (name) => `${name} resumed`,
  'release.rolled_back': (name) => `${name} rolled back`,
  'plan.step_applied': (name, { after }) => `${name}: ${stepOf(after)}`,
  'plan.suspended': (name) => `${name}: plan suspended`,
  'plan.stopped': (name) => `${name}: plan stopped`,
  'plan.finished': (name) => `${name}: plan finished`,
  'artifact.failed': (name, { after }) => `${name}${artifactOf(after)} is not proven`,
  'artifact.proven': (name, { after }) => `${name}${artifactOf(after)} is proven again`,
  'change_request.proposed': (name) => `Approval requested for ${name}`,
  'change_request.applied': (name) => `Change request for ${name} applied`,
  'change_request.declined': (name) => `Change request for ${name} declined`,
  'change_request.withdrawn': (name) => `Change request for ${name} withdrawn`,
  'change_request.expired': (name) => `Change request for ${name} expired`,
  'health.alarm_raised': (_, { after }) => `Alarm: ${alarmName(after)}`,
  'health.alarm_cleared': (_, { before }) => `Resolved: ${alarmName(before)}`,
  'backup.failed': () => `Alarm: ${ALARM_NAMES.backup_failed}`,
  [TEST_EVENT]: () => 'Test message from Tidegate',
}

const TITLE_OF = new Map<string, Title>(Object.entries(TITLES))

/** What is wrong, in a few words. */
export const ALARM_NAMES: Readonly<Record<Alarm, string>> = {
  telemetry_not_stored: 'check-ins cannot be stored',
  disk_low: 'the disk is almost full',
  certificate_expiring: 'the TLS certificate expires soon',
  backup_failed: 'the backup failed',
  proving_failed: 'artifacts cannot be proven',
  plans_failed: 'rollout plans cannot be advanced',
  bucket_unavailable: 'the bucket for stored files cannot be used',
}

function stepOf(state: unknown): string {
  const read = PlanStep.safeParse(state)
  if (!read.success) return 'next step of the plan applied'
  const { step, of, rolloutPct, heldBackPct, releasedPct, holdout } = read.data
  const reached = `${formatPercent(rolloutPct)}${heldBackPhrase(heldBackPct)}`
  const applied = `step ${step} of ${of} of the plan applied, at ${reached}`
  return releasedPct === undefined || holdout === undefined
    ? applied
    : `${applied}: ${holdoutLine(releasedPct, holdout)}`
}

/** `: the artifact for linux x86_64`; empty if it is not said. */
function artifactOf(state: unknown): string {
  const read = Artifact.safeParse(state)
  return read.success ? `: the artifact for ${artifactTarget(read.data)}` : ''
}

function alarmName(state: unknown): string {
  const read = Alarmed.safeParse(state)
  return read.success ? ALARM_NAMES[read.data.alarm] : 'unknown'
}

function rolloutOf(state: unknown, preposition: string): string {
  const read = Rollout.safeParse(state)
  return read.success ? `${preposition} ${formatPercent(read.data.rolloutPct)}` : ''
}
