import { expect, test } from 'vitest'
import { oneDialog } from '../../../src/main/system/one-dialog.ts'

test('while a dialog is open no other opens, and after it one does', async () => {
  const first = Promise.withResolvers<string>()
  const asked = oneDialog(() => first.promise, 'busy')
  expect(await oneDialog(async () => 'second', 'busy')).toBe('busy')
  first.resolve('first')
  expect(await asked).toBe('first')
  await expect(
    oneDialog(async () => {
      throw new Error('closed')
    }, 'busy'),
  ).rejects.toThrow('closed')
  expect(await oneDialog(async () => 'third', 'busy')).toBe('third')
})
