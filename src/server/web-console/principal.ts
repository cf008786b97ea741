import type { ConsoleContext } from '../console/context.ts'
import type { Caller, Session } from '../people/account.ts'
import type { Principal } from '../updates/principal.ts'
import type { WebConsoleParts } from './parts.ts'

/** Returns who the audit log names when a person acts. */
export function actorOf({ account }: Session, { address }: Caller) {
  return { kind: 'person', name: account.name, address } as const
}

/** Returns who the use cases act for when a person calls. */
export function principalOf(session: Session, caller: Caller): Principal {
  return {
    actor: actorOf(session, caller),
    appKey: null,
    seesArchived: true,
  }
}

/** Returns what the console's procedures work with when a person calls. */
export function consoleOf(
  session: Session,
  caller: Caller,
  { console: context }: Pick<WebConsoleParts, 'console'>,
): ConsoleContext {
  return { ...context(), principal: principalOf(session, caller), sessionId: session.id }
}
