import { join } from 'node:path'
import { inject } from 'vitest'

/** Returns the bundle of a script that `bundle.ts` names. */
export function scriptFile(name: string): string {
  return join(inject('scripts'), `${name}.js`)
}
