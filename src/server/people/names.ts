import { foldName, SignInName } from '../../shared/access/person.ts'
import { issueOf } from '../../shared/issue.ts'
import { invalid, Refusal } from '../catalog/errors.ts'
import type { PeopleSnapshot } from './snapshot.ts'

/** Returns the name for a new account and its key. Throws `invalid_input`. */
export function requireSignInName(name: string): { readonly name: string; readonly key: string } {
  const result = SignInName.safeParse(name)
  if (result.success) return { name: result.data, key: foldName(result.data) }
  const { reason } = issueOf(result.error, name)
  throw invalid({ path: ['name'], reason })
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
