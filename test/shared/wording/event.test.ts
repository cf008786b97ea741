import { expect, test } from 'vitest'
import { eventMessage } from '../../../src/shared/wording/event.ts'
import { stopReasonLine, withoutStuck } from '../../../src/shared/wording/judgement.ts'
import { holdoutSentences } from '../../../src/shared/wording/plan.ts'

const place = { app: 'editor', channel: 'stable', version: '1.4.0', actor: { name: 'server' } }

test('a plan says which step it applied, and why it was suspended', () => {
  const after = { step: 2, of: 3, rolloutPct: 50, health: {} }
  const event = { data: { ...place, before: { step: 1, of: 3 }, after } }
  expect(eventMessage({ type: 'plan.step_applied', ...event })).toMatchObject({
    ...{ title: '1.4.0: step 2 of 3 of the plan applied, at 50%', comment: '' },
  })
  const shares = { offered: { failed: 4, judged: 100 }, heldBack: { failed: 0, judged: 50 } }
  const bounds = { lowPct: 0, highPct: 100 }
  const compared = (isWorse: boolean) => ({
    offered: { ...shares.offered, ...bounds },
    heldBack: { ...shares.heldBack, ...bounds },
    isWorse,
  })
  const holdout = { silent: compared(true), reverted: compared(false), crashed: null }
  const released = { step: 3, of: 3, rolloutPct: 100, releasedPct: 5, holdout }
  const message = { data: { ...place, before: {}, after: released } }
  expect(eventMessage({ type: 'plan.step_applied', ...message }).title).toBe(
    '1.4.0: step 3 of 3 of the plan applied, at 100%: released 5% held back, more silent with the release',
  )
  expect(holdoutSentences(holdout)).toBe(
    'Compared 100 devices with 50 devices held back. Silent: 4% offered, 0% held back. Reverted: 4% offered, 0% held back. Crash-free sessions: unknown.',
  )
  const suspended = { ...place, before: {}, after: { reason: 'changed', step: 2, of: 3 } }
  expect(eventMessage({ type: 'plan.suspended', data: suspended })).toMatchObject({
    ...{ title: '1.4.0: plan suspended', comment: 'The release was changed by hand.' },
  })
})

test('a stopped plan says why, with the numbers, and what became of the release', () => {
  const reasons = [
    {
      ...{ code: 'too_many_failures', failed: 22, judged: 310, stuck: 12 },
      ...{ failedPct: 4.73, limitPct: 4, usualPct: 1, networks: { offered: 9, failed: 3 } },
    },
    {
      ...{ code: 'too_many_failures', failed: 11, judged: 44, stuck: 0, gone: 11 },
      ...{ failedPct: 5.36, limitPct: 5.3, usualPct: 0 },
    },
    // By an earlier version.
    {
      ...{ code: 'worse_than_previous', failed: 10, judged: 310, failedPct: 3.23 },
      ...{ previousPct: 0.4, previousJudged: 1_000 },
    },
  ]
  const after = { status: 'stopped', reason: 'failures', action: 'pause', reasons, step: 1, of: 3 }
  expect(eventMessage({ type: 'plan.stopped', data: { ...place, before: {}, after } })).toEqual({
    ...{ title: '1.4.0: plan stopped', place: 'editor / stable', by: '' },
    comment:
      'Failing: 7.1% of 310 devices, limit 4%, in 3 of 9 networks. Failing: 25% of 44 devices not back after a day, limit 5.3%. Failing: 3.2% of 310 devices, 0.4% with the previous release. It was paused.',
  })
  const byHand = { status: 'stopped', reason: 'rolled_back', step: 1, of: 3 }
  const data = { ...place, before: {}, after: byHand }
  expect(eventMessage({ type: 'plan.stopped', data }).comment).toBe('The release was rolled back.')
})

test('a release that is not known to fail is not said to', () => {
  const few = { code: 'too_many_failures', failed: 9, judged: 301, stuck: 9 } as const
  const reason = { ...few, failedPct: 1.6, limitPct: 3, usualPct: 0 }
  expect(stopReasonLine(reason, false)).toBe('Failures: 3.0% of 301 devices, limit 3%')
  expect(withoutStuck(reason, 9)).toBe('')
  expect(withoutStuck({ ...reason, failed: 2, stuck: 0 }, 9)).toBe(
    'Without 9 stuck devices, which can still update.',
  )
})

test('an artifact that is not proven is named with the reason', () => {
  const target = { platform: 'linux', arch: 'x86_64', kind: 'deb' }
  const after = { ...target, failure: { code: 'status', status: 404 } }
  expect(
    eventMessage({ type: 'artifact.failed', data: { ...place, before: null, after } }),
  ).toEqual({
    title: '1.4.0: the artifact for linux x86_64 deb is not proven',
    place: 'editor / stable',
    by: '',
    comment: 'The server answered with HTTP status 404.',
  })
  const proven = { ...after, failure: null }
  const data = { ...place, before: after, after: proven }
  expect(eventMessage({ type: 'artifact.proven', data })).toMatchObject({
    title: '1.4.0: the artifact for linux x86_64 deb is proven again',
    comment: '',
  })
})
