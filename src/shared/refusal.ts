import { z } from 'zod'
import { ClosedState } from './change-request.ts'
import { DOCUMENT_REFUSAL_KINDS, DOCUMENT_REFUSALS } from './document-refusal.ts'
import { HistoryEntry } from './history.ts'
import { HOSTING_REFUSAL_KINDS, HOSTING_REFUSALS } from './hosting-refusal.ts'
import { Timestamp } from './names.ts'
import { PERSON_REFUSAL_KINDS, PERSON_REFUSALS } from './person-refusal.ts'
import { PLAN_REFUSAL_KINDS, PLAN_REFUSALS } from './plan-refusal.ts'
import type { RefusalKind } from './refusal-kind.ts'
import { Role } from './role.ts'
import { StorageProblem } from './storage-problem.ts'
import { WEBHOOK_REFUSAL_KINDS, WEBHOOK_REFUSALS } from './webhook-refusal.ts'

/** The path to a member of the input, from the outside in: `['devices', '3', 'version']`. */
const path = z.array(z.string())
const app = z.string()
const channel = z.string()
const version = z.string()

/** What would make the second person that approval needs unnecessary. */
export const ProtectedAct = z.enum(['bypass_key', 'policy', 'removal', 'administrator', 'restore'])
export type ProtectedAct = z.infer<typeof ProtectedAct>

/**
 * Why the server rejects a request that the caller can correct. Sentences are made of it where they
 * are shown: see `wording/refusal.ts`.
 */
