import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { foldName } from '../../../shared/access/person.ts'
import { Role } from '../../../shared/access/role.ts'
import type { PersonItem } from '../../../shared/console/people/people.ts'
import { formatCounted } from '../../../shared/wording/format.ts'
import { Refusal } from '../../catalog/errors.ts'
import { UsageError } from '../command/errors.ts'
import {
  addLocalCommand,
  addServerCommand,
  type CommandOptions,
  onServer,
} from '../command/options.ts'
import { printAnswer, printTable } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import {
  ConsoleCodeDocument,
  EndedSessionsDocument,
  LinkDocument,
  PeopleDocument,
  PersonDocument,
  type PersonShown,
} from '../documents/documents.ts'
import type { CommandServer } from '../server/calls.ts'
import { personText as text } from '../strings/catalog.ts'
import { printLink } from './person-local.ts'

/** `person list`, `person invite` and what else is done about people. */
export function addPersonCommands(program: Command): void {
  const person = program.command('person').description(text.description)
  const about = (name: string, description: string, document: z.ZodType) =>
    addServerCommand(person, name, description, document).argument('<name>', text.nameArgument)
  const withLink = (command: Command) =>
    command.option('--console <url>', text.consoleAddress, valid(ConsoleAddress))

  addServerCommand(person, 'list', text.list, PeopleDocument).action(listPeople)

  withLink(addLocalCommand(person, 'setup-link', text.setupLink, LinkDocument)).action(
    async (options) => (await import('./person-local.ts')).printSetupLink(options),
  )

  addLocalCommand(person, 'console-code', text.consoleCode, ConsoleCodeDocument).action(
    async (options) => (await import('./person-local.ts')).printConsoleCode(options),
  )

  withLink(about('invite', text.invite, LinkDocument))
    .option('--role <role>', text.role(Role.options), valid(Role))
    .option('--app-role <app=role>', text.appRole(Role.options), several(readAppRole))
    .action(invite)
  withLink(about('reset-password', text.resetPassword, LinkDocument)).action(resetPassword)
  for (const verb of ['disable', 'enable'] as const) {
    about(verb, text[verb], PersonDocument).action((name: string, options: CommandOptions) =>
      setDisabled(name, verb === 'disable', options),
    )
  }
  about('end-sessions', text.endSessions, EndedSessionsDocument).action(endSessions)
  about('reset-two-factor', text.resetTwoFactor, PersonDocument).action(resetTwoFactor)
}

const ConsoleAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

function readAppRole(option: string): { readonly app: string; readonly role: Role } {
  const at = option.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError(text.appRoleForm)
  return { app: option.slice(0, at), role: valid(Role)(option.slice(at + 1)) }
}

interface LinkOptions extends CommandOptions {
  readonly console?: string
}

interface InviteOptions extends LinkOptions {
  readonly role?: Role
  readonly appRole?: readonly { readonly app: string; readonly role: Role }[]
}

/** `person invite`. Throws `UsageError` without any role. */
async function invite(name: string, options: InviteOptions): Promise<void> {
  const { role = null, appRole = [] } = options
  if (role === null && appRole.length === 0) throw new UsageError(text.noRole)
  const access = { server: role, apps: [...appRole] }
  const link = await onServer(options, (server) => server.people.invite.mutate({ name, access }))
  printLink({ ...link, console: consoleOf(options) ?? link.console }, options)
}

async function resetPassword(name: string, options: LinkOptions): Promise<void> {
  const link = await withPerson(options, name, (server, { id }) =>
    server.people.createLink.mutate({ id }),
  )
  printLink({ ...link, console: consoleOf(options) ?? link.console }, options)
}

async function setDisabled(name: string, disabled: boolean, options: CommandOptions) {
  const person = await withPerson(options, name, (server, { id }) =>
    server.people.setDisabled.mutate({ id, disabled }),
  )
  const line = disabled ? text.disabled(name) : text.enabled(name)
  printAnswer(options, PersonDocument, { person: shownPerson(person) }, line)
}

async function endSessions(name: string, options: CommandOptions): Promise<void> {
  const { ended } = await withPerson(options, name, (server, { id }) =>
    server.people.endSessions.mutate({ id }),
  )
  const line = text.endedSessions(name, formatCounted(ended, 'session'))
  printAnswer(options, EndedSessionsDocument, { name, ended }, line)
}

async function resetTwoFactor(name: string, options: CommandOptions): Promise<void> {
  const person = await withPerson(options, name, async (server, { id }) => {
    await server.people.resetTwoFactor.mutate({ id })
    return await personNamed(server, name)
  })
  const document = { person: shownPerson(person) }
  printAnswer(options, PersonDocument, document, text.twoFactorReset(name))
}

/** Runs `work` about the account of that name. Throws `unknown_person`. */
async function withPerson<T>(
  options: CommandOptions,
  name: string,
  work: (server: CommandServer, person: PersonItem) => Promise<T>,
): Promise<T> {
  return await onServer(options, async (server) => {
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

async function listPeople(options: CommandOptions): Promise<void> {
  const listed = await onServer(options, (server) => server.people.list.query())
  const people = listed.map(shownPerson)
  const rows = people.map(({ name, role, appRoles, status, twoFactor, sessions, lastSeenAt }) => [
    ...[name, role, appRoles.map(({ app, role: of }) => `${app}=${of}`).join(', ') || null],
    ...[text.status[status], twoFactor ? text.twoFactor.on : text.twoFactor.off],
    ...[sessions, lastSeenAt],
  ])
  printAnswer(options, PeopleDocument, { people }, () =>
    printTable(text.headings, rows, text.empty),
  )
}

function shownPerson(person: PersonItem): PersonShown {
  const { id, name, access, status, twoFactor, sessions, createdAt, lastSeenAt } = person
  const { server: role, apps: appRoles } = access
  return { id, name, role, appRoles, status, twoFactor, sessions, createdAt, lastSeenAt }
}
