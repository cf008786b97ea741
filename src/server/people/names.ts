import { foldName, SignInName } from '../../shared/access/person.ts'
import { parsedBy } from '../../shared/issue.ts'
import { invalid, Refusal } from '../catalog/errors.ts'
import type { PeopleSnapshot } from './snapshot.ts'

/** Returns the name for a new account and its key. Throws `invalid_input`. */
export function requireSignInName(name: string): { readonly name: string; readonly key: string } {
  const read = parsedBy(SignInName, name, ({ reason }) => invalid({ path: ['name'], reason }))
  return { name: read, key: foldName(read) }
}

/** Throws `name_taken` if an account has that name in any case. */
export function refuseTaken({ accountByNameKey }: PeopleSnapshot, key: string): void {
  const holder = accountByNameKey.get(key)
  if (holder !== undefined) throw new Refusal({ code: 'name_taken', name: holder.record.name })
}

/** Words that an attacker would try first for the password of an account. */
export function relatedWords(name: string): string[] {
  return [...PRODUCT_WORDS, name, ...name.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')]
}

const PRODUCT_WORDS = ['tidegate', 'tide', 'gate', 'update', 'release', 'console']
