import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { addAppCommands } from './app/app.ts'
import { addChannelCommands } from './app/channel.ts'
import { addCompletionCommands } from './completion.ts'
import { addConfigCommands } from './config.ts'
import { addBackupCommand } from './data/backup.ts'
import { addDoctorCommand } from './data/doctor.ts'
import { addMoveCommand } from './data/move.ts'
import { addRestoreCommand } from './data/restore.ts'
import { addUpgradeCommand } from './data/upgrade.ts'
import { addDeviceCommands } from './device.ts'
import { addExamplesOfCommands } from './documents/described.ts'
import { exitCodes } from './documents/exit-code-lines.ts'
import { addDraftCommands } from './draft/commands.ts'
import { UsageError } from './errors.ts'
import { addFileCommands } from './files/commands.ts'
import { addFleetCommands } from './fleet.ts'
import { addKeyCommands } from './key.ts'
import { addLoginCommands } from './login.ts'
import { addMailCommands } from './mail.ts'
import { addPersonCommands } from './person/person.ts'
import { addPublishCommand } from './publish/command.ts'
import { addReleaseCommands } from './release/release.ts'
import { addRolloutCommands } from './rollout/commands.ts'
import { addWaitCommand } from './rollout/wait.ts'
import { addServeCommand } from './serve/serve.ts'
import { addServiceCommands } from './service.ts'
import { addStatusCommand } from './status.ts'
import { text } from './strings/common.ts'
import { addSupportBundleCommand } from './support/support-bundle.ts'
import { addWebhookCommands } from './webhook.ts'

/** Returns the command line. Wrong usage throws; it neither writes to stderr nor ends the process. */
export function createProgram(): Command {
  const program = createCommands()
  addCompletionCommands(program, createCommands)
  for (const group of program.commands) addExamplesOfCommands(group)
  program.addHelpText(
    'after',
    text.exitCodes(exitCodes().map(({ code, meaning }) => `${code}  ${meaning}`)),
  )
  return program
}

function createCommands(): Command {
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
      if (error) throw new UsageError(missingCommand(command))
      return ''
    })
  addServeCommand(program)
  addAppCommands(program)
  addChannelCommands(program)
  addKeyCommands(program)
  addPersonCommands(program)
  addWebhookCommands(program)
  addPublishCommand(program)
  addRolloutCommands(program)
  addWaitCommand(program)
  addReleaseCommands(program)
  addFileCommands(program)
  addDraftCommands(program)
  addDeviceCommands(program)
  addFleetCommands(program)
  addBackupCommand(program)
  addRestoreCommand(program)
  addDoctorCommand(program)
  addStatusCommand(program)
  addSupportBundleCommand(program)
  addLoginCommands(program)
  addUpgradeCommand(program)
  addMoveCommand(program)
  addConfigCommands(program)
  addMailCommands(program)
  addServiceCommands(program)
  return program
}

function missingCommand(command: Command): string {
  const subcommands = command.commands.map((child) => child.name())
  return text.needsCommand(command.name(), subcommands)
}
