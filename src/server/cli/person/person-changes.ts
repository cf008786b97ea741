import type { PersonItem } from '../../../shared/console/people.ts'
import { foldName } from '../../../shared/person.ts'
import type { Role } from '../../../shared/role.ts'
import { formatCounted } from '../../../shared/wording/format.ts'
import { Refusal } from '../../catalog/errors.ts'
import { EndedSessionsDocument, PersonDocument } from '../documents/documents.ts'
import { UsageError } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import type { CommandServer } from '../server/calls.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/person.ts'
import { printLink } from './person-link.ts'
import { shownPerson } from './person-list.ts'

interface LinkOptions extends CommandOptions {
  readonly console?: string
}

export interface InviteOptions extends LinkOptions {
  readonly role?: Role
  readonly appRole?: readonly { readonly app: string; readonly role: Role }[]
}

/** `person invite`. Throws `UsageError` without any role. */
export async function invite(name: string, options: InviteOptions): Promise<void> {
  const { role = null, appRole = [] } = options
  if (role === null && appRole.length === 0) throw new UsageError(text.noRole)
  const access = { server: role, apps: [...appRole] }
  const link = await withServer(options, (server) => server.people.invite.mutate({ name, access }))
  printLink({ ...link, console: consoleOf(options) ?? link.console }, options.json)
}

/** `person reset-password`. */
export async function resetPassword(name: string, options: LinkOptions): Promise<void> {
  const link = await withPerson(options, name, (server, { id }) =>
    server.people.createLink.mutate({ id }),
  )
  printLink({ ...link, console: consoleOf(options) ?? link.console }, options.json)
}

/** `person disable` and `person enable`. */
export async function setDisabled(
  name: string,
  disabled: boolean,
  options: CommandOptions,
): Promise<void> {
  const person = await withPerson(options, name, (server, { id }) =>
    server.people.setDisabled.mutate({ id, disabled }),
  )
  if (options.json) printJson(PersonDocument, { person: shownPerson(person) })
  else print(disabled ? text.disabled(name) : text.enabled(name))
}

/** `person end-sessions`. */
export async function endSessions(name: string, options: CommandOptions): Promise<void> {
  const { ended } = await withPerson(options, name, (server, { id }) =>
    server.people.endSessions.mutate({ id }),
  )
  if (options.json) printJson(EndedSessionsDocument, { name, ended })
  else print(text.endedSessions(name, formatCounted(ended, 'session')))
}

/** `person reset-two-factor`. */
export async function resetTwoFactor(name: string, options: CommandOptions): Promise<void> {
  const person = await withPerson(options, name, async (server, { id }) => {
    await server.people.resetTwoFactor.mutate({ id })
    return await personNamed(server, name)
  })
  if (options.json) printJson(PersonDocument, { person: shownPerson(person) })
  else print(text.twoFactorReset(name))
}

/** Runs `work` about the account of that name. Throws `unknown_person`. */
async function withPerson<T>(
  options: CommandOptions,
  name: string,
  work: (server: CommandServer, person: PersonItem) => Promise<T>,
): Promise<T> {
  return await withServer(options, async (server) => {
    return await work(server, await personNamed(server, name))
  })
}

async function personNamed(server: CommandServer, name: string): Promise<PersonItem> {
  const key = foldName(name)
  const people = await server.people.list.query()
  const person = people.find((candidate) => foldName(candidate.name) === key)
  if (person === undefined) throw new Refusal({ code: 'unknown_person', person: name })
  return person
}

/** The console that a link is for, if the options tell: a server that answers here answers there. */
function consoleOf({ console, server }: LinkOptions): string | undefined {
  return console ?? (server === undefined ? undefined : `${server}/console/`)
}
