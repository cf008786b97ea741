import { expect, test } from 'vitest'
import { type Job, whileLeading } from '../../src/server/leadership.ts'
import { SoleLeadership } from '../../src/server/storage/sole-leadership.ts'

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
