import type { Caller, Session } from '../people/account.ts'
import { type Principal, personOfAccount } from '../updates/principal.ts'

/** Returns who the audit log names when a person acts. */
export function actorOf({ account }: Session, { address }: Caller) {
  return { kind: 'person', name: account.name, address } as const
}

/** Returns who the use cases act for when a person calls. */
export function principalOf(session: Session, caller: Caller): Principal {
  return {
    actor: actorOf(session, caller),
    accountId: session.account.id,
    access: session.account.access,
    seesArchived: true,
    person: personOfAccount(session.account.id),
  }
}
