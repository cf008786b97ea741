import { posix } from 'node:path'

const NOT_ABSOLUTE = 'must be an absolute path. Choose it with the button beside the field.'
const ELSEWHERE =
  'is not on a drive of this computer. Choose it with the button beside the field, or copy it to a drive.'

/**
 * Why a path that was only typed is not to be touched, or undefined. Windows signs in at the server that
 * a path such as `\\server\share` names, with the account's credentials, as soon as anybody looks at
 * it: there, only a path that begins with a drive is touched.
 */
export function pathFault(path: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return posix.isAbsolute(path) ? undefined : NOT_ABSOLUTE
  if (/^[a-z]:[\\/]/i.test(path)) return undefined
  return /^[\\/]/.test(path) ? ELSEWHERE : NOT_ABSOLUTE
}
