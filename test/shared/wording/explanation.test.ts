import { expect, test } from 'vitest'
import type {
  Admission,
  CandidateTrace,
  DecisionExplanation,
  DecisionNote,
} from '../../../src/shared/devices/explanation.ts'
import {
  causePhrase,
  noteSentence,
  outcomeSentence,
} from '../../../src/shared/wording/explanation.ts'

const tried = (
  outcome: 'offered' | 'outside_cohort',
  percent: number,
  bucket: number | null,
  admission: Admission | null = null,
) => ({ outcome, version: '1.2.0', rollout: { percent, bucket, admission } }) as const

const waiting = {
  ...({ outcome: 'outside_cohort', version: '1.2.0' } as const),
  rollout: { percent: 25, waits: true, bucket: 0.2, admission: null },
} as const

const lacking = (bundle: string, kinds: string[]) =>
  ({
    ...({ outcome: 'no_artifact', version: '1.2.0', platform: 'darwin' } as const),
    ...{ arch: 'aarch64', bundle, kinds },
  }) as const

const untargeted = (condition: Extract<CandidateTrace, { condition: object }>['condition']) =>
  ({ outcome: 'not_targeted', version: '1.2.0', condition }) as const

const mismatch = { code: 'mismatch', key: 'ring', value: 'x', moreValues: 0 } as const

const EXPLANATION: DecisionExplanation = {
  ...{ app: 'editor', channel: 'stable' },
  ...{ version: '1.1.0', platform: 'macos', arch: 'arm64', bundle: '' },
  ...{ reason: 'update', hasPublished: true, notes: [] },
  offer: { version: '1.2.0', updateMode: 'required', allowDowngrade: false },
  candidates: [tried('offered', 100, null)],
}

test.each<[CandidateTrace, string]>([
  [tried('offered', 100, null), 'rollout is 100%'],
  [tried('offered', 25, 0.1), 'in the 25% rollout (this device is at 10.00%)'],
  [tried('outside_cohort', 25, 0.25), 'not in the 25% rollout (this device is at 25.00%)'],
  [tried('offered', 25, 0.249_99), 'in the 25% rollout (this device is at 24.99%)'],
  [waiting, 'in the 25% rollout, but new offers wait (this device is at 20.00%)'],
  [tried('outside_cohort', 40, null), 'not in the 40% rollout (the device has no ID)'],
  [tried('offered', 25, 0.7, 'early_access'), 'in the 25% rollout (early access)'],
  [tried('offered', 25, null, 'manual_check'), 'in the 25% rollout (manual check)'],
  [lacking('', []), 'no artifact for darwin aarch64'],
  [lacking('zip', []), 'no artifact for darwin aarch64'],
  [
    lacking('', ['dmg', 'pkg']),
    'only dmg and pkg for darwin aarch64, and the device does not name a bundle kind',
  ],
  [lacking('zip', ['dmg', 'pkg']), 'only dmg and pkg for darwin aarch64, not zip'],
  [
    {
      ...{ outcome: 'system_too_old', version: '1.2.0' },
      ...{ platform: 'macos', floor: '23.4.0', system: '13.6' },
    },
    'needs macOS 14.4, and the device has macOS 13.6',
  ],
  [untargeted({ code: 'not_set', key: 'ring' }), 'label ring is not set'],
  [
    untargeted({ code: 'not_a_version', key: 'ring', value: 'beta' }),
    'label ring is "beta", which is not a version',
  ],
  [
    untargeted({ ...mismatch, operator: 'In', values: ['a', 'b'] }),
    'label ring is "x", not one of "a", "b"',
  ],
  [
    untargeted({ ...mismatch, operator: 'In', values: ['a', 'b', 'c', 'd', 'e'], moreValues: 2 }),
    'label ring is "x", not one of "a", "b", "c", "d", "e" and 2 more',
  ],
  [
    untargeted({ ...mismatch, operator: 'NotIn', values: ['x'] }),
    'label ring is "x", which is excluded by "x"',
  ],
  [
    untargeted({ ...mismatch, operator: 'DoesNotExist', values: [] }),
    'label ring is "x", but must not be set',
  ],
  [
    untargeted({ ...mismatch, key: 'device.version', operator: 'VersionIn', values: ['^2.0.0'] }),
    'device.version is "x", not in "^2.0.0"',
  ],
])('the cause of %j reads: %s', (candidate, phrase) => {
  expect(causePhrase(candidate)).toBe(phrase)
})

