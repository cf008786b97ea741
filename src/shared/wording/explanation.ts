import { DEVICE_KEYS } from '../devices/counting.ts'
import type {
  Admission,
  CandidateTrace,
  DecisionExplanation,
  DecisionNote,
  FailedCondition,
} from '../devices/explanation.ts'
import type { DecisionReason } from '../releases/manifest.ts'
import type { Operator } from '../releases/targets.ts'
import { systemInWords } from './artifacts.ts'
import { formatList, formatPercent } from './format.ts'
import { CLIENT_NAMES } from './updater-client.ts'

const UPDATERS = { electron: 'electron-updater', sparkle: 'Sparkle' } as const

/** The reason of a decision as a label, in the list of check-ins and in the live feed. */
export const REASON_LABELS: Readonly<Record<DecisionReason, string>> = {
  update: 'Update offered',
  rollback: 'Downgrade offered',
  up_to_date: 'Up to date',
  no_release: 'No release',
  not_targeted: 'Not targeted',
  outside_cohort: 'Not in rollout',
  no_artifact: 'No artifact',
  system_too_old: 'System too old',
}

/** The outcome of a candidate as a label. */
export const OUTCOME_LABELS: Readonly<Record<CandidateTrace['outcome'], string>> = {
  ...REASON_LABELS,
  offered: 'Offered',
  not_taken: 'Not newer',
}

/** Returns the outcome of a decision in one sentence. */
export function outcomeSentence(explanation: DecisionExplanation): string {
  const { app, channel, version, platform, arch, bundle, reason, offer, hasPublished } = explanation
  // One that the updater would not install is not why the others are not offered.
  const first = explanation.candidates.find(({ outcome }) => outcome !== 'not_taken')
  const latest = first?.version
  const offered = `${offer?.version} (${offer?.updateMode})`
  const lack = first?.outcome === 'no_artifact' ? first : { platform, arch, bundle, kinds: [] }
  const [refused] = explanation.candidates
  const sentences: Record<DecisionReason, string> = {
    update: `Update offered: ${offered}.`,
    rollback: `Downgrade offered: ${offered}, because ${version} was rolled back.`,
    up_to_date:
      refused?.outcome === 'not_taken'
        ? `No update: the updater would not install ${refused.version} over ${version}.`
        : `No update: no version above ${version} is published.`,
    no_release: hasPublished
      ? `No update: ${version} was rolled back, and no version below it is published.`
      : `No update: ${app}/${channel} has no published releases.`,
    not_targeted: `No update: this device does not match the targets of ${latest}.`,
    outside_cohort:
      first?.outcome === 'outside_cohort' && first.rollout.waits
        ? `No update: new offers of ${latest} wait, because it seems to fail.`
        : `No update: this device is not in the rollout of ${latest}.`,
    no_artifact: `No update: ${latest} has ${lackPhrase(lack)}.`,
    system_too_old: `No update: ${latest} needs a newer operating system than this device has.`,
  }
  return sentences[reason]
}

/** Returns one of the explanation's notes as a sentence. */
export function noteSentence(note: DecisionNote, explanation: DecisionExplanation): string {
  const { app, channel, version, offer } = explanation
  switch (note.code) {
    case 'version_rolled_back': {
      const behavior =
        note.rollback === 'downgrade'
          ? 'downgrade to the latest published version below it'
          : 'roll forward to a version above it, or else to one below it'
      return `${version} was rolled back. Rollback behavior of ${app}/${channel}: ${behavior}.`
    }
    case 'other_build_rolled_back':
      return `${note.version} was rolled back, but this device is on ${version}, which is another release because of its build metadata, so it is not moved off it. Publish with the version that the app reports.`
    case 'below_minimum': {
      const below = `${version} is below the minimum supported version ${note.minimumSupported}`
      return offer === null
        ? `${below}, but no update is available.`
        : `${below}, so the update is required.`
    }
    case 'updates_required':
      return `All updates on ${app}/${channel} are required.`
    case 'not_served':
      return note.status === 'paused'
        ? `${note.version} is paused, so it is not offered.`
        : `${note.version} was rolled back, so it is no longer offered.`
    case 'unknown_system':
      return 'The platform or architecture of the device is unknown, so no artifact matches.'
    case 'system_unreadable':
      return `The operating system of the device, ${JSON.stringify(note.system)}, is not a version that can be compared, so no release is skipped because of it.`
    case 'app_archived':
      return `${app} is archived. Its devices receive no updates until it is restored.`
    case 'early_access': {
      const how = note.by === 'device_id' ? 'by its ID' : 'by its labels'
      return `This device has early access on ${app}/${channel} ${how}: it is in every rollout above 0%.`
    }
    case 'signed_document':
      return `Apps with ${UPDATERS[note.updater]} get ${note.name} unchanged.`
    case 'held_back': {
      const until = note.until === null ? '' : `, until ${note.until.slice(0, 10)} at the earliest`
      return `The plan of ${note.version} holds back ${formatPercent(note.percent)} of devices, and this one is among them${until}.`
    }
    case 'manual_check':
      return note.allowed
        ? `Manual check: on ${app}/${channel} it is in every rollout above 0%.`
        : `Manual check: ${app}/${channel} does not let it skip the rollout.`
  }
}

