import { createTRPCClient } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { expect, onTestFinished, test } from 'vitest'
import { bridgeLink } from '../../../src/renderer/bridge/clients.ts'
import { confirmingLink, confirmWith } from '../../../src/renderer/bridge/confirming-link.ts'
import { consoleErrorOf } from '../../../src/renderer/bridge/error.ts'
import { type CallResult, refusedCall } from '../../../src/shared/console/bridge.ts'
import type { ConfirmationMethod } from '../../../src/shared/person.ts'

const { router, procedure } = initTRPC.create()
const echoRouter = router({
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
  return { seen, client: createTRPCClient<typeof echoRouter>({ links }) }
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
