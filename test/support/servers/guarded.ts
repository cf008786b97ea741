import { Refusal } from '../../../src/server/catalog/errors.ts'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import type { RequestedChange } from '../../../src/shared/releases/change-request.ts'
import { publish, setPolicy } from './calls.ts'
import { startWithApp, type TestServer } from './server.ts'

export const PLACE = { app: 'editor', channel: 'stable' }
export const RELEASE = { ...PLACE, version: '1.0.0' }
export const BETA = { matchLabels: { ring: 'beta' }, matchExpressions: [] }

function person(name: string): Principal {
  return {
    actor: { kind: 'person', name },
    access: FULL_ACCESS,
    seesArchived: true,
    person: `user:${name}`,
  }
}

export const ada = person('ada')
export const ben = person('ben')
export const eve = person('eve')

/** A server whose clock is moved, with 1.0.0 at 10% for the ring beta on a channel that requires approval. */
export async function startGuarded() {
  const time = { now: Date.parse('2026-03-14T09:26:53.589Z') }
  const server = await startWithApp({}, undefined, { clock: () => time.now })
  await publish(server, '1.0.0', { rolloutPct: 10, targets: BETA })
  await setPolicy(server, { requireApproval: true })
  return { server, time }
}

/** A change that requires approval. */
export const raise = { kind: 'serving', rolloutPct: 60 } as const

/** Requests a change; returns the ID of the request. */
export function propose(
  { updates }: TestServer,
  change: RequestedChange = raise,
  by = ada,
  version = '1.0.0',
): Promise<string> {
  return updates.proposeChange(by, { ...PLACE, version, change, comment: 'Looks good so far' })
}

/** Returns the facts that a call is refused with. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Refusal) return error.facts
  throw error ?? new Error('the call should have been refused')
}
