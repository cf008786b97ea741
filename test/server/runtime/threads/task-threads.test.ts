import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { TaskThreads } from '../../../../src/server/runtime/threads/task-threads.ts'
import type { FixtureResult, FixtureTask } from '../../../support/processes/fixtures/task-worker.ts'
import { scriptFile } from '../../../support/workers/script-file.ts'

const script = pathToFileURL(scriptFile('task-worker'))
const never = new AbortController().signal

function fixture(options: { stopTime?: number; linger?: number } = {}) {
  return new TaskThreads<FixtureTask, FixtureResult, string>(script, options)
}

test('a thread that has done a task gets the next, and two tasks at once have two', async () => {
  const threads = fixture()
  const { thread } = await threads.run({ do: 'answer' }, never)
  expect((await threads.run({ do: 'answer' }, never)).thread).toBe(thread)
  const both = await Promise.all([1, 2].map(() => threads.run({ do: 'answer' }, never)))
  expect(new Set(both.map((answer) => answer.thread)).size).toBe(2)
})

test('without a time to linger, each task has a new thread', async () => {
  const threads = fixture({ linger: 0 })
  const { thread } = await threads.run({ do: 'answer' }, never)
  expect((await threads.run({ do: 'answer' }, never)).thread).not.toBe(thread)
})

test('progress is reported before the result', async () => {
  const reports: string[] = []
  const result = await fixture().run({ do: 'report' }, never, (progress) => reports.push(progress))
  expect(result.stopped).toBe(false)
  expect(reports).toEqual(['half'])
})

test('what a task throws ends its thread only', async () => {
  const threads = fixture()
  const { thread } = await threads.run({ do: 'answer' }, never)
  await expect(threads.run({ do: 'throw' }, never)).rejects.toThrow('as it was told')
  await expect(threads.run({ do: 'exit' }, never)).rejects.toThrow('without a result')
  expect((await threads.run({ do: 'answer' }, never)).thread).not.toBe(thread)
})

test.each([0, 60_000])(
  'a task that may take %i ms to stop is stopped, and nobody else gets its thread',
  async (stopTime) => {
    const threads = fixture({ stopTime })
    const controller = new AbortController()
    const reason = new Error('enough')
    const task = threads.run({ do: 'wait' }, controller.signal, () => controller.abort(reason))
    await expect(task).rejects.toBe(reason)
    expect(await threads.run({ do: 'answer' }, never)).toMatchObject({ tasks: 1 })
  },
)

test('a task that does not stop is killed', async () => {
  const controller = new AbortController()
  const task = fixture({ stopTime: 1 }).run({ do: 'ignore' }, controller.signal, () =>
    controller.abort(new Error('enough')),
  )
  await expect(task).rejects.toThrow('enough')
})

test('an aborted task is not begun', async () => {
  const signal = AbortSignal.abort(new Error('too late'))
  await expect(fixture().run({ do: 'throw' }, signal)).rejects.toThrow('too late')
})
