import type { Role } from '../../shared/role.ts'

/** The roles of a principal. A role on the server counts in every app. */
export interface Access {
  readonly server: Role | null
  /** By the key of the app. */
  readonly apps: ReadonlyMap<number, Role>
}
