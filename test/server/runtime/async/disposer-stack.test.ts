import { expect, test } from 'vitest'
import { DisposerStack } from '../../../../src/server/runtime/async/disposer-stack.ts'

test('parts are closed once, in the reverse order, and all of them when one fails', async () => {
  const opened = new DisposerStack()
  const closed: string[] = []
  opened.add(() => {
    closed.push('first')
  })
  opened.add(() => {
    closed.push('second')
    throw new Error('the second failed')
  })
  opened.add(async () => {
    await Promise.resolve()
    closed.push('third')
    throw new Error('the third failed')
  })
  await expect(opened.close()).rejects.toThrow('the third failed')
  expect(closed).toEqual(['third', 'second', 'first'])
  await opened.close()
  expect(closed).toHaveLength(3)
})

test('whoever listens to failures hears of each', async () => {
  const opened = new DisposerStack()
  for (const name of ['first', 'second']) opened.add(() => Promise.reject(new Error(name)))
  const failures: unknown[] = []
  await opened.close((error) => failures.push(error))
  expect(failures).toEqual([new Error('second'), new Error('first')])
})
