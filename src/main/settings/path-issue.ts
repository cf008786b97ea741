import { posix } from 'node:path'

const NOT_ABSOLUTE = 'must be an absolute path. Choose it with the button next to the field.'
const ELSEWHERE =
  'is not on a drive of this computer. Choose it with the button next to the field, or copy it to a drive.'

/**
 * Returns why a typed path must not be accessed, or undefined. Windows signs in to the server of a path
 * such as `\\server\share` with the account's credentials on any access, so on Windows only paths that
 * begin with a drive are accessed.
 */
export function pathIssue(path: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return posix.isAbsolute(path) ? undefined : NOT_ABSOLUTE
  if (/^[a-z]:[\\/]/i.test(path)) return undefined
  return /^[\\/]/.test(path) ? ELSEWHERE : NOT_ABSOLUTE
}
