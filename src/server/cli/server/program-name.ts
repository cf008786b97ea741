import { VERSION } from '../../runtime/version.ts'

/** How the command line names itself to servers (RFC 9110 section 10.1.5). */
export const PROGRAM = `tidegate-cli/${VERSION}`
