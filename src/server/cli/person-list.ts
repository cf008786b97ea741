import { statusOf } from '../people/status.ts'
import type { ReadOptions } from './options.ts'
import { printJson, printTable } from './output.ts'
import { withPeople } from './people-session.ts'
import { text } from './strings/person.ts'

/** Prints all accounts: who they are, what they may do, and when they were last seen. */
export async function listPeople(options: ReadOptions): Promise<void> {
  await withPeople(options, async ({ people, catalog }) => {
    const listed = people.list().map((account) => {
      const { id, name, access, createdAt, lastSeenAt, secondFactors } = account
      const appRoles = [...access.apps].flatMap(([key, role]) => {
        const app = catalog.snapshot.appByKey.get(key)?.record.ref
        return app === undefined ? [] : [{ app, role }]
      })
      return {
        ...{ id, name, role: access.server, appRoles, status: statusOf(account) },
        twoFactor: secondFactors.length > 0,
        sessions: people.sessionsOf(id).length,
        ...{ createdAt, lastSeenAt },
      }
    })
    if (options.json) {
      printJson({ people: listed })
      return
    }
    printTable(
      text.headings,
      listed.map(({ name, role, appRoles, status, twoFactor, sessions, lastSeenAt }) => [
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
  })
}
