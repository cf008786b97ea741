import { expect, test } from 'vitest'
import { Echoes } from '../../../../src/renderer/components/list/use-field-text.ts'

test('a value that comes back is an own one, once', () => {
  const echoes = new Echoes()
  echoes.send('a')
  expect(echoes.isWaiting).toBe(true)
  expect(echoes.receive('a')).toBe(true)
  expect(echoes.isWaiting).toBe(false)
  expect(echoes.receive('a')).toBe(false)
})

test('values that were passed over are forgotten', () => {
  const echoes = new Echoes()
  for (const value of ['a', 'ab', 'abc']) echoes.send(value)
  expect(echoes.receive('ab')).toBe(true)
  expect(echoes.isWaiting).toBe(true)
  expect(echoes.receive('abc')).toBe(true)
  expect(echoes.receive('ab')).toBe(false)
})

test("somebody else's value ends the waiting", () => {
  const echoes = new Echoes()
  echoes.send('a')
  expect(echoes.receive('b')).toBe(false)
  expect(echoes.isWaiting).toBe(false)
  expect(echoes.receive('a')).toBe(false)
})
