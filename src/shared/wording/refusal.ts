import type { ProtectedAct, RefusalFacts, StepBack } from '../refusal.ts'
import { documentRefusalReason, isDocumentRefusal } from './document.ts'
import { draftRefusalSentence } from './draft-refusal.ts'
import { formatCount, formatCounted, formatPercent } from './format.ts'
import { hostingRefusalSentence } from './hosting-refusal.ts'
import { personRefusalSentence } from './person-refusal.ts'
import { planRefusalSentence } from './plan-refusal.ts'
import { roleName } from './role.ts'
import { backupProblemSentence } from './storage-problem.ts'
import { webhookRefusalSentence } from './webhook-refusal.ts'

/**
 * Returns the message of a refusal in the public API, the command line and the console, without a
 * full stop: `<path>: <reason>` if it concerns a part of the input.
 */
export function refusalSentence(facts: RefusalFacts): string {
  if (isDocumentRefusal(facts)) return at(facts.path, documentRefusalReason(facts))
  switch (facts.code) {
    case 'invalid_input':
      return facts.path.length === 0 ? facts.reason : at(facts.path, facts.reason)
    case 'invalid_range':
      return at(facts.path, 'is not a version range')
    case 'artifact_repeated': {
      const { platform, arch, kind, path } = facts
      const what = [platform, arch, kind].filter((part) => part !== '').join(' ')
      return at(path, `duplicate artifact for ${what}; use one per platform, arch and kind`)
    }
    case 'signed_for_other_version':
      return at(
        facts.path,
        `is a signature for version ${facts.signed}, not ${facts.version}; sign the file for the version that is published`,
      )
    case 'labels_exceeded': {
      const unit = facts.limit === 'labels' ? 'labels' : 'bytes of labels'
      return at(facts.path, `exceeds the limit of ${facts.maximum} ${unit} per device`)
    }
    case 'not_on_channel':
      return at(facts.path, `must be a release of ${facts.app}/${facts.channel}`)
    case 'unconfirmed':
      return `confirmation: type ${facts.name} to confirm`
    case 'export_too_large': {
      const why =
        facts.entries === null
          ? 'the entries are too large for one file'
          : `${facts.entries} entries exceed the limit of ${facts.maximum} per file`
      return `from: ${why}; choose a later start date or narrow the filter`
    }
    case 'too_many_devices': {
      const counts = `${formatCount(facts.devices)} devices exceed the limit of ${formatCount(facts.maximum)} per file`
      return `${counts}; narrow the filter`
    }
    case 'foreign_cursor':
      return 'cursor: belongs to a different list; leave it out for the first page'
    case 'version_needed':
      return `version: required, because the version of "${facts.deviceId}" is unknown`
    case 'forbidden': {
      const where = facts.app === null ? 'on this server' : `in app "${facts.app}"`
      return `requires the role ${roleName(facts.needs)} ${where}; ask an administrator to change your role`
    }
    case 'approval_required': {
      const what = `${named(facts.app, facts.channel)} requires approval for this change of ${facts.version}`
      return `${what}; request it in the console, or use an API key that may bypass approval`
    }
    case 'second_person_needed':
      return 'you proposed this change, so another person must decide on it'
    case 'independent_person_needed':
      return 'one person may have both accounts, because the other one was invited, raised or reset while approval was required; another person must decide on this change'
    case 'second_person_bypassed':
      return `${PROTECTED_ACTS[facts.act]}, because one person could then release without approval`
    case 'not_proposer':
      return `only ${facts.proposer} can withdraw this change request`
    case 'person_needed':
      return 'change requests are for people; sign in to the console'
    case 'not_proven':
      return `${facts.version} is not proven, which ${named(facts.app, facts.channel)} requires; prove it first`
    case 'proving_changed':
      return `the proving settings of app "${facts.app}" have changed in the meantime; review them and try again`
    case 'proofs_busy':
      return `${formatCount(facts.maximum)} releases are being proven already; try again later`
    case 'approval_not_needed':
      return `this change of ${facts.version} on ${facts.app}/${facts.channel} does not require approval`
    case 'unknown_change_request':
      return 'unknown change request'
    case 'change_request_closed':
      return facts.by === null
        ? 'this change request has expired; request the change again'
        : `this change request was already ${facts.state} by ${facts.by}`
    case 'too_many_change_requests':
      return `${named(facts.app, facts.channel)} has ${facts.maximum} open change requests, the maximum; decide on some of them first`
    case 'unknown_app':
      return `unknown app "${facts.app}"`
    case 'unknown_channel': {
      const { app, channel } = facts
      return app === null ? `unknown channel "${channel}"` : `unknown ${named(app, channel)}`
    }
    case 'unknown_release':
      return `unknown release ${facts.version} of ${facts.app}/${facts.channel}`
    case 'unknown_draft':
    case 'draft_incomplete':
    case 'draft_full':
    case 'too_many_drafts':
    case 'draft_changed':
      return draftRefusalSentence(facts)
    case 'unknown_key':
      return `unknown key "${facts.prefix}"`
    case 'unknown_device':
      return `unknown device "${facts.deviceId}" of app "${facts.app}"`
    case 'app_exists':
      return `app "${facts.app}" already exists`
    case 'channel_exists':
      return `${named(facts.app, facts.channel)} already exists`
    case 'release_exists':
      return `version ${facts.version} of ${facts.app}/${facts.channel} already exists`
    case 'key_exists': {
      const { app, name, prefix } = facts
      const where = app === null ? 'for all apps' : `of app "${app}"`
      return `name: key ${prefix}… ${where} is already named "${name}"; choose another name, or revoke that key first`
    }
    case 'release_rolled_back':
      return `release ${facts.version} was rolled back and cannot be served again`
    case 'rollout_lowered':
    case 'target_label_added':
    case 'target_value_removed':
    case 'target_expressions_changed':
      return at(facts.path, stepBackReason(facts))
    case 'app_archived':
      return `app "${facts.app}" is archived; restore it first`
    case 'still_served': {
      const fix = 'archive the app or roll them back first'
      return `${named(facts.app, facts.channel)} has published releases; ${fix}`
    }
    case 'changed_meanwhile':
      return `${named(facts.app, facts.channel)} has changed in the meantime; review it and try again`
    case 'early_access_full':
      return `the early access list of ${facts.app}/${facts.channel} already has ${formatCounted(facts.maximum, 'device ID')}; use a label instead`
    case 'changed_since_seen': {
      const { app, channel, version } = facts
      const what =
        version === null ? named(app, channel) : `release ${version} of ${app}/${channel}`
      return `${what} has changed since you opened it; review the change and try again`
    }
    case 'last_channel':
      return `${named(facts.app, facts.channel)} cannot be removed; an app needs at least one channel`
    case 'not_confirmed':
      return 'the change is saved, but not every server has confirmed it yet; check again in a few seconds'
    case 'sign_in_needed':
      return 'sign in first'
    case 'unknown_upload':
      return 'the uploaded backup is no longer on the server; upload it again'
    case 'restore_busy':
      return 'another backup is being uploaded, verified or restored; try again when that is done'
    case 'restore_elsewhere':
      return 'this server cannot restart itself; restore the backup with the desktop app or the command line'
    case 'unknown_backup':
    case 'backup_failed':
      return backupProblemSentence(facts.problem)
    case 'unknown_webhook':
    case 'unknown_delivery':
    case 'too_many_webhooks':
    case 'webhook_changed':
    case 'webhook_disabled':
    case 'private_address':
      return webhookRefusalSentence(facts)
    case 'hosting_off':
    case 'hosting_full':
    case 'too_many_uploads':
    case 'unknown_file_upload':
    case 'upload_busy':
    case 'upload_differs':
    case 'unknown_file':
    case 'file_not_stored':
    case 'file_in_use':
    case 'file_being_stored':
    case 'bucket_unavailable':
      return hostingRefusalSentence(facts)
    case 'unknown_plan':
    case 'plan_with_rollout':
    case 'plan_done':
    case 'plan_narrows':
    case 'ring_not_targeted':
    case 'ring_not_early':
    case 'plan_release_paused':
    case 'plan_ended':
    case 'plan_targets_changed':
    case 'freezes_changed':
      return planRefusalSentence(facts)
    default:
      return personRefusalSentence(facts)
  }
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
  return `${stepOf(facts)} because the release has already been offered to devices`
}

function stepOf(facts: StepBack): string {
  switch (facts.code) {
    case 'rollout_lowered':
      return `cannot be lowered from ${formatPercent(facts.from)} to ${formatPercent(facts.to)}`
    case 'target_label_added':
      return 'cannot be added'
    case 'target_value_removed':
      return `cannot drop the value ${JSON.stringify(facts.value)}`
    case 'target_expressions_changed':
      return 'cannot be changed'
  }
}

function at(path: readonly string[], reason: string): string {
  return `${path.join('.')}: ${reason}`
}

function named(app: string, channel: string | null): string {
  return channel === null ? `app "${app}"` : `channel "${channel}" of app "${app}"`
}
