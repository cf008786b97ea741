import type { Actor } from '../catalog/audit-log.ts'
import type { Caller, Session } from '../people/account.ts'
import { personActor } from '../people/caller.ts'
import { type Principal, personOfAccount } from '../updates/principal.ts'

/** Returns who the audit log names when a person acts. */
export function actorOf({ account, kind }: Session, caller: Caller): Actor {
  return personActor(account.name, caller, kind)
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
