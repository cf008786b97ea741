import { artifactTarget } from '../../artifacts/target.ts'
import { at, type Sentences, say } from '../../coded.ts'
import type { PlanRefusal } from '../../plans/plan-refusal.ts'
import type { ProtectedAct, RefusalFacts, StepBack } from '../../refusal.ts'
import { DOCUMENT_SENTENCES } from '../document.ts'
import { formatCount, formatCounted, formatList, formatPercent } from '../format.ts'
import { backupProblemSentence } from '../operation/storage-problem.ts'
import { preflightInShort } from '../preflight.ts'
import { HOSTING_SENTENCES } from './hosting-refusal.ts'
import { PERSON_SENTENCES, roleName } from './person-refusal.ts'

/** The messages of the refusals about plans and freezes, as `refusalSentence` returns them. */
const PLAN_SENTENCES: Sentences<PlanRefusal> = {
  unknown_plan: ({ version, app, channel }) =>
    `release ${version} of ${app}/${channel} has no plan`,
  plan_with_rollout: ({ path }) =>
    at(path, 'must be left out with a plan, which raises the rollout from 0%'),
  plan_done: ({ path }) =>
    at(path, 'the release is already served to every device that these steps reach'),
  plan_narrows: ({ path }) =>
    at(path, 'the release is already served to devices outside of these rings'),
  ring_not_targeted: ({ path, ring }) =>
    at(path, `the targets of the release do not include the ring "${ring}"`),
  ring_not_early: ({ path, ring, rolloutPct, app, channel }) => {
    const why = `the ring "${ring}" would be in the rollout of ${formatPercent(rolloutPct)} only in part`
    return at(path, `${why}; add ring=${ring} to the early access of ${app}/${channel}`)
  },
  plan_release_paused: ({ version }) => `release ${version} is paused; resume it first`,
  plan_ended: ({ status, version }) =>
    status === 'finished'
      ? `the plan of ${version} has finished; set another one`
      : `the plan of ${version} was stopped; set another one`,
  plan_targets_changed: ({ version }) =>
    `the targets of ${version} were changed by hand while its plan was at a ring; set the plan again`,
  freezes_changed: ({ app }) =>
    `the freezes of app "${app}" have changed in the meantime; review them and try again`,
}

/**
 * Returns the message of a refusal in the public API, the command line and the console, without a
 * full stop: `<path>: <reason>` if it concerns a part of the input.
 */
export function refusalSentence(facts: RefusalFacts): string {
  return say(SENTENCES, facts)
}

