import { userInfo } from 'node:os'

/** The name of the account that this process runs as, for the audit log. */
export function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // An account that the system has no name for, as in some containers.
    return 'unknown'
  }
}
