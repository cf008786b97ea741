import type { Actor } from '../catalog/audit-log.ts'
import type { CallerSession } from '../console/reach.ts'
import { type Caller, personActor, type Session } from '../people/account.ts'
import type { People } from '../people/people.ts'
import { type Principal, personOfAccount } from '../use-cases/principal.ts'

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

/** Returns what procedures know of the session that a call comes with. `managesPeople`: see `CallerSession`. */
export function callerSession(
  session: Session,
  {
    people,
    caller,
    managesPeople = false,
  }: {
    readonly people: Pick<People, 'confirmations'>
    readonly caller: Caller
    readonly managesPeople?: boolean
  },
): CallerSession {
  const { id, kind } = session
  return {
    ...{ id, kind, managesPeople },
    requireConfirmed: () => people.confirmations.require(session),
    confirm: (proof) => people.confirmations.confirm(session, proof, caller),
  }
}
