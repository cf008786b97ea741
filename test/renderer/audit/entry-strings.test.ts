import { describe, expect, it } from 'vitest'
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
    // What is not known, or is not shaped as it should be, is named by its action.
    ['device.let_go', null, null, 'Device let go.'],
    ['app.renamed', null, 7, 'App renamed.'],
    ['toString', null, null, 'ToString.'],
  ])('%s', (action, before, after, words) => {
    expect(entryInWords({ action, before, after })).toBe(words)
  })
})
