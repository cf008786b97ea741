import { expect, test } from 'vitest'
import { Broadcast } from '../../src/main/broadcast.ts'

test('a follower hears what is, then all that follows, in order', async () => {
  const numbers = new Broadcast<number>()
  const follower = numbers.follow(undefined, () => 0)
  expect(await follower.next()).toEqual({ value: 0, done: false })
  numbers.send(1)
  numbers.send(2)
  expect(await follower.next()).toEqual({ value: 1, done: false })
  numbers.send(3)
  expect(await follower.next()).toEqual({ value: 2, done: false })
  expect(await follower.next()).toEqual({ value: 3, done: false })
})

test('a follower that waits ends when it is told to', async () => {
  const numbers = new Broadcast<number>()
  const controller = new AbortController()
  const next = numbers.follow(controller.signal).next()
  controller.abort()
  expect(await next).toEqual({ value: undefined, done: true })
})
