import { expect, test } from 'vitest'
import type { LoggedCheckIn, LoggedEpisode } from '../../../../src/server/fleet/facts.ts'
import { timelineOf } from '../../../../src/server/fleet/health/timeline.ts'

const RUNNING = { channelKey: 1, platform: 'linux', arch: 'x86_64' }

/** A check-in after which the device stands so with that release. */
function checkIn(
  at: number,
  version: string,
  episode: readonly [release: number, version: string, state: LoggedEpisode['state']] | null,
  more: Partial<LoggedCheckIn> = {},
): LoggedCheckIn {
  const stood = episode && { release: episode[0], version: episode[1], state: episode[2] }
  const facts = { source: 'check', reason: 'up_to_date', outcome: null, detail: '' } as const
  return { id: at, at, profile: { ...RUNNING, version }, episode: stood, ...facts, ...more }
}

function shown(...checkIns: LoggedCheckIn[]): string[] {
  const events = timelineOf(checkIns.toReversed()).toReversed()
  return events.map(({ at, kind, version, outcome, detail }) =>
    [at, kind, version, outcome, detail].filter((part) => part !== null && part !== '').join(' '),
  )
}

test('the timeline of a device has each event once', () => {
  expect(
    shown(
      checkIn(1, '1.0.0', null),
      checkIn(2, '1.0.0', [7, '2.0.0', 'waiting'], { reason: 'update' }),
      checkIn(3, '1.0.0', [7, '2.0.0', 'waiting'], { reason: 'update' }),
      checkIn(4, '1.0.0', [7, '2.0.0', 'stuck'], { reason: 'update' }),
      checkIn(5, '1.0.0', [7, '2.0.0', 'reported'], { outcome: 'failed', detail: 'No space' }),
      checkIn(6, '2.0.0', [7, '2.0.0', 'adopted']),
      checkIn(7, '1.0.0', [7, '2.0.0', 'reverted']),
    ),
  ).toEqual([
    '2 offered 2.0.0',
    '4 stuck 2.0.0',
    '5 outcome 2.0.0 failed No space',
    '5 reported 2.0.0',
    '6 adopted 2.0.0',
    '7 reverted 2.0.0',
  ])
})

test('a check-in can show that one release was adopted, and offer the next', () => {
  expect(
    shown(
      checkIn(1, '1.0.0', [7, '2.0.0', 'waiting']),
      checkIn(2, '2.0.0', [8, '3.0.0', 'waiting'], { reason: 'update' }),
      checkIn(3, '2.0.0', null, { reason: 'rollback' }),
    ),
  ).toEqual(['2 adopted 2.0.0', '2 offered 3.0.0', '3 sent_back 3.0.0'])
})

test('nothing is known of what came before the oldest check-in', () => {
  expect(shown(checkIn(1, '2.0.0', [7, '2.0.0', 'adopted']))).toEqual([])
  expect(shown()).toEqual([])
})
