import { z } from 'zod'
import { PERSON_REFUSALS } from './access/person.ts'
import { Role } from './access/role.ts'
import { HistoryEntry } from './events/audit.ts'
import { WEBHOOK_REFUSALS } from './events/webhook.ts'
import { HOSTING_REFUSALS } from './files/hosted-file.ts'
import { DOCUMENT_REFUSALS } from './files/signed-document.ts'
import { Timestamp } from './names.ts'
import { StorageProblem } from './operation/storage-problem.ts'
import { PLAN_REFUSALS } from './plans/plan-refusal.ts'
import { RefusalKind, type Refusals, refusal } from './refusal-kind.ts'
import { ClosedState } from './releases/change-request.ts'
import { PreflightNotice } from './releases/preflight-policy.ts'

/** The path to a member of the input, from the outside in: `['devices', '3', 'version']`. */
const path = z.array(z.string())
const app = z.string()
const channel = z.string()
const version = z.string()
const target = { platform: z.string(), arch: z.string() }

/** What would make the second person that approval needs unnecessary. */
export const ProtectedAct = z.enum(['bypass_key', 'policy', 'removal', 'administrator', 'restore'])
export type ProtectedAct = z.infer<typeof ProtectedAct>

/** A schema refuses the input; `reason` is the rule that it breaks. */
const INVALID_INPUT = refusal('invalid_input', { path, reason: z.string() })

/** The other refusals that concern neither people, webhooks, stored files, plans nor signed documents. */
const OTHER_REFUSALS = {
  invalid: [
    refusal('invalid_range', { path }),
    /** The key of a repeatable call names a call of another content. */
    refusal('idempotency_key_reused', {}),
    refusal('artifact_repeated', {
      ...{ path, ...target },
      /** Empty if it is not given. */
      kind: z.string(),
    }),
    /** Tauri does not install a file that its signature names another version for. */
    refusal('signed_for_other_version', { path, signed: z.string(), version }),
    /** The device would have more labels, or bytes of labels, than it can keep. */
    refusal('labels_exceeded', { path, limit: z.enum(['labels', 'bytes']), maximum: z.int() }),
    refusal('not_on_channel', { path, app, channel }),
    refusal('unconfirmed', { name: z.string() }),
    /** Null if it is their size and not their number that exceeds a file. */
    refusal('export_too_large', { entries: z.int().nullable(), maximum: z.int() }),
    refusal('too_many_devices', { devices: z.int(), maximum: z.int() }),
    refusal('foreign_cursor', {}),
    /** The version of the device is counted as other, so it is not known. */
    refusal('version_needed', { deviceId: z.string() }),
  ],
  forbidden: [
    /** The caller does not have the role in the app; on the server if `app` is null. */
    refusal('forbidden', { needs: Role, app: app.nullable() }),
    /** The channel requires approval for the change: a change request, or a key that may do without. */
    refusal('approval_required', { app, channel, version }),
    /** The proposer of a change request cannot be the one who decides on it. */
    refusal('second_person_needed', {}),
    /** Who decides and who proposed may be one person with two accounts: one vouches for the other. */
    refusal('independent_person_needed', {}),
    /** Where approval is required, nobody does this over the network, as they could then release alone. */
    refusal('second_person_bypassed', { act: ProtectedAct }),
    /** Only the proposer can withdraw a change request. */
    refusal('not_proposer', { proposer: z.string() }),
    /** Who calls is no person, so that nobody could be told from somebody else. */
    refusal('person_needed', {}),
  ],
  invariant: [
    refusal('approval_not_needed', { app, channel, version }),
    /** The channel requires proof, and the release has none. */
    refusal('not_proven', { app, channel, version }),
    /** A form was filled in with earlier proving settings of the app. */
    refusal('proving_changed', { app }),
    /** Too many releases wait to be proven. */
    refusal('proofs_busy', { maximum: z.int() }),
    /** `by` is null for a request that expired. */
    refusal('change_request_closed', {
      state: ClosedState,
      by: z.string().nullable(),
      at: Timestamp,
    }),
    refusal('too_many_change_requests', { app, channel, maximum: z.int() }),
    /** No further device fits on the early access list of the channel. */
    refusal('early_access_full', { app, channel, maximum: z.int() }),
    /** A draft lacks artifacts that it is expected to have. Without `kind`, one of any kind would do. */
    refusal('draft_incomplete', {
      path,
      missing: z.array(z.strictObject({ ...target, kind: z.string().optional() })),
    }),
    refusal('draft_full', { app, channel, version, maximum: z.int() }),
    /** `isOwn`: whoever asks has made so many. */
    refusal('too_many_drafts', { app, maximum: z.int(), isOwn: z.boolean() }),
    /** A form was filled in with an earlier state of the draft, or while there was none. */
    refusal('draft_changed', { app, channel, version }),
    /** Whole percent. */
    refusal('rollout_lowered', { path, from: z.int(), to: z.int() }),
    refusal('target_label_added', { path }),
    refusal('target_value_removed', { path, value: z.string() }),
    refusal('target_expressions_changed', { path }),
    refusal('app_archived', { app }),
    /** A null `channel` stands for the app itself, here and below. */
    refusal('still_served', { app, channel: channel.nullable() }),
    refusal('changed_meanwhile', { app, channel: channel.nullable() }),
    /**
     * A form was filled in with an older state of a release, or of a channel if `version` is null. `changes`:
     * what happened since then, newest first; none if the database was replaced.
     */
    refusal('changed_since_seen', {
      app,
      channel,
      version: version.nullable(),
      changes: z.array(HistoryEntry),
    }),
    refusal('last_channel', { app, channel: channel.nullable() }),
    /** Another backup is being uploaded, read or restored. */
    refusal('restore_busy', {}),
    /** Whatever started the server does not restart it. */
    refusal('restore_elsewhere', {}),
    refusal('backup_failed', { problem: StorageProblem }),
  ],
  unknown: [
    refusal('unknown_change_request', {}),
    refusal('unknown_app', { app }),
    /** Null if every app was searched. */
    refusal('unknown_channel', { app: app.nullable(), channel }),
    refusal('unknown_release', { app, channel, version }),
    refusal('unknown_draft', { app, channel, version }),
    refusal('unknown_key', { prefix: z.string() }),
    refusal('unknown_device', { app, deviceId: z.string() }),
    refusal('unknown_backup', { problem: StorageProblem }),
    /** An uploaded backup that was restored, discarded or replaced, or was kept for too long. */
    refusal('unknown_upload', {}),
  ],
  duplicate: [
    refusal('app_exists', { app }),
    refusal('channel_exists', { app, channel }),
    refusal('release_exists', { app, channel, version }),
    /** A key that can be used has the name in the app, or for all apps if `app` is null. */
    refusal('key_exists', { app: app.nullable(), name: z.string(), prefix: z.string() }),
  ],
  rolled_back: [refusal('release_rolled_back', { version })],
  conflict: [
    /** The channel requires preflight. `refusing`: known devices that would not install the release. */
    refusal('preflight_failed', {
      ...{ app, channel, version },
      ...PreflightNotice.shape,
    }),
  ],
  temporary: [
    /** The change is saved, but another server has not confirmed in time that it serves it. */
    refusal('not_confirmed', {}),
    /** The call is a repeat, and the server cannot tell what became of the first attempt. */
    refusal('outcome_unknown', {}),
  ],
  unauthenticated: [
    /** There is no session, or it has ended. */
    refusal('sign_in_needed', {}),
  ],
} as const satisfies Refusals

