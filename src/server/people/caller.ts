import type { Actor } from '../../shared/audit.ts'
import type { SessionKind } from '../../shared/person.ts'
import { showInvisible } from '../../shared/visible.ts'
import type { Caller } from './account.ts'

const MAX_ADDRESS = 64
const MAX_USER_AGENT = 256

/** Returns a caller whose values are no longer than what is stored, with what is invisible made visible. */
export function boundedCaller({ address, userAgent }: Caller): Caller {
  return { address: cut(address, MAX_ADDRESS), userAgent: cut(userAgent, MAX_USER_AGENT) }
}

/** Returns a person who calls, with a session of that kind, as the audit log names them. */
export function personActor(
  name: string,
  { address }: Pick<Caller, 'address'>,
  kind: SessionKind = 'browser',
): Actor {
  const actor = { kind: 'person', name, address } as const
  return kind === 'command_line' ? { ...actor, via: kind } : actor
}

function cut(text: string, maximum: number): string {
  return showInvisible(text.slice(0, maximum)).slice(0, maximum)
}
