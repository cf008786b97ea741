import type { Actor } from '../../../src/server/catalog/audit-log.ts'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'

/** Who the tests act as if no key is involved. */
export const ACTOR: Actor = { kind: 'command_line', name: 'test' }

/** `ACTOR` as a principal of use cases. */
export const PRINCIPAL: Principal = { actor: ACTOR, access: FULL_ACCESS, seesArchived: false }