const SENTENCES: Sentences<RefusalFacts> = {
  invalid_input: ({ path, reason }) => at(path, reason),
  invalid_range: ({ path }) => at(path, 'is not a version range'),
  artifact_repeated: ({ path, ...target }) =>
    at(
      path,
      `duplicate artifact for ${artifactTarget(target)}; use one per platform, arch and kind`,
    ),
  signed_for_other_version: ({ path, version, signed }) =>
    at(
      path,
      `is a signature for version ${signed}, not ${version}; sign the file for the version that is published`,
    ),
  labels_exceeded: (facts) => {
    const unit = facts.limit === 'labels' ? 'labels' : 'bytes of labels'
    return at(facts.path, `exceeds the limit of ${facts.maximum} ${unit} per device`)
  },
  not_on_channel: ({ path, app, channel }) => at(path, `must be a release of ${app}/${channel}`),
  unconfirmed: ({ name }) => `confirmation: type ${name} to confirm`,
  export_too_large: (facts) => {
    const why =
      facts.entries === null
        ? 'the entries are too large for one file'
        : `${facts.entries} entries exceed the limit of ${facts.maximum} per file`
    return `from: ${why}; choose a later start date or narrow the filter`
  },
  too_many_devices: ({ devices, maximum }) =>
    `${formatCount(devices)} devices exceed the limit of ${formatCount(maximum)} per file; narrow the filter`,
  foreign_cursor: () => 'cursor: belongs to a different list; leave it out for the first page',
  version_needed: ({ deviceId }) =>
    `version: required, because the version of "${deviceId}" is unknown`,
  forbidden: (facts) => {
    const where = facts.app === null ? 'on this server' : `in app "${facts.app}"`
    return `requires the role ${roleName(facts.needs)} ${where}; ask an administrator to change your role`
  },
  approval_required: ({ app, channel, version }) =>
    `${named(app, channel)} requires approval for this change of ${version}; request it in the console, or use an API key that may bypass approval`,
  second_person_needed: () => 'you proposed this change, so another person must decide on it',
  independent_person_needed: () =>
    'one person may have both accounts, because the other one was invited, raised or reset while approval was required; another person must decide on this change',
  second_person_bypassed: ({ act }) =>
    `${PROTECTED_ACTS[act]}, because one person could then release without approval`,
  not_proposer: ({ proposer }) => `only ${proposer} can withdraw this change request`,
  person_needed: () => 'change requests are for people; sign in to the console',
  preflight_failed: (facts) => preflightInShort('fails', facts),
  not_proven: ({ version, app, channel }) =>
    `${version} is not proven, which ${named(app, channel)} requires; prove it first`,
  proving_changed: ({ app }) =>
    `the proving settings of app "${app}" have changed in the meantime; review them and try again`,
  proofs_busy: ({ maximum }) =>
    `${formatCount(maximum)} releases are being proven already; try again later`,
  approval_not_needed: ({ version, app, channel }) =>
    `this change of ${version} on ${app}/${channel} does not require approval`,
  unknown_change_request: () => 'unknown change request',
  change_request_closed: ({ by, state }) =>
    by === null
      ? 'this change request has expired; request the change again'
      : `this change request was already ${state} by ${by}`,
  too_many_change_requests: ({ app, channel, maximum }) =>
    `${named(app, channel)} has ${maximum} open change requests, the maximum; decide on some of them first`,
  unknown_app: ({ app }) => `unknown app "${app}"`,
  unknown_channel: ({ app, channel }) =>
    app === null ? `unknown channel "${channel}"` : `unknown ${named(app, channel)}`,
  unknown_release: ({ version, app, channel }) => `unknown release ${version} of ${app}/${channel}`,
  unknown_draft: ({ version, app, channel }) => `no draft of ${version} on ${app}/${channel}`,
  draft_incomplete: ({ path, missing }) =>
    at(path, `the draft has no artifact for ${formatList(missing.map(artifactTarget))}`),
  draft_full: ({ version, maximum }) =>
    `the draft of ${version} would have more than ${formatCount(maximum)} artifacts`,
  too_many_drafts: ({ isOwn, maximum, app }) =>
    isOwn
      ? `you have made ${formatCount(maximum)} drafts of app "${app}"; publish or delete one first`
      : `app "${app}" has ${formatCount(maximum)} drafts; publish or delete one first`,
  draft_changed: ({ version, app, channel }) =>
    `the draft of ${version} on ${app}/${channel} has changed since you opened it; review it and try again`,
  unknown_key: ({ prefix }) => `unknown key "${prefix}"`,
  unknown_device: ({ deviceId, app }) => `unknown device "${deviceId}" of app "${app}"`,
  app_exists: ({ app }) => `app "${app}" already exists`,
  channel_exists: ({ app, channel }) => `${named(app, channel)} already exists`,
  release_exists: ({ version, app, channel }) =>
    `version ${version} of ${app}/${channel} already exists`,
  key_exists: ({ app, name, prefix }) => {
    const where = app === null ? 'for all apps' : `of app "${app}"`
    return `name: key ${prefix}… ${where} is already named "${name}"; choose another name, or revoke that key first`
  },
  release_rolled_back: ({ version }) =>
    `release ${version} was rolled back and cannot be served again`,
  rollout_lowered: (facts) => at(facts.path, stepBackReason(facts)),
  target_label_added: (facts) => at(facts.path, stepBackReason(facts)),
  target_value_removed: (facts) => at(facts.path, stepBackReason(facts)),
  target_expressions_changed: (facts) => at(facts.path, stepBackReason(facts)),
  app_archived: ({ app }) => `app "${app}" is archived; restore it first`,
  still_served: ({ app, channel }) =>
    `${named(app, channel)} has published releases; archive the app or roll them back first`,
  changed_meanwhile: ({ app, channel }) =>
    `${named(app, channel)} has changed in the meantime; review it and try again`,
  early_access_full: ({ app, channel, maximum }) =>
    `the early access list of ${app}/${channel} already has ${formatCounted(maximum, 'device ID')}; use a label instead`,
  changed_since_seen: ({ app, channel, version }) => {
    const what = version === null ? named(app, channel) : `release ${version} of ${app}/${channel}`
    return `${what} has changed since you opened it; review the change and try again`
  },
  last_channel: ({ app, channel }) =>
    `${named(app, channel)} cannot be removed; an app needs at least one channel`,
  not_confirmed: () =>
    'the change is saved, but not every server has confirmed it yet; check again in a few seconds',
  outcome_unknown: () =>
    'no answer came, and it is not known whether the change was made; check before you try again',
  idempotency_key_reused: () =>
    'Idempotency-Key: was used for another call; use a new key for every call',
  sign_in_needed: () => 'sign in first',
  unknown_upload: () => 'the uploaded backup is no longer on the server; upload it again',
  restore_busy: () =>
    'another backup is being uploaded, verified or restored; try again when that is done',
  restore_elsewhere: () =>
    'this server cannot restart itself; restore the backup with the desktop app or the command line',
  unknown_backup: ({ problem }) => backupProblemSentence(problem),
  backup_failed: ({ problem }) => backupProblemSentence(problem),
  unknown_webhook: () => 'unknown webhook',
  unknown_delivery: () => 'this delivery is no longer kept',
  too_many_webhooks: ({ maximum }) =>
    `a server can have at most ${formatCount(maximum)} webhooks; delete one first`,
  webhook_changed: ({ name }) =>
    `webhook "${name}" has changed in the meantime; review it and try again`,
  webhook_disabled: ({ name }) => `webhook "${name}" is disabled; enable it first`,
  private_address: ({ path, host }) =>
    at(
      path,
      `${host} is a private address; start the server with --webhook-private-host ${host} to allow it`,
    ),
  push_service_unknown: ({ path, host }) =>
    at(
      path,
      `push notifications of this browser go to ${host}, which this server does not send to; start it with --push-host ${host} to allow it`,
    ),
  too_many_browsers: ({ maximum }) =>
    `a person can have push notifications in at most ${formatCount(maximum)} browsers; remove one first`,
  ...DOCUMENT_SENTENCES,
  ...HOSTING_SENTENCES,
  ...PLAN_SENTENCES,
  ...PERSON_SENTENCES,
}

