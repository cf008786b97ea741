import { expect, onTestFinished, test } from 'vitest'
import { ScheduledJob } from '../../../../src/server/runtime/async/scheduled-job.ts'
import { eventually } from '../../../support/eventually.ts'

/** A job whose rounds end when they are told to, each with an error or without. */
function held() {
  const rounds: PromiseWithResolvers<void>[] = []
  const signals: AbortSignal[] = []
  const failures: unknown[] = []
  const job = new ScheduledJob(
    (ended) => {
      const round = Promise.withResolvers<void>()
      rounds.push(round)
      signals.push(ended)
      return round.promise
    },
    { every: 1, onFailure: (error) => failures.push(error) },
  )
  onTestFinished(() => {
    for (const round of rounds) round.resolve()
    return job.stop()
  })
  const until = (count: number) => eventually(() => expect(rounds).toHaveLength(count))
  return { job, rounds, signals, failures, until }
}

test('rounds follow each other, and a failed one is reported and does not end them', async () => {
  const { job, rounds, failures, until } = held()
  job.start()
  await until(1)
  rounds[0]?.resolve()
  await until(2)
  rounds[1]?.reject(new Error('on purpose'))
  await until(3)
  expect(failures).toEqual([new Error('on purpose')])
})

test('stopping aborts the current round, waits for it, and begins no other', async () => {
  const { job, rounds, signals, until } = held()
  job.start()
  await until(1)
  let stopped = false
  const stop = job.stop().then(() => {
    stopped = true
  })
  expect(signals[0]?.aborted).toBe(true)
  await new Promise(setImmediate)
  expect(stopped).toBe(false)
  rounds[0]?.resolve()
  await stop
  // A later job has come round.
  const other = held()
  other.job.start()
  await other.until(1)
  other.rounds[0]?.resolve()
  await other.until(2)
  expect(rounds).toHaveLength(1)
})

test('a job that was stopped can be started again', async () => {
  const { job, rounds, until } = held()
  job.start()
  await until(1)
  rounds[0]?.resolve()
  await job.stop()
  job.start()
  await eventually(() => expect(rounds.length).toBeGreaterThan(1))
})
