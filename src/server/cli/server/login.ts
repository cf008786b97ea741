import { hostname } from 'node:os'
import type { Command } from 'commander'
import { ComputerName } from '../../../shared/console/people/sign-in-codes.ts'
import { EXIT, UsageError } from '../command/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer, report } from '../command/output.ts'
import { valid } from '../command/valid.ts'
import { describeCommand } from '../documents/described.ts'
import { MeDocument, SessionDocument, SignedOutDocument } from '../documents/documents.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/server.ts'
import { fingerprintOption, plainHttpOption, serverAddress } from './options.ts'
import type { SignInOptions } from './sign-in.ts'

/** `login`, `logout`, `whoami`. */
export function addLoginCommands(program: Command): void {
  const login = program
    .command('login')
    .description(text.login.description)
    .argument('<url>', text.login.url, serverAddress)
    .option('--computer <name>', text.login.computer, valid(ComputerName))
    .option('--people', text.login.people)
    .addOption(fingerprintOption())
    .addOption(plainHttpOption())
    .option('--json', common.jsonOption)
    .action(signIn)
  describeCommand(login, SessionDocument)

  const logout = program
    .command('logout')
    .description(text.logout.description)
    .argument('[url]', text.login.url, serverAddress)
    .option('--json', common.jsonOption)
    .action(signOut)
  describeCommand(logout, SignedOutDocument)

  addServerCommand(program, 'whoami', text.whoami.description, MeDocument).action(whoami)
}

type LoginOptions = Omit<SignInOptions, 'computer'> & { readonly computer?: string }

async function signIn(url: string, options: LoginOptions): Promise<void> {
  const { signIn } = await import('./sign-in.ts')
  const { file, server, name, expiresAt } = await signIn(url, {
    ...options,
    computer: options.computer ?? hostname(),
  })
  const line = text.login.done(name, server, file)
  printAnswer(options, SessionDocument, { server, name, expiresAt }, line)
}

async function signOut(given: string | undefined, options: { json?: boolean }): Promise<void> {
  const { TIDEGATE_SERVER: usual } = process.env
  const url = given ?? (usual === undefined ? undefined : serverAddress(usual))
  if (url === undefined) throw new UsageError(text.logout.whichServer)
  const { signOut } = await import('./sign-in.ts')
  const isEnded = await signOut(url)
  if (!isEnded) {
    report(common.warning(text.logout.notEnded(url)))
    process.exitCode = EXIT.unreachable
  }
  printAnswer(options, SignedOutDocument, { server: url }, text.logout.done(url))
}

async function whoami(options: CommandOptions): Promise<void> {
  const { name, kind, access } = await onServer(options, (server) => server.session.me.query())
  const { server: url = null } = options
  const { server: role, apps: appRoles } = access
  const roles = [
    ...(role === null ? [] : [text.whoami.serverRole(role)]),
    ...appRoles.map(({ app, role: of }) => text.whoami.appRole(app, of)),
  ]
  const line =
    url === null
      ? text.whoami.commandLine(name)
      : text.whoami.person(name, url, roles.join(', ') || text.whoami.noRoles)
  printAnswer(options, MeDocument, { server: url, name, kind, role, appRoles }, line)
}
