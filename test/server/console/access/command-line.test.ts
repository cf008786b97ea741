// @module-tag long

import { describe, expect, onTestFinished, test } from 'vitest'
import { RemoteCallError } from '../../../../src/remote/connection-error.ts'
import { HttpClient } from '../../../../src/remote/http-client.ts'
import { RemoteCalls } from '../../../../src/remote/remote-calls.ts'
import { Refusal } from '../../../../src/server/catalog/errors.ts'
import { commandRouter } from '../../../../src/server/console/command-router.ts'
import { consoleRouter } from '../../../../src/server/console/router.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { ROOT } from '../../../support/builders/people.ts'
import { PASSWORD } from '../../../support/servers/browser.ts'
import { commandLineToken } from '../../../support/servers/command-line.ts'
import { type Case, PROCEDURES } from './procedures.ts'
import { accessOf, CALLERS, type CallerName, createWorld, HIDDEN, type World } from './world.ts'

const COMMANDS = Object.keys(commandRouter._def.procedures)

const CASES = Object.entries(PROCEDURES)
  .filter(([path]) => COMMANDS.includes(path))
  .flatMap(([path, cases]) => [cases].flat().map((each: Case) => ({ path, ...each })))

test('the command line has procedures of the console, under the same names', () => {
  const console = new Map(Object.entries(consoleRouter._def.procedures))
  for (const [path, procedure] of Object.entries(commandRouter._def.procedures)) {
    expect(console.get(path), path).toBe(procedure)
  }
})

describe.each(CALLERS)('%s', (name) => {
  test('gets on the command line of every procedure what the table says', async () => {
    const world = await createWorld({ console: { pageFolder: temporaryFolder() } })
    const console = await overNetwork(world, name)
    for (const { path, outcomes, call } of CASES) {
      const expected = outcomes[name] === 'allowed' ? 'filtered' : outcomes[name]
      const { got, shown } = await outcomeOf(() => call(console, world.seen, world))
      expect.soft(got, `${path}: ${shown}`).toBe(expected)
    }
  })
})

async function outcomeOf(call: () => Promise<unknown>) {
  try {
    const shown = JSON.stringify((await call()) ?? null)
    return { got: shown.includes(HIDDEN) ? 'everything' : 'filtered', shown }
  } catch (error) {
    if (!(error instanceof RemoteCallError) || !('refusal' in error.error)) throw error
    const { kind, facts } = new Refusal(error.error.refusal)
    // The role allows it, but over the network nobody does it where approval is required.
    if (facts.code === 'second_person_bypassed') return { got: 'filtered', shown: facts.act }
    return { got: kind, shown: JSON.stringify(facts) }
  }
}

/** The console as a person with that access reaches it on the command line, over HTTP. */
async function overNetwork(world: World, name: CallerName): Promise<Parameters<Case['call']>[0]> {
  const { people, address } = world.server
  const { token: link } = await people.invite(ROOT, { name, access: accessOf(world, name) })
  const result = await people.acceptLink(link, { password: PASSWORD }, CALLER)
  if (result.kind !== 'signed_in') throw new Error('a new account has no second factor')
  const http = new HttpClient({ url: address, pin: null })
  onTestFinished(() => http.close())
  await people.confirmations.note(result.session)
  const token = await commandLineToken(people, result.session, CALLER, true)
  const sender = { kind: 'program', name: 'test', token } as const
  const url = `${address}/console/command-line/api`
  const calls = new RemoteCalls({ http, url, sender: () => sender })
  const procedures = new Map(Object.entries(commandRouter._def.procedures))
  const routes: Record<string, Record<string, unknown>> = {}
  for (const path of COMMANDS) {
    const [route = '', procedure = ''] = path.split('.')
    const { type } = Reflect.get(procedures.get(path) ?? {}, '_def')
    routes[route] ??= {}
    routes[route][procedure] = (input?: unknown) => calls.call({ type, path, input })
  }
  // Of the same form as the caller within the process, for the procedures of the command line.
  return routes as never
}

const CALLER = { address: '192.0.2.7', userAgent: 'Firefox' }
