import type {
  CandidateTrace,
  DecisionExplanation,
  DecisionNote,
  FailedCondition,
} from '../explanation.ts'
import type { DecisionReason } from '../manifest.ts'
import { DEVICE_KEYS } from '../targets.ts'
import { formatPercent } from './format.ts'

/** The reason of a decision as a label, in the list of check-ins and in the live feed. */
export const REASON_LABELS: Readonly<Record<DecisionReason, string>> = {
  update: 'Offered an update',
  rollback: 'Offered a downgrade',
  up_to_date: 'Up to date',
  no_release: 'Nothing to offer',
  not_targeted: 'Not targeted',
  outside_cohort: 'Outside the rollout',
  no_artifact: 'No artifact',
}

/** What became of a candidate, as a label. */
export const OUTCOME_LABELS: Readonly<Record<CandidateTrace['outcome'], string>> = {
  ...REASON_LABELS,
  offered: 'Offered',
}

/** Returns the outcome of a decision in one sentence. */
export function outcomeSentence(explanation: DecisionExplanation): string {
  const { app, channel, version, platform, arch, reason, offer, hasPublished } = explanation
  const latest = explanation.candidates[0]?.version
  const offered = `${offer?.version} (${offer?.updateMode})`
  switch (reason) {
    case 'update':
      return `Update: it is offered ${offered}.`
    case 'rollback':
      return `Roll-back: ${version} was rolled back, so it is sent down to ${offered}.`
    case 'up_to_date':
      return `No update: it is up to date, for nothing above ${version} is published.`
    case 'no_release':
      return hasPublished
        ? `No update: ${version} was rolled back, and nothing below it is published.`
        : `No update: nothing is published on ${app}/${channel}.`
    case 'not_targeted':
      return `No update: the targets of ${latest} do not mean it.`
    case 'outside_cohort':
      return `No update: it is outside the rollout of ${latest}.`
    case 'no_artifact':
      return `No update: ${latest} has no artifact for ${platform} ${arch}.`
  }
}

/** Returns one of the explanation's notes as a sentence. */
export function noteSentence(note: DecisionNote, explanation: DecisionExplanation): string {
  const { app, channel, version, offer } = explanation
  switch (note.code) {
    case 'version_rolled_back': {
      const rule =
        note.rollback === 'downgrade'
          ? 'sends a device on it down, to the newest published release below it'
          : 'rolls forward: releases above it are tried first, then those below it'
      return `${version} was rolled back, and ${app}/${channel} ${rule}.`
    }
    case 'below_minimum': {
      const below = `${version} is below ${note.minimumSupported}, the minimum supported version`
      return offer === null
        ? `${below}, and still there is nothing for it to move to.`
        : `${below}, so the update is required.`
    }
    case 'updates_required':
      return `Every update on ${app}/${channel} is required.`
    case 'not_served':
      return note.status === 'paused'
        ? `${note.version} is paused, so nobody is offered it.`
        : `${note.version} was rolled back, so nobody is offered it again.`
    case 'unknown_system':
      return 'The platform and architecture of the device are unknown, so no artifact matches.'
    case 'app_archived':
      return `${app} is archived: its devices are answered nothing until it is restored.`
  }
}

/** Returns why a candidate was offered or passed over, as half a sentence: `bucket 0.4213 is not below 25%`. */
export function causePhrase(candidate: CandidateTrace): string {
  switch (candidate.outcome) {
    case 'no_artifact':
      return `no artifact for ${candidate.platform} ${candidate.arch}`
    case 'not_targeted':
      return conditionPhrase(candidate.condition)
    case 'offered':
    case 'outside_cohort':
      return rolloutPhrase(candidate)
  }
}

function rolloutPhrase({ outcome, rollout }: Extract<CandidateTrace, { rollout: object }>): string {
  const { percent, bucket } = rollout
  if (percent === 100) return `the rollout is at ${formatPercent(100)}`
  if (bucket === null)
    return `the rollout is at ${formatPercent(percent)}, and the device has no id`
  // Cut off, not rounded: 0.24999 must not read as if it were not below 25%.
  const shown = (Math.floor(bucket * 10_000) / 10_000).toFixed(4)
  return `bucket ${shown} ${outcome === 'offered' ? 'is' : 'is not'} below ${formatPercent(percent)}`
}

function conditionPhrase(condition: FailedCondition): string {
  const { key } = condition
  const name = DEVICE_KEYS.some((deviceKey) => deviceKey === key) ? key : `label ${key}`
  if (condition.code === 'not_set') return `${name} is not set`
  const is = `${name} is ${JSON.stringify(condition.value)}`
  if (condition.code === 'not_a_version') return `${is}, which is not a version`
  switch (condition.operator) {
    case 'In':
      return `${is}, not one of ${listed(condition)}`
    case 'NotIn':
      return `${is}, one of the excluded ${listed(condition)}`
    case 'Exists':
    case 'DoesNotExist':
      return `${is}, but must not be set`
    case 'VersionIn':
      return `${is}, not in ${listed(condition)}`
  }
}

function listed({ values, moreValues }: Extract<FailedCondition, { code: 'mismatch' }>): string {
  const shown = values.map((value) => JSON.stringify(value)).join(', ')
  return moreValues === 0 ? shown : `${shown} and ${moreValues} more`
}
