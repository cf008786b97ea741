import { createTRPCClient } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { expect, onTestFinished, test } from 'vitest'
import { bridgeLink } from '../../../src/renderer/bridge/clients.ts'
import { confirmingLink, confirmWith } from '../../../src/renderer/bridge/confirming-link.ts'
import { consoleErrorOf } from '../../../src/renderer/bridge/error.ts'
import type { ConfirmationMethod } from '../../../src/shared/access/person.ts'
import {
  type Bridge,
  type CallResult,
  refusedCall,
  type SubscriptionEvent,
} from '../../../src/shared/console/bridge/bridge.ts'

const { router, procedure } = initTRPC.create()
const echoRouter = router({
  echo: procedure.input((text: unknown) => String(text)).query(({ input }) => input),
  count: procedure.subscription(async function* () {
    yield 1
  }),
})

function clientOver(bridge: Partial<Bridge>) {
  const whole: Bridge = {
    call: async () => ({ ok: true, data: undefined }),
    subscribe: () => () => {},
    ...bridge,
  }
  return createTRPCClient<typeof echoRouter>({ links: [bridgeLink(whole)] })
}

test('a call crosses with its type, path and input, and its answer comes back', async () => {
  const client = clientOver({ call: async (request) => ({ ok: true, data: request }) })
  expect(await client.echo.query('a')).toEqual({ type: 'query', path: 'echo', input: 'a' })
})

test('an error value becomes a typed error', async () => {
  const refusal = { code: 'app_archived', app: 'editor' } as const
  const error = refusedCall(refusal)
  const client = clientOver({ call: async () => ({ ok: false, error }) })
  const failure = await client.echo.query('a').catch(consoleErrorOf)
  expect(failure).toMatchObject({
    ...{ name: 'ConsoleError', code: 'invariant', refusal },
    message: 'App "editor" is archived; restore it first.',
  })
})

test('a bridge that rejects is an internal error', async () => {
  const client = clientOver({ call: () => Promise.reject(new Error('gone')) })
  const failure = await client.echo.query('a').catch(consoleErrorOf)
  expect(failure).toMatchObject({ code: 'internal' })
})

test('a subscription passes events on until it is ended', () => {
  let send: (event: SubscriptionEvent) => void = () => {}
  let ended = false
  const client = clientOver({
    subscribe(_request, listener) {
      send = listener
      return () => {
        ended = true
      }
    },
  })
  const seen: unknown[] = []
  const subscription = client.count.subscribe(undefined, { onData: (data) => seen.push(data) })
  send({ type: 'data', data: 1 })
  send({ type: 'data', data: 2 })
  subscription.unsubscribe()
  expect(ended).toBe(true)
  expect(seen).toEqual([1, 2])
})

test('a subscription that fails says so as a typed error', async () => {
  const client = clientOver({
    subscribe(_request, listener) {
      listener({ type: 'error', error: { code: 'unavailable', reason: 'server_ended' } })
      return () => {}
    },
  })
  const failure = await new Promise((resolve) => {
    client.count.subscribe(undefined, { onError: resolve })
  })
  expect(consoleErrorOf(failure)).toMatchObject({
    code: 'unavailable',
    message: 'The server stopped before it responded.',
  })
})

const mutationRouter = router({
  echo: procedure.input((text: unknown) => String(text)).mutation(({ input }) => input),
})

/** A server that asks for a confirmation until there was one, and the person at the page. */
function start(answer: boolean, methods: ConfirmationMethod[] = ['password']) {
  const seen = { calls: 0, questions: 0 }
  let isConfirmed = false
  const call = async ({ input }: { readonly input?: unknown }): Promise<CallResult> => {
    seen.calls += 1
    if (isConfirmed) return { ok: true, data: input }
    return { ok: false, error: refusedCall({ code: 'confirmation_needed', methods }) }
  }
  onTestFinished(
    confirmWith(async () => {
      seen.questions += 1
      isConfirmed = answer
      return answer
    }),
  )
  const links = [confirmingLink(), bridgeLink({ call, subscribe: () => () => {} })]
  return { seen, client: createTRPCClient<typeof mutationRouter>({ links }) }
}

test('calls are repeated after one confirmation, each with its input', async () => {
  const { client, seen } = start(true)
  expect(await Promise.all([client.echo.mutate('a'), client.echo.mutate('b')])).toEqual(['a', 'b'])
  expect(seen).toEqual({ calls: 4, questions: 1 })
})

test('who does not confirm gets the refusal, and is asked again the next time', async () => {
  const { client, seen } = start(false)
  for (const questions of [1, 2]) {
    const failure = await client.echo.mutate('a').catch(consoleErrorOf)
    expect(failure).toMatchObject({ refusal: { code: 'confirmation_needed' } })
    expect(seen.questions).toBe(questions)
  }
})

test('an account that has nothing to confirm with is not asked', async () => {
  const { client, seen } = start(true, [])
  const failure = await client.echo.mutate('a').catch(consoleErrorOf)
  expect(failure).toMatchObject({ refusal: { code: 'confirmation_needed', methods: [] } })
  expect(seen).toEqual({ calls: 1, questions: 0 })
})