export const RefusalFacts = z.discriminatedUnion('code', [
  /** A schema refuses the input; `reason` is the rule that it breaks. */
  z.strictObject({ code: z.literal('invalid_input'), path, reason: z.string() }),
  z.strictObject({ code: z.literal('invalid_range'), path }),
  z.strictObject({
    code: z.literal('artifact_repeated'),
    path,
    platform: z.string(),
    arch: z.string(),
    /** Empty if it is not given. */
    kind: z.string(),
  }),
  /** Tauri does not install a file that its signature names another version for. */
  z.strictObject({
    code: z.literal('signed_for_other_version'),
    path,
    signed: z.string(),
    version,
  }),
  /** The device would have more labels, or bytes of labels, than it can keep. */
  z.strictObject({
    code: z.literal('labels_exceeded'),
    path,
    limit: z.enum(['labels', 'bytes']),
    maximum: z.int(),
  }),
  z.strictObject({ code: z.literal('not_on_channel'), path, app, channel }),
  z.strictObject({ code: z.literal('unconfirmed'), name: z.string() }),
  /** Null if it is their size and not their number that exceeds a file. */
  z.strictObject({
    code: z.literal('export_too_large'),
    entries: z.int().nullable(),
    maximum: z.int(),
  }),
  z.strictObject({ code: z.literal('too_many_devices'), devices: z.int(), maximum: z.int() }),
  z.strictObject({ code: z.literal('foreign_cursor') }),
  /** The version of the device is counted as other, so it is not known. */
  z.strictObject({ code: z.literal('version_needed'), deviceId: z.string() }),

  /** The caller does not have the role in the app; on the server if `app` is null. */
  z.strictObject({ code: z.literal('forbidden'), needs: Role, app: app.nullable() }),

  /** The channel requires approval for the change: a change request, or a key that may do without. */
  z.strictObject({ code: z.literal('approval_required'), app, channel, version }),
  /** The proposer of a change request cannot be the one who decides on it. */
  z.strictObject({ code: z.literal('second_person_needed') }),
  /** Who decides and who proposed may be one person with two accounts: one vouches for the other. */
  z.strictObject({ code: z.literal('independent_person_needed') }),
  /** Where approval is required, nobody does this over the network, as they could then release alone. */
  z.strictObject({ code: z.literal('second_person_bypassed'), act: ProtectedAct }),
  /** Only the proposer can withdraw a change request. */
  z.strictObject({ code: z.literal('not_proposer'), proposer: z.string() }),
  /** Who calls is no person, so that nobody could be told from somebody else. */
  z.strictObject({ code: z.literal('person_needed') }),
  z.strictObject({ code: z.literal('approval_not_needed'), app, channel, version }),
  /** The channel requires proof, and the release has none. */
  z.strictObject({ code: z.literal('not_proven'), app, channel, version }),
  /** A form was filled in with earlier proving settings of the app. */
  z.strictObject({ code: z.literal('proving_changed'), app }),
  /** Too many releases wait to be proven. */
  z.strictObject({ code: z.literal('proofs_busy'), maximum: z.int() }),
  z.strictObject({ code: z.literal('unknown_change_request') }),
  /** `by` is null for a request that expired. */
  z.strictObject({
    code: z.literal('change_request_closed'),
    state: ClosedState,
    by: z.string().nullable(),
    at: Timestamp,
  }),
  z.strictObject({
    code: z.literal('too_many_change_requests'),
    app,
    channel,
    maximum: z.int(),
  }),

  /** No further device fits on the early access list of the channel. */
  z.strictObject({ code: z.literal('early_access_full'), app, channel, maximum: z.int() }),

  z.strictObject({ code: z.literal('unknown_app'), app }),
  /** Null if every app was searched. */
  z.strictObject({ code: z.literal('unknown_channel'), app: app.nullable(), channel }),
  z.strictObject({ code: z.literal('unknown_release'), app, channel, version }),
  z.strictObject({ code: z.literal('unknown_draft'), app, channel, version }),
  /** A draft lacks artifacts that it is expected to have. Without `kind`, one of any kind would do. */
  z.strictObject({
    code: z.literal('draft_incomplete'),
    path,
    missing: z.array(
      z.strictObject({
        platform: z.string(),
        arch: z.string(),
        kind: z.string().optional(),
      }),
    ),
  }),
  z.strictObject({ code: z.literal('draft_full'), app, channel, version, maximum: z.int() }),
  /** `isOwn`: whoever asks has made so many. */
  z.strictObject({
    code: z.literal('too_many_drafts'),
    ...{ app, maximum: z.int(), isOwn: z.boolean() },
  }),
  /** A form was filled in with an earlier state of the draft, or while there was none. */
  z.strictObject({ code: z.literal('draft_changed'), app, channel, version }),
  z.strictObject({ code: z.literal('unknown_key'), prefix: z.string() }),
  z.strictObject({ code: z.literal('unknown_device'), app, deviceId: z.string() }),

  z.strictObject({ code: z.literal('app_exists'), app }),
  z.strictObject({ code: z.literal('channel_exists'), app, channel }),
  z.strictObject({ code: z.literal('release_exists'), app, channel, version }),
  /** A key that can be used has the name in the app, or for all apps if `app` is null. */
  z.strictObject({
    code: z.literal('key_exists'),
    app: app.nullable(),
    name: z.string(),
    prefix: z.string(),
  }),

  z.strictObject({ code: z.literal('release_rolled_back'), version }),

  /** Whole percent. */
  z.strictObject({ code: z.literal('rollout_lowered'), path, from: z.int(), to: z.int() }),
  z.strictObject({ code: z.literal('target_label_added'), path }),
  z.strictObject({ code: z.literal('target_value_removed'), path, value: z.string() }),
  z.strictObject({ code: z.literal('target_expressions_changed'), path }),
  z.strictObject({ code: z.literal('app_archived'), app }),
  /** A null `channel` stands for the app itself, here and below. */
  z.strictObject({ code: z.literal('still_served'), app, channel: channel.nullable() }),
  z.strictObject({ code: z.literal('changed_meanwhile'), app, channel: channel.nullable() }),
  /**
   * A form was filled in with an older state of a release, or of a channel if `version` is null. `changes`:
   * what happened since then, newest first; none if the database was replaced.
   */
  z.strictObject({
    code: z.literal('changed_since_seen'),
    app,
    channel,
    version: version.nullable(),
    changes: z.array(HistoryEntry),
  }),
  z.strictObject({ code: z.literal('last_channel'), app, channel: channel.nullable() }),
  /** The change is saved, but another server has not confirmed in time that it serves it. */
  z.strictObject({ code: z.literal('not_confirmed') }),
  /** There is no session, or it has ended. */
  z.strictObject({ code: z.literal('sign_in_needed') }),
  z.strictObject({ code: z.literal('unknown_backup'), problem: StorageProblem }),
  /** An uploaded backup that was restored, discarded or replaced, or was kept for too long. */
  z.strictObject({ code: z.literal('unknown_upload') }),
  /** Another backup is being uploaded, read or restored. */
  z.strictObject({ code: z.literal('restore_busy') }),
  /** Whatever started the server does not restart it. */
  z.strictObject({ code: z.literal('restore_elsewhere') }),
  z.strictObject({ code: z.literal('backup_failed'), problem: StorageProblem }),

  ...PERSON_REFUSALS,
  ...WEBHOOK_REFUSALS,
  ...HOSTING_REFUSALS,
  ...PLAN_REFUSALS,
  ...DOCUMENT_REFUSALS,
])
export type RefusalFacts = z.infer<typeof RefusalFacts>
export type RefusalCode = RefusalFacts['code']

