import { expect, test } from 'vitest'
import {
  type Job,
  type Leadership,
  whileLeading,
} from '../../../../src/server/runtime/cluster/leadership.ts'
import { SoleLeadership } from '../../../../src/server/storage/sqlite/engine/sqlite-storage.ts'

/** Jobs that note what happens to them. */
function noted(): { jobs: Job[]; events: string[] } {
  const events: string[] = []
  const jobs = ['one', 'two'].map((name) => ({
    start: () => void events.push(`start ${name}`),
    stop: async () => void events.push(`stop ${name}`),
  }))
  return { jobs, events }
}

const STARTED = ['start one', 'start two']
const ENDED = [...STARTED, 'stop two', 'stop one']

test('jobs run while the server leads, and stop with it', async () => {
  const { jobs, events } = noted()
  const stop = whileLeading(new SoleLeadership(), jobs)
  expect(events).toEqual(STARTED)
  await stop()
  expect(events).toEqual(ENDED)
})

test('jobs stop by themselves when the lead is lost', async () => {
  const { jobs, events } = noted()
  const leadership = new SoleLeadership()
  const stop = whileLeading(leadership, jobs)
  leadership.lose()
  await stop()
  expect(events).toEqual(ENDED)
})

test('jobs that are stopped before the server leads never start, and are not waited for', async () => {
  const { jobs, events } = noted()
  const { promise: elected, resolve: elect } = Promise.withResolvers<void>()
  const lost = new AbortController().signal
  const { promise: led, resolve: done } = Promise.withResolvers<void>()
  const stop = whileLeading(
    { run: (work) => elected.then(() => work(lost)).finally(() => done()) },
    jobs,
  )
  await stop()
  elect()
  await led
  expect(events).toEqual([])
})

test('jobs that have stopped with the lead start again with the next one', async () => {
  const { jobs, events } = noted()
  const leads = [new AbortController(), new AbortController()]
  const asked = leads.map(() => Promise.withResolvers<void>())
  let times = 0
  const leadership: Leadership = {
    async run(work) {
      const time = times++
      asked[time]?.resolve()
      return await work(leads[time]?.signal ?? AbortSignal.abort())
    },
  }
  const stop = whileLeading(leadership, jobs)
  leads[0]?.abort()
  await asked[1]?.promise
  expect(events).toEqual([...ENDED, ...STARTED])
  await stop()
  expect(events).toEqual([...ENDED, ...ENDED])
  expect(times).toBe(2)
})

test('the next lead is asked for only when all jobs have stopped', async () => {
  const lost = new AbortController()
  const stopping = Promise.withResolvers<void>()
  const mayStop = Promise.withResolvers<void>()
  const askedAgain = Promise.withResolvers<void>()
  let times = 0
  const leadership: Leadership = {
    run(work) {
      if (times++ === 0) return work(lost.signal)
      askedAgain.resolve()
      return new Promise(() => {})
    },
  }
  const job: Job = {
    start() {},
    async stop() {
      stopping.resolve()
      await mayStop.promise
    },
  }
  const stop = whileLeading(leadership, [job])
  lost.abort()
  await stopping.promise
  expect(times).toBe(1)
  mayStop.resolve()
  await askedAgain.promise
  await stop()
})
