import { Command } from 'commander'
import { VERSION } from '../version.ts'
import { addAppCommands } from './app.ts'
import { addBackupCommand } from './backup.ts'
import { addChannelCommands } from './channel.ts'
import { addDeviceCommands } from './device.ts'
import { addDoctorCommand } from './doctor.ts'
import { UsageError } from './errors.ts'
import { addFleetCommands } from './fleet.ts'
import { addKeyCommands } from './key.ts'
import { addPersonCommands } from './person.ts'
import { addReleaseCommands } from './release.ts'
import { addRestoreCommand } from './restore.ts'
import { addServeCommand } from './serve.ts'
import { text } from './strings/common.ts'

/** Returns the command line. Wrong usage throws; it neither writes to stderr nor ends the process. */
export function createProgram(): Command {
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
  addReleaseCommands(program)
  addDeviceCommands(program)
  addFleetCommands(program)
  addBackupCommand(program)
  addRestoreCommand(program)
  addDoctorCommand(program)
  return program
}

function missingCommand(command: Command): string {
  const subcommands = command.commands.map((child) => child.name())
  return text.needsCommand(command.name(), subcommands)
}