/**
 * Why the server rejects a request that the caller can correct. Sentences are made of it where they
 * are shown: see `wording/refusal.ts`.
 */
export const RefusalFacts = z.discriminatedUnion('code', [
  INVALID_INPUT,
  ...Object.values(OTHER_REFUSALS).flat(),
  ...Object.values(PERSON_REFUSALS).flat(),
  ...Object.values(WEBHOOK_REFUSALS).flat(),
  ...Object.values(HOSTING_REFUSALS).flat(),
  ...Object.values(PLAN_REFUSALS).flat(),
  ...Object.values(DOCUMENT_REFUSALS).flat(),
])
export type RefusalFacts = z.infer<typeof RefusalFacts>
export type RefusalCode = RefusalFacts['code']

const KINDS = new Map<string, RefusalKind>(
  [
    { invalid: [INVALID_INPUT] },
    OTHER_REFUSALS,
    PERSON_REFUSALS,
    WEBHOOK_REFUSALS,
    HOSTING_REFUSALS,
    PLAN_REFUSALS,
    DOCUMENT_REFUSALS,
  ].flatMap(codesByKind),
)

/** Returns the kind of a refusal, from which the status of an HTTP response follows. */
export function kindOfRefusal(code: RefusalCode): RefusalKind {
  const kind = KINDS.get(code)
  if (kind === undefined) throw new Error(`There is no refusal ${code}`)
  return kind
}

function codesByKind(table: Refusals): [code: string, kind: RefusalKind][] {
  return RefusalKind.options.flatMap((kind) =>
    (table[kind] ?? []).map(({ shape }): [string, RefusalKind] => [shape.code.value, kind]),
  )
}

const STEPS_BACK = [
  'rollout_lowered',
  'target_label_added',
  'target_value_removed',
  'target_expressions_changed',
] as const

/** A change that would take back what devices were offered; the path names the part of it. */
export type StepBack = Extract<RefusalFacts, { code: (typeof STEPS_BACK)[number] }>

/** Returns whether a refusal protects what devices were offered. */
export function isStepBack(facts: RefusalFacts): facts is StepBack {
  return STEPS_BACK.some((code) => code === facts.code)
}