/** The kind of every refusal, from which the status of an HTTP response follows. */
export const REFUSAL_KINDS: Readonly<Record<RefusalCode, RefusalKind>> = {
  invalid_input: 'invalid',
  invalid_range: 'invalid',
  artifact_repeated: 'invalid',
  signed_for_other_version: 'invalid',
  labels_exceeded: 'invalid',
  not_on_channel: 'invalid',
  unconfirmed: 'invalid',
  export_too_large: 'invalid',
  too_many_devices: 'invalid',
  foreign_cursor: 'invalid',
  version_needed: 'invalid',
  forbidden: 'forbidden',
  approval_required: 'forbidden',
  second_person_needed: 'forbidden',
  independent_person_needed: 'forbidden',
  second_person_bypassed: 'forbidden',
  not_proposer: 'forbidden',
  person_needed: 'forbidden',
  approval_not_needed: 'invariant',
  not_proven: 'invariant',
  proofs_busy: 'invariant',
  proving_changed: 'invariant',
  unknown_change_request: 'unknown',
  change_request_closed: 'invariant',
  too_many_change_requests: 'invariant',
  unknown_app: 'unknown',
  unknown_channel: 'unknown',
  unknown_release: 'unknown',
  unknown_key: 'unknown',
  unknown_draft: 'unknown',
  draft_incomplete: 'invariant',
  draft_full: 'invariant',
  too_many_drafts: 'invariant',
  draft_changed: 'invariant',
  unknown_device: 'unknown',
  app_exists: 'duplicate',
  channel_exists: 'duplicate',
  release_exists: 'duplicate',
  key_exists: 'duplicate',
  release_rolled_back: 'rolled_back',
  rollout_lowered: 'invariant',
  target_label_added: 'invariant',
  target_value_removed: 'invariant',
  target_expressions_changed: 'invariant',
  app_archived: 'invariant',
  still_served: 'invariant',
  changed_meanwhile: 'invariant',
  early_access_full: 'invariant',
  changed_since_seen: 'invariant',
  last_channel: 'invariant',
  not_confirmed: 'temporary',
  sign_in_needed: 'unauthenticated',
  unknown_backup: 'unknown',
  unknown_upload: 'unknown',
  restore_busy: 'invariant',
  restore_elsewhere: 'invariant',
  backup_failed: 'invariant',
  ...PERSON_REFUSAL_KINDS,
  ...WEBHOOK_REFUSAL_KINDS,
  ...HOSTING_REFUSAL_KINDS,
  ...PLAN_REFUSAL_KINDS,
  ...DOCUMENT_REFUSAL_KINDS,
}

/** A change that would take back what devices were offered; the path names the part of it. */
export type StepBack = Extract<
  RefusalFacts,
  {
    code:
      | 'rollout_lowered'
      | 'target_label_added'
      | 'target_value_removed'
      | 'target_expressions_changed'
  }
>

/** Returns whether a refusal protects what devices were offered. */
export function isStepBack(facts: RefusalFacts): facts is StepBack {
  switch (facts.code) {
    case 'rollout_lowered':
    case 'target_label_added':
    case 'target_value_removed':
    case 'target_expressions_changed':
      return true
    default:
      return false
  }
}
