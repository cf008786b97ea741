import type { PersonDifference, RestoredAccess } from '../../../../shared/access/restored-access.ts'
import type { Connection } from '../database.ts'
import {
  CREDENTIAL_TABLES,
  CREDENTIALS,
  hasAccounts,
  isSameRoles,
  lowerRoles,
  type StoredPeople,
  type StoredPerson,
  storedPeople,
  writePeople,
} from './stored-people.ts'

const SQL = {
  endSessions: 'DELETE FROM sessions',
  voidLinks: 'DELETE FROM account_links',
  raiseRevision: 'UPDATE people_state SET revision = revision + 1',
} as const

/** The people that a copy gets, and how they differ from the copy or from those of now. */
interface Merged {
  readonly people: ReadonlyMap<string, StoredPerson>
  readonly differences: RestoredAccess['people']
}

interface Choice {
  readonly person: StoredPerson
  readonly differences: readonly PersonDifference[]
}

const NO_CREDENTIALS: StoredPerson['credentials'] = {
  totp_secrets: [],
  recovery_codes: [],
  passkeys: [],
  account_identities: [],
}

/** Returns what `restrictPeople` would do with a copy. Changes nothing. */
export function previewPeople(copy: Connection, present: StoredPeople): RestoredAccess['people'] {
  return mergedPeople(copy, present, '').differences
}

/**
 * Ends all sessions of a copy that is about to be restored, voids its links, and gives its people no more access than both
 * the copy and `present` do: the lower roles, and the ways to sign in of now. Without present people, which is also a
 * server that nobody has set up, everyone is disabled: which accounts were closed since is not known.
 * Returns the differences by name. Inside a transaction.
 */
export function restrictPeople(
  copy: Connection,
  present: StoredPeople,
  at: string,
): RestoredAccess['people'] {
  if (!hasAccounts(copy)) return []
  const { people, differences } = mergedPeople(copy, present, at)
  writePeople(copy, people.values())
  copy.prepare(SQL.endSessions).run()
  copy.prepare(SQL.voidLinks).run()
  copy.prepare(SQL.raiseRevision).run()
  return differences
}

function mergedPeople(copy: Connection, present: StoredPeople, at: string): Merged {
  const restored = storedPeople(copy) ?? new Map()
  const choices = new Map<string, Choice>()
  if (present === null || present.size === 0) {
    for (const [id, person] of restored) choices.set(id, locked(person, at))
    return merged(choices, [])
  }
  for (const [id, person] of restored) choices.set(id, stricter(person, present.get(id), at))
  const administrators = [...present.values()].filter(isActiveAdministrator)
  if (![...choices.values()].some(({ person }) => isActiveAdministrator(person))) {
    for (const person of administrators) keep(choices, person)
  }
  const added = [...present].filter(([id]) => !choices.has(id))
  return merged(
    choices,
    added.map(([, { account }]) => account.name),
  )
}

function merged(choices: ReadonlyMap<string, Choice>, added: readonly string[]): Merged {
  const named = [...choices.values()].flatMap(({ person, differences }) =>
    differences.length === 0 ? [] : [{ name: person.account.name, differences: [...differences] }],
  )
  const lost = added.map((name) => ({ name, differences: ['added' as const] }))
  return {
    people: new Map([...choices].map(([id, { person }]) => [id, person])),
    differences: [...named, ...lost].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/** There is nothing to compare a person with. */
function locked(person: StoredPerson, at: string): Choice {
  if (person.account.disabled_at !== null) return { person, differences: [] }
  return {
    person: { ...person, account: { ...person.account, disabled_at: at } },
    differences: ['unknown'],
  }
}

/** The person of a copy as the stricter of both; `present`: undefined if removed since. */
function stricter(person: StoredPerson, present: StoredPerson | undefined, at: string): Choice {
  const { account, roles } = person
  if (present === undefined) {
    const closed = { ...account, password_hash: null, disabled_at: account.disabled_at ?? at }
    return {
      person: { ...person, account: closed, roles, credentials: NO_CREDENTIALS },
      differences: ['removed'],
    }
  }
  const now = present.account
  const { password_hash, email = null, last_seen_at } = now
  const disabled_at = account.disabled_at ?? now.disabled_at
  return {
    person: {
      account: { ...account, password_hash, email, last_seen_at, disabled_at },
      roles: lowerRoles(roles, present.roles),
      credentials: present.credentials,
      choices: present.choices ?? person.choices,
    },
    differences: [
      ...((account.disabled_at === null) === (now.disabled_at === null)
        ? []
        : ['disabled' as const]),
      ...(isSameRoles(roles, present.roles) ? [] : ['roles' as const]),
      ...(account.password_hash === password_hash ? [] : ['password' as const]),
      ...CREDENTIAL_TABLES.filter(
        (table) => credentialsOf(person, table) !== credentialsOf(present, table),
      ).map((table) => CREDENTIALS[table].difference),
      ...((account.email ?? null) === email ? [] : ['email' as const]),
    ],
  }
}

/** Keeps an administrator as now, in place of whoever had that name in the copy and was removed since. */
function keep(choices: Map<string, Choice>, person: StoredPerson): void {
  for (const [id, { person: other }] of choices) {
    if (other.account.name_key === person.account.name_key) choices.delete(id)
  }
  choices.set(person.account.id, { person, differences: ['administrator'] })
}

function credentialsOf({ credentials }: StoredPerson, table: keyof typeof CREDENTIALS): string {
  const { same } = CREDENTIALS[table]
  return JSON.stringify(credentials[table].map((row) => same.map((column) => row[column])).sort())
}

function isActiveAdministrator({ account, roles, credentials }: StoredPerson): boolean {
  if (roles.server !== 'administrator' || account.disabled_at !== null) return false
  const { passkeys, account_identities } = credentials
  return account.password_hash !== null || passkeys.length > 0 || account_identities.length > 0
}