/** What is refused over the network where approval is required, and the way out. */
const PROTECTED_ACTS: Readonly<Record<ProtectedAct, string>> = {
  bypass_key:
    'bypassApproval: while approval is required, use "key mint --bypass-approval" on the server\'s machine',
  policy:
    'while the channel requires approval, use "channel policy" or "channel early-access" on the server\'s machine for this change',
  removal:
    'while approval is required, turn it off with "channel policy" on the server\'s machine before you delete the channel or app',
  administrator:
    'access: while approval is required, use "person invite" on the server\'s machine to add an administrator',
  restore: 'while approval is required, use "restore" on the server\'s machine',
}

/** Returns why a step back is refused, to follow the name of the part or a pronoun. */
export function stepBackReason(facts: StepBack): string {
  return `${say(STEPS, facts)} because the release has already been offered to devices`
}

const STEPS: Sentences<StepBack> = {
  rollout_lowered: ({ from, to }) =>
    `cannot be lowered from ${formatPercent(from)} to ${formatPercent(to)}`,
  target_label_added: () => 'cannot be added',
  target_value_removed: ({ value }) => `cannot drop the value ${JSON.stringify(value)}`,
  target_expressions_changed: () => 'cannot be changed',
}

function named(app: string, channel: string | null): string {
  return channel === null ? `app "${app}"` : `channel "${channel}" of app "${app}"`
}
