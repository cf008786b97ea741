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
import { addReleaseCommands } from './release.ts'
import { addRestoreCommand } from './restore.ts'
import { addServeCommand } from './serve.ts'

/** The command line. Wrong usage throws, nothing is written to stderr and the process never ended. */
export function createProgram(): Command {
  const program = new Command('tidegate')
    .description('An update server for desktop apps.')
    .version(VERSION)
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
  addReleaseCommands(program)
  addDeviceCommands(program)
  addFleetCommands(program)
  addBackupCommand(program)
  addRestoreCommand(program)
  addDoctorCommand(program)
  return program
}

function missingCommand(command: Command): string {
  const names = command.commands.map((child) => child.name()).join(', ')
  return `"${command.name()}" needs a command: ${names}; --help says more`
}
