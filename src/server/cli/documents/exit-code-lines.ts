import { EXIT, type ExitName } from '../exit-codes.ts'
import { text } from '../strings/server.ts'

/** Returns every exit code with what it means. */
export function exitCodes(): { readonly code: number; readonly meaning: string }[] {
  return NAMES.map((name) => ({ code: EXIT[name], meaning: text.exitCodes[name] }))
}

const NAMES: readonly ExitName[] = [
  'ok',
  'failed',
  'usage',
  'refused',
  'unreachable',
  'unauthorized',
  'unconfirmed',
]
