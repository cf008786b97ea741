import { foldName } from '../../shared/person.ts'
import type { Role } from '../../shared/role.ts'
import { type Catalog, requireApp } from '../catalog/catalog.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Account } from '../people/account.ts'
import { type Acting, People } from '../people/people.ts'
import type { StorageHolder } from '../storage/interface/engine.ts'
import type { Access } from '../updates/access.ts'
import type { DataOptions } from './data-folder.ts'
import { UsageError } from './errors.ts'
import { commandLineActor, withExisting } from './session.ts'
import { text } from './strings/person.ts'

/** The role in an app, by its `ref` or id. */
export interface NamedAppRole {
  readonly app: string
  readonly role: Role
}

/** What a command about people works with. */
export interface PeopleSession {
  readonly people: People
  readonly by: Acting
  readonly catalog: Catalog
  /** The server that runs on the folder, if one does. */
  readonly holder: StorageHolder | undefined
}

/**
 * Runs `work` on the people of an existing database, whether a server runs on it or not: the server follows
 * every change. Throws `Failure` when there is no database.
 */
export async function withPeople<T>(
  options: DataOptions,
  work: (session: PeopleSession) => Promise<T>,
): Promise<T> {
  return await withExisting(options, async ({ catalog, storage }) => {
    const appRef = (key: number) => catalog.snapshot.appByKey.get(key)?.record.ref
    const people = await People.open(storage.people, { appRef })
    const by = { actor: commandLineActor(), accountId: null }
    return await work({ people, by, catalog, holder: storage.engine.holder() })
  })
}

/** The same about one account. Throws `unknown_person`. */
export async function withPerson<T>(
  options: DataOptions,
  name: string,
  work: (session: PeopleSession, account: Account) => Promise<T>,
): Promise<T> {
  return await withPeople(options, async (session) => {
    const key = foldName(name)
    const account = session.people.list().find((candidate) => foldName(candidate.name) === key)
    if (account === undefined) throw new Refusal({ code: 'unknown_person', person: name })
    return await work(session, account)
  })
}

/** Returns the access that options give. Throws `unknown_app`, and `UsageError` without any role. */
export function accessOf(
  catalog: Catalog,
  server: Role | null,
  appRoles: readonly NamedAppRole[],
): Access {
  if (server === null && appRoles.length === 0) throw new UsageError(text.noRole)
  const apps = appRoles.map(({ app, role }) => {
    return [requireApp(catalog.snapshot, app).record.key, role] as const
  })
  return { server, apps: new Map(apps) }
}
