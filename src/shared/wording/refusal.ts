import type { RefusalFacts, StepBack } from '../refusal.ts'
import { storageProblemSentence } from './storage-problem.ts'

/**
 * Returns a refusal as the public API, the command line and the console say it, without a full stop:
 * `<path>: <reason>` where it names a part of the input.
 */
export function refusalSentence(facts: RefusalFacts): string {
  switch (facts.code) {
    case 'invalid_input':
      return facts.path.length === 0 ? facts.reason : at(facts.path, facts.reason)
    case 'invalid_range':
      return at(facts.path, 'is not a version range')
    case 'artifact_repeated': {
      const what = `is a second artifact for ${facts.platform} ${facts.arch}`
      return at(facts.path, `${what}; give one per platform and arch`)
    }
    case 'labels_exceeded': {
      const unit = facts.limit === 'labels' ? 'labels' : 'bytes of labels'
      return at(facts.path, `would give the device more than ${facts.maximum} ${unit}`)
    }
    case 'not_on_channel':
      return at(facts.path, `must be a release of ${facts.app}/${facts.channel}`)
    case 'unconfirmed':
      return `confirmation: type ${facts.name} to confirm`
    case 'export_too_large': {
      const why =
        facts.entries === null
          ? 'the entries do not fit'
          : `of ${facts.entries} entries only ${facts.maximum} fit`
      const fix = 'choose a later first day, or another filter, and export the rest on its own'
      return `from: ${why} into one file; ${fix}`
    }
    case 'foreign_cursor':
      return 'cursor: is of another list: leave it out for the first page'
    case 'version_needed':
      return `version: required, because "${facts.deviceId}" is counted as other`
    case 'unknown_app':
      return `unknown app "${facts.app}"`
    case 'unknown_channel': {
      const { app, channel } = facts
      return app === null ? `unknown channel "${channel}"` : `unknown ${named(app, channel)}`
    }
    case 'unknown_release':
      return `unknown release ${facts.version} of ${facts.app}/${facts.channel}`
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
    case 'release_rolled_back':
      return `release ${facts.version} was rolled back and cannot be served again`
    case 'rollout_lowered':
    case 'target_label_added':
    case 'target_value_removed':
    case 'target_expressions_changed':
      return at(facts.path, stepBackReason(facts))
    case 'app_archived':
      return `app "${facts.app}" is archived: restore it first`
    case 'still_served': {
      const fix = 'archive the app or roll them back first'
      return `${named(facts.app, facts.channel)} serves published releases: ${fix}`
    }
    case 'changed_meanwhile':
      return `${named(facts.app, facts.channel)} was changed by somebody else: look again`
    case 'changed_since_seen': {
      const { app, channel, version } = facts
      const what =
        version === null ? named(app, channel) : `release ${version} of ${app}/${channel}`
      return `${what} has changed since you opened it: review the change and try again`
    }
    case 'last_channel': {
      const rule = 'an app keeps at least one channel'
      return `${named(facts.app, facts.channel)} is the only one: ${rule}`
    }
    case 'unknown_backup':
    case 'backup_failed':
      return storageProblemSentence(facts.problem)
  }
}

/** Returns why a step back is refused, to be put after the name of the part or a pronoun. */
export function stepBackReason(facts: StepBack): string {
  return `${stepOf(facts)}: the release has been offered to devices`
}

function stepOf(facts: StepBack): string {
  switch (facts.code) {
    case 'rollout_lowered':
      return `cannot go down from ${facts.from} to ${facts.to}`
    case 'target_label_added':
      return 'cannot be added'
    case 'target_value_removed':
      return `cannot lose ${JSON.stringify(facts.value)}`
    case 'target_expressions_changed':
      return 'cannot change'
  }
}

function at(path: readonly string[], reason: string): string {
  return `${path.join('.')}: ${reason}`
}

function named(app: string, channel: string | null): string {
  return channel === null ? `app "${app}"` : `channel "${channel}" of app "${app}"`
}
