import { expect, test } from 'vitest'
import { Broadcast } from '../../../src/main/ipc/broadcast.ts'

test('a follower gets the current value, then all later ones in order', async () => {
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

test('a waiting follower ends on request', async () => {
  const numbers = new Broadcast<number>()
  const controller = new AbortController()
  const next = numbers.follow(controller.signal).next()
  controller.abort()
  expect(await next).toEqual({ value: undefined, done: true })
})

test('the last unheard value goes to the first follower, if it is kept', async () => {
  const kept = new Broadcast<number>({ keepsLast: true })
  kept.send(1)
  kept.send(2)
  const [first, second] = [kept.follow(undefined), kept.follow(undefined)]
  expect(await first.next()).toEqual({ value: 2, done: false })
  const next = second.next()
  kept.send(3)
  expect(await next).toEqual({ value: 3, done: false })

  const lost = new Broadcast<number>()
  lost.send(1)
  const late = lost.follow(undefined).next()
  lost.send(2)
  expect(await late).toEqual({ value: 2, done: false })
})

test('a value that is kept goes to the listener that comes next, and to no present one', async () => {
  const kept = new Broadcast<number>({ keepsLast: true })
  const heard: number[] = []
  kept.listen((value) => heard.push(value))
  kept.keep(1)
  expect(heard).toEqual([])
  expect(await kept.follow(undefined).next()).toEqual({ value: 1, done: false })
  kept.send(2)
  expect(heard).toEqual([2])
})
