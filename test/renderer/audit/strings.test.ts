import { describe, expect, it } from 'vitest'
import { entryInWords } from '../../../src/renderer/audit/strings.ts'

describe('a change in words', () => {
  it.each([
    [
      'app.created',
      null,
      { ref: 'a', name: 'Editor', channels: ['stable'] },
      'App created as Editor.',
    ],
    ['app.renamed', { name: 'A' }, { name: 'B' }, 'App renamed from A to B.'],
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
      'App removed, with 2 channels and 3 releases.',
    ],
    ['channel.removed', { channel: 'beta', releases: 1 }, null, 'Channel removed, with 1 release.'],
    [
      'channel.policy_changed',
      { updateMode: 'optional', rollback: 'downgrade' },
      { updateMode: 'required', rollback: 'downgrade' },
      'Rules changed: updates.',
    ],
    [
      'key.minted',
      null,
      { prefix: 'tg_abcde', name: 'CI', scopes: ['read'] },
      'Key CI (tg_abcde…) created.',
    ],
    [
      'key.revoked',
      { prefix: 'tg_abcde' },
      { prefix: 'tg_abcde' },
      'Key tg_abcde… revoked for good.',
    ],
    [
      'release.published',
      null,
      { rolloutPct: 5, artifacts: 1 },
      'Published to 5% of devices, with 1 artifact.',
    ],
    [
      'database.restored',
      null,
      { offered: 2, releasesLost: 0 },
      'Backup restored: 2 releases marked as offered, 0 releases not in the backup.',
    ],
    [
      'database.restored',
      null,
      { offered: 2, releasesLost: 0, carriedOver: null },
      'Backup restored: 2 releases marked as offered, 0 releases not in the backup. The replaced database could not be read.',
    ],
    [
      'database.restored',
      null,
      {
        offered: 2,
        releasesLost: 0,
        carriedOver: { rolledBack: 1, servingKept: 0, keysRevoked: 2 },
      },
      'Backup restored: 2 releases marked as offered, 0 releases not in the backup. Kept from after the backup: 1 rollback and 2 key revocations.',
    ],
    // What is not known, or is not shaped as it should be, is named by its action.
    ['device.let_go', null, null, 'Device let go.'],
    ['app.renamed', null, 7, 'App renamed.'],
    ['toString', null, null, 'ToString.'],
  ])('%s', (action, before, after, words) => {
    expect(entryInWords({ action, before, after })).toBe(words)
  })
})
