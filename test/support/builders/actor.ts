import type { Actor } from '../../../src/server/catalog/store.ts'

/** Who the tests act as where no key is involved. */
export const ACTOR: Actor = { kind: 'command_line', name: 'test' }