test.each<[Partial<DecisionExplanation>, string]>([
  [{}, 'Update offered: 1.2.0 (required).'],
  [{ reason: 'rollback' }, 'Downgrade offered: 1.2.0 (required), because 1.1.0 was rolled back.'],
  [{ reason: 'up_to_date' }, 'No update: no version above 1.1.0 is published.'],
  [
    { reason: 'no_release', hasPublished: false },
    'No update: editor/stable has no published releases.',
  ],
  [
    { reason: 'no_release' },
    'No update: 1.1.0 was rolled back, and no version below it is published.',
  ],
  [{ reason: 'not_targeted' }, 'No update: this device does not match the targets of 1.2.0.'],
  [{ reason: 'outside_cohort' }, 'No update: this device is not in the rollout of 1.2.0.'],
  [
    { reason: 'outside_cohort', candidates: [waiting] },
    'No update: new offers of 1.2.0 wait, because it seems to fail.',
  ],
  [{ reason: 'no_artifact' }, 'No update: 1.2.0 has no artifact for macos arm64.'],
  [
    { reason: 'system_too_old' },
    'No update: 1.2.0 needs a newer operating system than this device has.',
  ],
])('the outcome %j reads: %s', (difference, sentence) => {
  expect(outcomeSentence({ ...EXPLANATION, ...difference })).toBe(sentence)
})

test.each<[DecisionNote, string]>([
  [
    { code: 'version_rolled_back', rollback: 'downgrade' },
    '1.1.0 was rolled back. Rollback behavior of editor/stable: downgrade to the latest published version below it.',
  ],
  [
    { code: 'version_rolled_back', rollback: 'roll-forward' },
    '1.1.0 was rolled back. Rollback behavior of editor/stable: roll forward to a version above it, or else to one below it.',
  ],
  [
    { code: 'other_build_rolled_back', version: '1.1.0+b7' },
    '1.1.0+b7 was rolled back, but this device is on 1.1.0, which is another release because of its build metadata, so it is not moved off it. Publish with the version that the app reports.',
  ],
  [
    { code: 'below_minimum', minimumSupported: '1.2.0' },
    '1.1.0 is below the minimum supported version 1.2.0, so the update is required.',
  ],
  [
    { code: 'not_served', version: '1.5.0', status: 'paused' },
    '1.5.0 is paused, so it is not offered.',
  ],
  [
    { code: 'not_served', version: '1.5.0', status: 'rolled_back' },
    '1.5.0 was rolled back, so it is no longer offered.',
  ],
  [
    { code: 'system_unreadable', system: 'Sonoma' },
    'The operating system of the device, "Sonoma", is not a version that can be compared, so no release is skipped because of it.',
  ],
  [
    { code: 'signed_document', updater: 'electron', name: 'latest-mac.yml' },
    'Apps with electron-updater get latest-mac.yml unchanged.',
  ],
  [
    { code: 'app_archived' },
    'editor is archived. Its devices receive no updates until it is restored.',
  ],
])('the note %j reads: %s', (note, sentence) => {
  expect(noteSentence(note, EXPLANATION)).toBe(sentence)
})

test('a device below the minimum supported version may have no update', () => {
  const note = { code: 'below_minimum', minimumSupported: '1.2.0' } as const
  expect(noteSentence(note, { ...EXPLANATION, offer: null })).toBe(
    '1.1.0 is below the minimum supported version 1.2.0, but no update is available.',
  )
})

test('what Sparkle would not install is named, and is not why another release is not offered', () => {
  const version = '1.3.0-beta.2'
  const compared = { compared: version, running: '1.3.0-beta.1' }
  const untaken: CandidateTrace = { outcome: 'not_taken', version, ...compared }
  expect(causePhrase(untaken)).toBe('to the updater, 1.3.0-beta.2 is not above 1.3.0-beta.1')
  const candidates = [untaken, ...EXPLANATION.candidates]
  const [reason, none] = ['up_to_date', [untaken]] as const
  expect(outcomeSentence({ ...EXPLANATION, reason, candidates: [...none] })).toBe(
    'No update: the updater would not install 1.3.0-beta.2 over 1.1.0.',
  )
  expect(outcomeSentence({ ...EXPLANATION, reason: 'not_targeted', candidates })).toBe(
    'No update: this device does not match the targets of 1.2.0.',
  )
})

test('a release without a file for the updater says so', () => {
  const system = { platform: 'macos', arch: 'arm64', bundle: '', kinds: [] }
  const lack = { ...system, outcome: 'no_artifact', version: '1.2.0', client: 'sparkle' } as const
  expect(causePhrase(lack)).toBe('no file for macos arm64 that Sparkle installs')
})
