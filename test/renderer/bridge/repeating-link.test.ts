import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { expect, test } from 'vitest'
import { ConsoleError, consoleErrorOf } from '../../../src/renderer/bridge/error.ts'
import {
  type NamedCall,
  repeatingLink,
  stopWaiting,
} from '../../../src/renderer/bridge/repeating-link.ts'
import { type CallError, refusedCall } from '../../../src/shared/console/bridge/bridge.ts'

const { router, procedure } = initTRPC.create()
const echo = procedure.input((text: unknown) => String(text))
const echoRouter = router({
  ask: echo.query(({ input }) => input),
  make: echo.mutation(({ input }) => input),
})

const LOST: CallError = { code: 'unavailable', reason: 'server_not_answering' }
type Attempt = 'answers' | 'hangs' | CallError

/** A way to a server on which attempts fare as the test says; the last of them as all that follow. */
function start(attempts: readonly Attempt[], canRepeat = true) {
  const names: NamedCall[] = []
  let count = 0
  const way: TRPCLink<typeof echoRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        if (op.context.named !== undefined) names.push(op.context.named as NamedCall)
        const attempt = attempts[Math.min(count, attempts.length - 1)]
        count += 1
        if (attempt === 'answers') {
          observer.next({ result: { type: 'data', data: op.input } })
          observer.complete()
        } else if (attempt !== 'hangs' && attempt !== undefined) {
          const cause = ConsoleError.of(attempt)
          observer.error(new TRPCClientError(cause.message, { cause }))
        }
      })
  const limits = { mutation: 20, query: 20 }
  const links = [repeatingLink<typeof echoRouter>(() => canRepeat, limits), way]
  return { names, client: createTRPCClient<typeof echoRouter>({ links }) }
}

test.each<[string, Attempt]>([
  ['is lost', LOST],
  ['never comes', 'hangs'],
])('a change whose answer %s is called again under its name', async (_, first) => {
  const { client, names } = start([first, 'answers'])
  expect(await client.make.mutate('one')).toBe('one')
  expect(names).toMatchObject([{ age: undefined }, { age: expect.any(Number) }])
  expect(names[1]?.key).toBe(names[0]?.key)
})

test('the person ends the wait, and the same change again is the same call', async () => {
  const { client, names } = start(['hangs', 'hangs', 'answers'])
  const outcome = client.make.mutate('two').catch(consoleErrorOf)
  await expect.poll(() => names.length).toBe(2)
  stopWaiting()
  expect(await outcome).toMatchObject({ refusal: { code: 'outcome_unknown' } })
  expect(await client.make.mutate('two')).toBe('two')
  expect(new Set(names.map(({ key }) => key)).size).toBe(1)
  // Its outcome is known now: once more is another change.
  await client.make.mutate('two')
  expect(names.at(-1)).toMatchObject({ age: undefined })
  expect(names.at(-1)?.key).not.toBe(names[0]?.key)
})

test('a refusal is no lost answer', async () => {
  const { client, names } = start([refusedCall({ code: 'not_confirmed' })])
  expect(await client.make.mutate('three').catch(consoleErrorOf)).toMatchObject({
    refusal: { code: 'not_confirmed' },
  })
  expect(names).toHaveLength(1)
})

test('a way without names repeats nothing, and can be left', async () => {
  const { client, names } = start(['hangs'], false)
  const outcome = client.make.mutate('four').catch(consoleErrorOf)
  // Once it counts as unanswered.
  await expect
    .poll(async () => {
      stopWaiting()
      return await Promise.race([outcome, null])
    })
    .toMatchObject({ refusal: { code: 'outcome_unknown' } })
  expect(names).toHaveLength(1)
})

test('a question that nobody answers fails', async () => {
  const { client } = start(['hangs'])
  expect(await client.ask.query('five').catch(consoleErrorOf)).toMatchObject({
    code: 'unavailable',
    reason: 'no_answer',
  })
})
