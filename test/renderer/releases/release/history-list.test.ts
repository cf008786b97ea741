import { describe, expect, it } from 'vitest'
import { entryInWords } from '../../../../src/renderer/audit/entry-strings.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'

describe('the history in words', () => {
  const entry = {
    id: 1,
    at: '2026-03-14T09:26:53.589Z',
    actor: { kind: 'console' as const, name: 'ada' },
    action: 'release.serving_changed',
  }

  it.each([
    [{ status: 'published' }, { status: 'paused' }, 'Paused.'],
    [{ rolloutPct: 10 }, { rolloutPct: 25 }, 'Rollout raised from 10% to 25%.'],
    [
      { status: 'paused', rolloutPct: 10 },
      { status: 'published', rolloutPct: 5 },
      'Resumed and rollout lowered from 10% to 5%.',
    ],
    [{ targets: EVERY_DEVICE }, { targets: EVERY_DEVICE }, 'Changed targets: all devices.'],
  ])('%j to %j', (before, after, words) => {
    expect(entryInWords({ ...entry, before, after })).toBe(words)
  })

  it('names an action that it does not know', () => {
    expect(entryInWords({ ...entry, action: 'release.new_thing' })).toBe('New thing.')
  })
})
