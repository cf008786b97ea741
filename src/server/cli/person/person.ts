import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { Role } from '../../../shared/role.ts'
import {
  ConsoleCodeDocument,
  EndedSessionsDocument,
  LinkDocument,
  PeopleDocument,
  PersonDocument,
} from '../documents/documents.ts'
import { addLocalCommand, addServerCommand, several, valid } from '../options.ts'
import { text } from '../strings/person.ts'
import type { InviteOptions } from './person-changes.ts'

/** `person list`, `person invite` and what else is done about people. */
export function addPersonCommands(program: Command): void {
  const person = program.command('person').description(text.description)
  const about = (name: string, description: string, document: z.ZodType) =>
    addServerCommand(person, name, description, document).argument('<name>', text.nameArgument)
  const withLink = (command: Command) =>
    command.option('--console <url>', text.consoleAddress, valid(ConsoleAddress))

  addServerCommand(person, 'list', text.list, PeopleDocument).action(async (options) =>
    (await import('./person-list.ts')).listPeople(options),
  )

  withLink(addLocalCommand(person, 'setup-link', text.setupLink, LinkDocument)).action(
    async (options) => (await import('./person-setup-link.ts')).printSetupLink(options),
  )

  addLocalCommand(person, 'console-code', text.consoleCode, ConsoleCodeDocument).action(
    async (options) => (await import('./person-console-code.ts')).printConsoleCode(options),
  )

  withLink(about('invite', text.invite, LinkDocument))
    .option('--role <role>', text.role(Role.options), valid(Role))
    .option('--app-role <app=role>', text.appRole(Role.options), several(readAppRole))
    .action(async (name: string, options: InviteOptions) => {
      await (await import('./person-changes.ts')).invite(name, options)
    })

  withLink(about('reset-password', text.resetPassword, LinkDocument)).action(
    async (name, options) => (await import('./person-changes.ts')).resetPassword(name, options),
  )

  about('disable', text.disable, PersonDocument).action(async (name, options) =>
    (await import('./person-changes.ts')).setDisabled(name, true, options),
  )

  about('enable', text.enable, PersonDocument).action(async (name, options) =>
    (await import('./person-changes.ts')).setDisabled(name, false, options),
  )

  about('end-sessions', text.endSessions, EndedSessionsDocument).action(async (name, options) =>
    (await import('./person-changes.ts')).endSessions(name, options),
  )

  about('reset-two-factor', text.resetTwoFactor, PersonDocument).action(async (name, options) =>
    (await import('./person-changes.ts')).resetTwoFactor(name, options),
  )
}

const ConsoleAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

function readAppRole(option: string): { readonly app: string; readonly role: Role } {
  const at = option.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError(text.appRoleForm)
  return { app: option.slice(0, at), role: valid(Role)(option.slice(at + 1)) }
}
