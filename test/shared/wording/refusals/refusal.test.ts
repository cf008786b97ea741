import { expect, test } from 'vitest'
import type { RefusalFacts } from '../../../../src/shared/refusal.ts'
import { refusalSentence } from '../../../../src/shared/wording/refusals/refusal.ts'

const place = { app: 'editor', channel: 'stable' } as const
const offered = 'because the release has already been offered to devices'

// Sentences that depend on what is missing or comes in two forms; texts alone are proofread in `out/strings.txt`.
test.each<[RefusalFacts, string]>([
  [{ code: 'invalid_input', path: ['a', '0'], reason: 'is required' }, 'a.0: is required'],
  [{ code: 'invalid_input', path: [], reason: 'must be an object' }, 'must be an object'],
  [
    {
      code: 'artifact_repeated',
      path: ['artifacts', '1'],
      platform: 'linux',
      arch: 'any',
      kind: 'deb',
    },
    'artifacts.1: duplicate artifact for linux any deb; use one per platform, arch and kind',
  ],
  [
    {
      ...{ code: 'signed_for_other_version', path: ['artifacts', '0', 'signature'] },
      ...{ signed: '1.3.0', version: '1.4.0' },
    },
    'artifacts.0.signature: is a signature for version 1.3.0, not 1.4.0; sign the file for the version that is published',
  ],
  [
    { code: 'labels_exceeded', path: ['devices', '0', 'labels'], limit: 'labels', maximum: 64 },
    'devices.0.labels: exceeds the limit of 64 labels per device',
  ],
  [
    { code: 'labels_exceeded', path: ['devices', '0', 'labels'], limit: 'bytes', maximum: 4096 },
    'devices.0.labels: exceeds the limit of 4096 bytes of labels per device',
  ],
  [
    { code: 'export_too_large', entries: 12, maximum: 10 },
    'from: 12 entries exceed the limit of 10 per file; choose a later start date or narrow the filter',
  ],
  [
    { code: 'export_too_large', entries: null, maximum: 10 },
    'from: the entries are too large for one file; choose a later start date or narrow the filter',
  ],
  [{ code: 'unknown_channel', ...place }, 'unknown channel "stable" of app "editor"'],
  [{ code: 'unknown_channel', ...place, app: null }, 'unknown channel "stable"'],
  [
    { code: 'rollout_lowered', path: ['rolloutPct'], from: 20, to: 10 },
    `rolloutPct: cannot be lowered from 20% to 10% ${offered}`,
  ],
  [
    { code: 'target_value_removed', path: ['targets', 'matchLabels', 'ring'], value: 'beta' },
    `targets.matchLabels.ring: cannot drop the value "beta" ${offered}`,
  ],
  [
    { code: 'target_expressions_changed', path: ['targets', 'matchExpressions', '0'] },
    `targets.matchExpressions.0: cannot be changed ${offered}`,
  ],
  [
    { code: 'still_served', ...place },
    'channel "stable" of app "editor" has published releases; archive the app or roll them back first',
  ],
  [
    { code: 'still_served', ...place, channel: null },
    'app "editor" has published releases; archive the app or roll them back first',
  ],
  [
    { code: 'changed_meanwhile', ...place, channel: null },
    'app "editor" has changed in the meantime; review it and try again',
  ],
  [
    { code: 'changed_since_seen', ...place, version: '1.0.0', changes: [] },
    'release 1.0.0 of editor/stable has changed since you opened it; review the change and try again',
  ],
  [
    { code: 'changed_since_seen', ...place, version: null, changes: [] },
    'channel "stable" of app "editor" has changed since you opened it; review the change and try again',
  ],
  [
    { code: 'forbidden', needs: 'release_manager', app: 'editor' },
    'requires the role release manager in app "editor"; ask an administrator to change your role',
  ],
  [
    { code: 'forbidden', needs: 'administrator', app: null },
    'requires the role administrator on this server; ask an administrator to change your role',
  ],
])('%j reads: %s', (facts, sentence) => {
  expect(refusalSentence(facts)).toBe(sentence)
})
