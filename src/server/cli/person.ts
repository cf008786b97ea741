import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { Role } from '../../shared/role.ts'
import {
  ConsoleCodeDocument,
  EndedSessionsDocument,
  LinkDocument,
  PeopleDocument,
  PersonDocument,
} from './documents/documents.ts'
import { addLocalCommand, addServerCommand, type CommandFacts, several, valid } from './options.ts'
import type { InviteOptions } from './person-changes.ts'
import { EXAMPLES } from './strings/examples.ts'
import { text } from './strings/person.ts'

const examples = EXAMPLES.person

/** `person list`, `person invite` and what else is done about people. */
export function addPersonCommands(program: Command): void {
  const person = program.command('person').description(text.description)
  const about = (name: string, facts: CommandFacts) =>
    addServerCommand(person, name, facts).argument('<name>', text.nameArgument)
  const withLink = (command: Command) =>
    command.option('--console <url>', text.consoleAddress, valid(ConsoleAddress))
  const linkFacts = { document: LinkDocument }
  const personFacts = { document: PersonDocument }

  addServerCommand(person, 'list', {
    description: text.list,
    examples: examples.list,
    document: PeopleDocument,
  }).action(async (options) => (await import('./person-list.ts')).listPeople(options))

  withLink(
    addLocalCommand(person, 'setup-link', {
      ...linkFacts,
      description: text.setupLink,
      examples: examples.setupLink,
    }),
  ).action(async (options) => (await import('./person-setup-link.ts')).printSetupLink(options))

  addLocalCommand(person, 'console-code', {
    document: ConsoleCodeDocument,
    description: text.consoleCode,
    examples: examples.consoleCode,
  }).action(async (options) => (await import('./person-console-code.ts')).printConsoleCode(options))

  withLink(about('invite', { ...linkFacts, description: text.invite, examples: examples.invite }))
    .option('--role <role>', text.role(Role.options), valid(Role))
    .option('--app-role <app=role>', text.appRole(Role.options), several(readAppRole))
    .action(async (name: string, options: InviteOptions) => {
      await (await import('./person-changes.ts')).invite(name, options)
    })

  withLink(
    about('reset-password', {
      ...linkFacts,
      description: text.resetPassword,
      examples: examples.resetPassword,
    }),
  ).action(async (name, options) =>
    (await import('./person-changes.ts')).resetPassword(name, options),
  )

  about('disable', {
    ...personFacts,
    description: text.disable,
    examples: examples.disable,
  }).action(async (name, options) =>
    (await import('./person-changes.ts')).setDisabled(name, true, options),
  )

  about('enable', {
    ...personFacts,
    description: text.enable,
    examples: examples.enable,
  }).action(async (name, options) =>
    (await import('./person-changes.ts')).setDisabled(name, false, options),
  )

  about('end-sessions', {
    description: text.endSessions,
    examples: examples.endSessions,
    document: EndedSessionsDocument,
  }).action(async (name, options) =>
    (await import('./person-changes.ts')).endSessions(name, options),
  )

  about('reset-two-factor', {
    ...personFacts,
    description: text.resetTwoFactor,
    examples: examples.resetTwoFactor,
  }).action(async (name, options) =>
    (await import('./person-changes.ts')).resetTwoFactor(name, options),
  )
}

const ConsoleAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

function readAppRole(option: string): { readonly app: string; readonly role: Role } {
  const at = option.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError(text.appRoleForm)
  return { app: option.slice(0, at), role: valid(Role)(option.slice(at + 1)) }
}
