import { describe, expect, it, test } from 'vitest'
import { entryInWords } from '../../../src/renderer/audit/entry-strings.ts'

describe('a change in words', () => {
  it.each([
    [
      'app.created',
      null,
      { ref: 'a', name: 'Editor', channels: ['stable'] },
      'Created app Editor.',
    ],
    ['app.renamed', { name: 'A' }, { name: 'B' }, 'Renamed app from A to B.'],
    [
      'app.removed',
      {
        id: 'x',
        name: 'A',
        channels: [
          { channel: 'stable', releases: 2 },
          { channel: 'beta', releases: 1 },
        ],
      },
      null,
      'Deleted app with 2 channels and 3 releases.',
    ],
    ['channel.removed', { channel: 'beta', releases: 1 }, null, 'Deleted channel with 1 release.'],
    [
      'channel.policy_changed',
      { updateMode: 'optional', rollback: 'downgrade' },
      { updateMode: 'required', rollback: 'downgrade' },
      'Changed policy: update mode.',
    ],
    [
      'channel.policy_changed',
      { earlyAccess: { deviceIds: [], targets: [] } },
      {
        earlyAccess: {
          deviceIds: ['one'],
          targets: [{ matchLabels: { ring: 'beta' }, matchExpressions: [] }],
        },
      },
      'Changed policy: early access, devices and early access, targets.',
    ],
    [
      'key.minted',
      null,
      { prefix: 'tg_abcde', name: 'CI', scopes: ['read'] },
      'Created key CI (tg_abcde…).',
    ],
    ['key.revoked', { prefix: 'tg_abcde' }, { prefix: 'tg_abcde' }, 'Revoked key tg_abcde….'],
    [
      'release.published',
      null,
      { rolloutPct: 5, artifacts: 1 },
      'Published at 5% with 1 artifact.',
    ],
    [
      'database.restored',
      null,
      { offered: 2, releasesLost: 0 },
      'Restored backup: 2 releases marked as offered, 0 releases not in the backup.',
    ],
    [
      'database.restored',
      null,
      { offered: 2, releasesLost: 0, carriedOver: null },
      'Restored backup: 2 releases marked as offered, 0 releases not in the backup. The previous database could not be read.',
    ],
    [
      'database.restored',
      null,
      {
        offered: 2,
        releasesLost: 0,
        carriedOver: { rolledBack: 1, servingKept: 0, keysRevoked: 2 },
      },
      'Restored backup: 2 releases marked as offered, 0 releases not in the backup. Kept changes made after the backup: 1 rollback and 2 key revocations.',
    ],
    [
      'database.backup_downloaded',
      null,
      { name: 'tidegate-1.db', bytes: 7 },
      'Downloaded backup tidegate-1.db.',
    ],
    ['file.uploaded', null, { name: 'Editor.exe', size: 7 }, 'Uploaded file Editor.exe.'],
    ['file.deleted', { name: 'Editor.exe', size: 7 }, null, 'Deleted file Editor.exe.'],
    ['release.plan_set', null, { step: 0, of: 3 }, 'Set plan with 3 steps.'],
    [
      'release.plan_set',
      null,
      { step: 1, of: 3, requestedBy: 'ada' },
      'Set plan with 3 steps, beginning at step 2. Requested by ada.',
    ],
    [
      'release.plan_step_applied',
      { step: 1, of: 3 },
      { step: 2, of: 3, rolloutPct: 50 },
      'Applied step 2 of 3 of the plan: 50%.',
    ],
    [
      'release.plan_step_applied',
      { step: 0, of: 3 },
      { step: 1, of: 3, rolloutPct: 50, rings: ['me', 'testers'] },
      'Applied step 1 of 3 of the plan: ring me or testers.',
    ],
    [
      'release.plan_suspended',
      null,
      { reason: 'changed' },
      'Suspended plan. The release was changed by hand.',
    ],
    ['release.plan_resumed', null, { step: 1, of: 3 }, 'Resumed plan after step 1 of 3.'],
    ['release.plan_removed', { step: 0, of: 1 }, null, 'Removed plan after step 0 of 1.'],
    ['app.freezes_changed', { freezes: [] }, { freezes: [] }, 'Removed all freezes.'],
    // What is not known, or is not shaped as it should be, is named by its action.
    ['device.let_go', null, null, 'Device let go.'],
    ['app.renamed', null, 7, 'App renamed.'],
    ['toString', null, null, 'ToString.'],
  ])('%s', (action, before, after, words) => {
    expect(entryInWords({ action, before, after })).toBe(words)
  })
})

const NOAH = { name: 'noah', serverRole: null, appRoles: [] }
const RELEASES = { ...NOAH, appRoles: [{ app: 'editor', role: 'release_manager' }] }
const SESSION = { name: 'noah', address: '192.0.2.7' }

test.each([
  ['person.invited', null, RELEASES, 'Invited noah: release manager of editor.'],
  [
    'person.role_changed',
    RELEASES,
    { ...NOAH, serverRole: 'administrator' },
    'Changed the roles of noah from release manager of editor to administrator of this server.',
  ],
  ['person.disabled', null, { name: 'noah' }, 'Disabled account noah.'],
  ['person.removed', NOAH, null, 'Deleted account noah.'],
  ['session.started', null, SESSION, 'noah signed in from 192.0.2.7.'],
  ['session.ended', SESSION, null, 'Ended the session of noah at 192.0.2.7.'],
])('%s is said as a sentence', (action, before, after, words) => {
  expect(entryInWords({ action, before, after })).toBe(words)
})
