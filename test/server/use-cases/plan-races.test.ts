import { expect, test } from 'vitest'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { HOUR } from '../../support/builders/time.ts'
import { startFixture } from '../../support/processes/fixture.ts'
import { auditOf, shown } from '../../support/servers/calls.ts'
import { publishPlanned, standing, startPlanned } from '../../support/servers/planned.ts'
import type { TestServer } from '../../support/servers/server.ts'

/** Two processes that saw the same plan do the same at the same time. Returns what each found. */
async function race({ folder, catalog }: TestServer, now: number, task: 'advance' | 'stop') {
  const processes = [1, 2].map(() => startFixture('race-for-plan.ts', folder, String(now), task))
  for (const { line } of processes) expect(await line()).toBe('seen')
  for (const { child } of processes) child.stdin?.write('go\n')
  const verdicts = await Promise.all(processes.map(({ line }) => line()))
  for (const { exited } of processes) expect(await exited).toMatchObject({ code: 0, stderr: '' })
  await catalog.refresh()
  return verdicts.toSorted()
}

test('of two processes on a folder one applies a step, although the next one is due as well', async () => {
  const { server, time } = await startPlanned()
  await publishPlanned(
    server,
    rolloutPlan([
      [10, 1],
      [50, 0],
      [100, 0],
    ]),
  )
  expect(await race(server, time.now + HOUR, 'advance')).toEqual(['fine', 'fine'])
  expect(await standing(server)).toMatchObject({ status: 'running', step: 2, rolloutPct: 50 })
  expect(await auditOf(server, 'release.plan_step_applied')).toMatchObject([
    { after: { step: 1 } },
    { after: { step: 2 } },
  ])
  expect(await auditOf(server, 'release.serving_changed')).toHaveLength(2)
})

test('of two processes on a folder one stops a plan', async () => {
  const { server, time } = await startPlanned()
  await publishPlanned(server, rolloutPlan([[10, 48]]))
  expect(await race(server, time.now, 'stop')).toEqual(['stopped', 'suspected'])
  expect(await standing(server)).toMatchObject({ status: 'stopped', reason: 'failures' })
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'paused' })
  expect(await auditOf(server, 'release.plan_stopped')).toHaveLength(1)
  expect(await auditOf(server, 'release.serving_changed')).toMatchObject([
    { after: { rolloutPct: 10 } },
    { after: { status: 'paused' } },
  ])
})
