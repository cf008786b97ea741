import type { PersonItem } from '../../../shared/console/people.ts'
import { PeopleDocument, type PersonShown } from '../documents/documents.ts'
import type { CommandOptions } from '../options.ts'
import { printJson, printTable } from '../output.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/person.ts'

/** Prints all accounts: who they are, what they may do, and when they were last seen. */
export async function listPeople(options: CommandOptions): Promise<void> {
  const listed = await withServer(options, (server) => server.people.list.query())
  const people = listed.map(shownPerson)
  if (options.json) {
    printJson(PeopleDocument, { people })
    return
  }
  printTable(
    text.headings,
    people.map(({ name, role, appRoles, status, twoFactor, sessions, lastSeenAt }) => [
      name,
      role,
      appRoles.map(({ app, role: of }) => `${app}=${of}`).join(', ') || null,
      text.status[status],
      twoFactor ? text.twoFactor.on : text.twoFactor.off,
      sessions,
      lastSeenAt,
    ]),
    text.empty,
  )
}

/** Returns a person as commands print them. */
export function shownPerson(person: PersonItem): PersonShown {
  const { id, name, access, status, twoFactor, sessions, createdAt, lastSeenAt } = person
  const { server: role, apps: appRoles } = access
  return { id, name, role, appRoles, status, twoFactor, sessions, createdAt, lastSeenAt }
}
