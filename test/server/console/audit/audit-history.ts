import { createApp } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { type Caller, startConsole } from '../../../support/servers/console.ts'
import type { TestServer } from '../../../support/servers/server.ts'

/** An app from the console, another from the command line, two releases by key, one rolled back. */
export async function startWithHistory(): Promise<{ server: TestServer; console: Caller }> {
  const started = await startConsole()
  const { server } = started
  await createApp(server.catalog, ACTOR, { ref: 'viewer' })
  await publish(server, '1.0.0')
  await publish(server, '1.1.0', { rolloutPct: 10 })
  await serve(server, '1.1.0', { status: 'rolled_back' })
  return started
}
