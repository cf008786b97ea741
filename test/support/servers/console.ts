import { expect } from 'vitest'
import { ConsoleError } from '../../../src/renderer/bridge/error.ts'
import { forPrincipal } from '../../../src/server/console/context.ts'
import { desktopPrincipal } from '../../../src/server/console/procedures.ts'
import type { CallerSession } from '../../../src/server/console/reach.ts'
import { consoleRouter, toCallError } from '../../../src/server/console/router.ts'
import type { Preview, PreviewEvent } from '../../../src/shared/console/releases/preview.ts'
import { startServer, type TestServer } from './server.ts'

/** What a page can call, without the processes in between: that of the desktop app, or of another principal. */
export function callerOf(
  { consoleContext }: Pick<TestServer, 'consoleContext'>,
  signal?: AbortSignal,
  principal = desktopPrincipal(),
) {
  const context = forPrincipal(consoleContext, principal, SESSION)
  return consoleRouter.createCaller(context, signal === undefined ? {} : { signal })
}

/** Whose person has just confirmed that it is them. */
export const SESSION: CallerSession = {
  ...{ id: 'a session', kind: 'browser', managesPeople: false },
  requireConfirmed: async () => {},
  confirm: async () => {},
}

type ShownError = Pick<ConsoleError, 'code' | 'message'>

export type Caller = ReturnType<typeof callerOf>

/** A server with the app `editor`, and a caller of its console. */
export async function startConsole(): Promise<{ server: TestServer; console: Caller }> {
  const server = await startServer()
  const caller = callerOf(server)
  await caller.apps.create({ ref: 'editor', name: 'Editor' })
  return { server, console: caller }
}

/** The error that the call fails with, as the page shows it; a call that succeeds fails the test. */
export async function failureOf(call: Promise<unknown>, input?: unknown): Promise<ShownError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  expect(outcome, 'the call should have failed').toBeDefined()
  const { code, message } = ConsoleError.of(
    toCallError(outcome?.error, { path: 'the.call', input }),
  )
  return { code, message }
}

/** Runs a preview to its end. */
export async function previewOf(
  caller: Caller,
  input: Parameters<Caller['releases']['preview']>[0],
): Promise<{ preview: Preview; events: PreviewEvent[] }> {
  const events: PreviewEvent[] = []
  for await (const event of await caller.releases.preview(input)) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'result') throw new Error('the preview had no result')
  return { preview: last.preview, events }
}
