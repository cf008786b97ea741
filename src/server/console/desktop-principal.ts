import { accountName } from '../account.ts'
import { FULL_ACCESS } from '../use-cases/access.ts'
import { type Principal, personOfUser } from '../use-cases/principal.ts'

/** Returns who the desktop app acts as on its own server: the account on this computer, which may do everything. */
export function desktopPrincipal(): Principal {
  const name = accountName()
  const actor = { kind: 'console', name } as const
  return { actor, access: FULL_ACCESS, seesArchived: true, person: personOfUser(name) }
}
