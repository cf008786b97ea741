import { Argument, Command, CommanderError, Help } from 'commander'
import { VERSION } from '../runtime/version.ts'
import { COMMAND_LIST } from './command-list.ts'
import { addExamplesOfCommands, describeCommand, exitCodes } from './documents/described.ts'
import { text } from './strings/common.ts'

type Add = (program: Command) => void

/** What adds the commands of the top level, in the order of the help, with their names if they are several. */
const GROUPS: readonly (readonly [names: string, load: () => Promise<Add>])[] = [
  ['serve', async () => (await import('./serve/serve.ts')).addServeCommand],
  ['app', async () => (await import('./app/app.ts')).addAppCommands],
  ['channel', async () => (await import('./app/channel.ts')).addChannelCommands],
  ['key', async () => (await import('./app/key.ts')).addKeyCommands],
  ['person', async () => (await import('./person/person.ts')).addPersonCommands],
  ['webhook', async () => (await import('./app/webhook.ts')).addWebhookCommands],
  ['publish', async () => (await import('./publish/command.ts')).addPublishCommand],
  [
    'promote ramp pause resume rollback retarget',
    async () => (await import('./rollout/commands.ts')).addRolloutCommands,
  ],
  ['wait', async () => (await import('./rollout/wait.ts')).addWaitCommand],
  ['release', async () => (await import('./release/release.ts')).addReleaseCommands],
  ['preflight', async () => (await import('./release/preflight.ts')).addPreflightCommand],
  ['file', async () => (await import('./files/commands.ts')).addFileCommands],
  ['draft', async () => (await import('./release/draft.ts')).addDraftCommands],
  ['device', async () => (await import('./devices/device.ts')).addDeviceCommands],
  ['fleet', async () => (await import('./devices/fleet.ts')).addFleetCommands],
  ['backup', async () => (await import('./data/backup.ts')).addBackupCommand],
  ['restore', async () => (await import('./data/restore.ts')).addRestoreCommand],
  ['doctor', async () => (await import('./data/doctor.ts')).addDoctorCommand],
  ['status', async () => (await import('./status/status.ts')).addStatusCommand],
  [
    'support-bundle',
    async () => (await import('./status/support-bundle.ts')).addSupportBundleCommand,
  ],
  ['login logout whoami', async () => (await import('./server/login.ts')).addLoginCommands],
  ['upgrade', async () => (await import('./data/upgrade.ts')).addUpgradeCommand],
  ['move', async () => (await import('./data/move.ts')).addMoveCommand],
  ['config', async () => (await import('./settings/config.ts')).addConfigCommands],
  ['mail', async () => (await import('./settings/mail.ts')).addMailCommands],
  ['service', async () => (await import('./service/service.ts')).addServiceCommands],
]

/**
 * Returns the command line. Wrong usage throws; it neither writes to stderr nor ends the process. With the arguments of a
 * call, only the command that they name is complete: to load all of them takes longer than most run. The others are only in
 * the help.
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const program = await createCommands(args)
  addCompletionCommands(program, () => createCommands())
  for (const group of program.commands) addExamplesOfCommands(group)
  program.addHelpText(
    'after',
    text.exitCodes(exitCodes().map(({ code, meaning }) => `${code}  ${meaning}`)),
  )
  return program
}

async function createCommands(args?: readonly string[]): Promise<Command> {
  const program = new Command('tidegate')
    .description(text.program)
    .version(VERSION, '-V, --version', text.version)
    .helpOption('-h, --help', text.help)
    .helpCommand('help [command]', text.helpCommand)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    // Some commands have a --version of their own.
    .enablePositionalOptions()
    .addHelpText('beforeAll', ({ error, command }) => {
      if (error) throw new CommanderError(1, 'tidegate.missingCommand', missingCommand(command))
      return ''
    })
  const named = args?.find((argument) => argument !== 'help' && !argument.startsWith('-'))
  for (const [names, load] of GROUPS) {
    const each = names.split(' ')
    if (args === undefined || each.includes(named ?? '')) (await load())(program)
    else for (const name of each) addOutline(program, name)
  }
  program.configureHelp({ subcommandTerm: termOf })
  return program
}

/** Terms and descriptions of the commands of the top level, by name. */
const LISTED = new Map(
  COMMAND_LIST.split('\n').map((line) => [line.split(' ', 1)[0], line.split('  ')]),
)

/** Adds what the help of the program shows of a command. */
function addOutline(program: Command, name: string): void {
  const [, description = ''] = LISTED.get(name) ?? []
  program.command(name).description(description)
}

function termOf(command: Command): string {
  const isOfProgram = command.parent?.parent === null
  const [term = new Help().subcommandTerm(command)] =
    (isOfProgram && LISTED.get(command.name())) || []
  return term
}

function missingCommand(command: Command): string {
  const subcommands = command.commands.map((child) => child.name())
  return text.needsCommand(command.name(), subcommands)
}

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof SHELLS)[number]

/** `completion`, and `complete`, which the scripts that it prints run. `others`: the program without these two. */
function addCompletionCommands(program: Command, others: () => Promise<Command>): void {
  const completion = program
    .command('completion')
    .description(text.completion.description)
    .addArgument(new Argument('<shell>', text.completion.shell).choices(SHELLS))
    .action(async (shell: Shell) => {
      const { default: tab } = await import('@bomb.sh/tab')
      tab.setup(program.name(), program.name(), shell)
    })
  describeCommand(completion)

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { default: ofProgram } = await import('@bomb.sh/tab/commander')
      ofProgram(await others(), { completionCommandName: 'completion' }).parse([...words])
    })
}
