import { expect, test } from 'vitest'
import { OpenedParts } from '../../../src/server/storage/opened-parts.ts'

test('parts are closed once, in the reverse order, and all of them when one fails', async () => {
  const opened = new OpenedParts()
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