/** Returns why a candidate was offered or skipped, as a phrase: `not in the 25% rollout (this device is at 42.13%)`. */
export function causePhrase(candidate: CandidateTrace): string {
  switch (candidate.outcome) {
    case 'no_artifact':
      return lackPhrase(candidate)
    case 'system_too_old': {
      const { platform, floor, system } = candidate
      const [needed, has] = [floor, system].map((each) => systemInWords(platform, each))
      return `needs ${needed}, and the device has ${has}`
    }
    case 'not_taken':
      return `to the updater, ${candidate.compared} is not above ${candidate.running}`
    case 'not_targeted':
      return conditionPhrase(candidate.condition)
    case 'offered':
    case 'outside_cohort':
      return rolloutPhrase(candidate)
  }
}

const ADMISSIONS: Readonly<Record<Admission, string>> = {
  early_access: 'early access',
  manual_check: 'manual check',
}

type Lack = Pick<
  Extract<CandidateTrace, { kinds: object }>,
  'platform' | 'arch' | 'bundle' | 'kinds' | 'client'
>

function lackPhrase({ platform, arch, bundle, kinds, client }: Lack): string {
  const system = `${platform} ${arch}`
  if (client !== undefined) return `no file for ${system} that ${CLIENT_NAMES[client]} installs`
  if (kinds.length === 0) return `no artifact for ${system}`
  const has = `only ${formatList(kinds)} for ${system}`
  return bundle === ''
    ? `${has}, and the device does not name a bundle kind`
    : `${has}, not ${bundle}`
}

function rolloutPhrase({ outcome, rollout }: Extract<CandidateTrace, { rollout: object }>): string {
  const { percent, bucket, admission, waits } = rollout
  if (percent === 100 && !waits && admission === null) return 'rollout is 100%'
  const place = waits
    ? `in the ${formatPercent(percent)} rollout, but new offers wait`
    : `${outcome === 'offered' ? 'in' : 'not in'} the ${formatPercent(percent)} rollout`
  if (admission !== null) return `${place} (${ADMISSIONS[admission]})`
  if (bucket === null) return `${place} (the device has no ID)`
  // Cut off, not rounded: 24.999% must not read as if it were not below 25%.
  return `${place} (this device is at ${(Math.floor(bucket * 10_000) / 100).toFixed(2)}%)`
}

function conditionPhrase(condition: FailedCondition): string {
  const { key } = condition
  const name = DEVICE_KEYS.some((deviceKey) => deviceKey === key) ? key : `label ${key}`
  if (condition.code === 'not_set') return `${name} is not set`
  const is = `${name} is ${JSON.stringify(condition.value)}`
  if (condition.code === 'not_a_version') return `${is}, which is not a version`
  const phrases: Record<Operator, string> = {
    In: `${is}, not one of ${listed(condition)}`,
    NotIn: `${is}, which is excluded by ${listed(condition)}`,
    Exists: `${is}, but must not be set`,
    DoesNotExist: `${is}, but must not be set`,
    VersionIn: `${is}, not in ${listed(condition)}`,
  }
  return phrases[condition.operator]
}

function listed({ values, moreValues }: Extract<FailedCondition, { code: 'mismatch' }>): string {
  const shown = values.map((value) => JSON.stringify(value)).join(', ')
  return moreValues === 0 ? shown : `${shown} and ${moreValues} more`
}
