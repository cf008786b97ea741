import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../../../src/renderer/audit/field-diff.ts'
import {
  filterInput,
  isNarrowed,
  readFilters,
  writeFilters,
} from '../../../src/renderer/audit/filters.ts'
import { entryInWords } from '../../../src/renderer/audit/strings.ts'
import { AuditFilter } from '../../../src/shared/console/audit.ts'

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
      'Published to 5 % of devices, with 1 artifact.',
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

describe('the parts of a change', () => {
  it('are those that differ, in words', () => {
    const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
    expect(
      changesOf(
        { rolloutPct: 10, status: 'published', targets: { ...targets, matchLabels: {} } },
        { rolloutPct: 25, status: 'published', targets },
      ),
    ).toEqual([
      { name: 'Rollout', before: '10 %', after: '25 %' },
      { name: 'Targets', before: 'Every device.', after: 'Devices whose label ring is beta.' },
    ])
  })

  it('name what is new, and go into what they hold', () => {
    const after = {
      name: 'beta',
      policy: { updateMode: 'optional', minimumSupportedVersion: '1.0.0' },
    }
    expect(changesOf(null, after)).toEqual([
      { name: 'Name', before: undefined, after: 'beta' },
      { name: 'Policy, Updates', before: undefined, after: 'Optional' },
      { name: 'Policy, Minimum supported version', before: undefined, after: '1.0.0' },
    ])
  })

  it('read whatever an entry holds, and find no difference in the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        for (const { name, before: was, after: is } of changesOf(before, after)) {
          expect([typeof name, was === is]).toEqual(['string', false])
        }
        expect(changesOf(before, structuredClone(before))).toEqual([])
      }),
    )
  })
})

describe('the filters of the log', () => {
  const filters = {
    app: 'editor',
    channel: 'beta',
    source: 'key',
    about: 'release',
    search: '1.4 & co',
    from: '2026-03-01',
    to: '2026-03-14',
  } as const

  it('are the same after a way through the address', () => {
    expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters)
    expect(writeFilters(readFilters(new URLSearchParams())).size).toBe(0)
  })

  it('ignore what makes no sense', () => {
    const read = readFilters(
      new URLSearchParams('source=moon&about=weather&from=2026-13-40&to=now'),
    )
    expect(isNarrowed(read)).toBe(false)
    expect(AuditFilter.safeParse(filterInput(read)).success).toBe(true)
  })

  it('take in the last day to its end', () => {
    const { from = '', to = '' } = filterInput({ ...filters, from: '2026-03-14' })
    expect(new Date(from)).toEqual(new Date(2026, 2, 14))
    expect(new Date(to)).toEqual(new Date(2026, 2, 15))
    expect(AuditFilter.parse(filterInput(filters))).toMatchObject({ actorKind: 'key' })
  })
})
