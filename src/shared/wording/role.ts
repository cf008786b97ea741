import type { Role } from '../access/role.ts'

/** Returns the name of a role inside a sentence. */
export function roleName(role: Role): string {
  switch (role) {
    case 'viewer':
      return 'viewer'
    case 'release_manager':
      return 'release manager'
    case 'administrator':
      return 'administrator'
  }
}
