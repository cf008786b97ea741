import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { Role } from '../../shared/role.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import type { IssuedLink } from '../people/account.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { print } from './output.ts'
import type { NamedAppRole } from './people-session.ts'
import { text } from './strings/person.ts'

/** `person list`, `person invite` and what else is done about people on the server's machine. */
export function addPersonCommands(program: Command): void {
  const person = program.command('person').description(text.description)
  const about = (name: string, description: string) =>
    addCommand(person, name, description).argument('<name>', text.nameArgument)
  const withLink = (name: string, description: string) =>
    about(name, description).option('--console <url>', text.consoleAddress, valid(ConsoleAddress))

  addReadCommand(person, 'list', text.list).action(async (options: ReadOptions) => {
    const { listPeople } = await import('./person-list.ts')
    await listPeople(options)
  })
  addCommand(person, 'setup-link', text.setupLink)
    .option('--console <url>', text.consoleAddress, valid(ConsoleAddress))
    .action(printSetupLink)
  withLink('invite', text.invite)
    .option('--role <role>', text.role(Role.options), valid(Role))
    .option('--app-role <app=role>', text.appRole(Role.options), several(readAppRole))
    .action(invite)
  withLink('reset-password', text.resetPassword).action(resetPassword)
  about('disable', text.disable).action(disable)
  about('enable', text.enable).action(enable)
  about('end-sessions', text.endSessions).action(endSessions)
  about('reset-two-factor', text.resetTwoFactor).action(resetTwoFactor)
}

const ConsoleAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

interface LinkOptions extends DataOptions {
  readonly console?: string
}

interface InviteOptions extends LinkOptions {
  readonly role?: Role
  readonly appRole?: readonly NamedAppRole[]
}

function readAppRole(option: string): NamedAppRole {
  const at = option.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError(text.appRoleForm)
  return { app: option.slice(0, at), role: valid(Role)(option.slice(at + 1)) }
}

async function printSetupLink(options: LinkOptions): Promise<void> {
  const { withPeople } = await import('./people-session.ts')
  await withPeople(options, async ({ people, holder }) => {
    printLink(await people.createSetupLink(), options, holder?.address)
  })
}

async function invite(name: string, options: InviteOptions): Promise<void> {
  const { withPeople, accessOf } = await import('./people-session.ts')
  const { role = null, appRole = [] } = options
  await withPeople(options, async ({ people, by, catalog, holder }) => {
    const access = accessOf(catalog, role, appRole)
    printLink(await people.invite(by, { name, access }), options, holder?.address)
  })
}

async function resetPassword(name: string, options: LinkOptions): Promise<void> {
  const { withPerson } = await import('./people-session.ts')
  await withPerson(options, name, async ({ people, by, holder }, { id }) => {
    printLink(await people.createResetLink(by, id), options, holder?.address)
  })
}

function printLink(
  { token }: IssuedLink,
  { console: given }: LinkOptions,
  server: string | null | undefined,
): void {
  const path = `#/link/${token}`
  if (given !== undefined) print(text.link(`${given.replace(/[/#]*$/, '')}/${path}`))
  else if (server) print(text.link(`${onThisComputer(server)}/console/${path}`))
  else print(text.linkWithoutServer(`/console/${path}`))
}

/** The address of a server on its own computer: one that listens on all interfaces has no name of its own. */
function onThisComputer(server: string): string {
  return server.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')
}

async function disable(name: string, options: DataOptions): Promise<void> {
  const { withPerson } = await import('./people-session.ts')
  await withPerson(options, name, ({ people, by }, { id }) => people.setDisabled(by, id, true))
  print(text.disabled(name))
}

async function enable(name: string, options: DataOptions): Promise<void> {
  const { withPerson } = await import('./people-session.ts')
  await withPerson(options, name, ({ people, by }, { id }) => people.setDisabled(by, id, false))
  print(text.enabled(name))
}

async function endSessions(name: string, options: DataOptions): Promise<void> {
  const { withPerson } = await import('./people-session.ts')
  const ended = await withPerson(options, name, ({ people, by }, { id }) =>
    people.endSessionsOf(by, id),
  )
  print(text.endedSessions(name, formatCounted(ended, 'session')))
}

async function resetTwoFactor(name: string, options: DataOptions): Promise<void> {
  const { withPerson } = await import('./people-session.ts')
  await withPerson(options, name, ({ people, by }, { id }) => people.resetSecondFactors(by, id))
  print(text.twoFactorReset(name))
}
