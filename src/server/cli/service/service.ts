import { realpathSync } from 'node:fs'
import type { Command } from 'commander'
import type { z } from 'zod'
import { Failure } from '../command/errors.ts'
import type { ReadOptions } from '../command/options.ts'
import { print, printJson } from '../command/output.ts'
import { describeCommand } from '../documents/described.ts'
import { ServiceDocument, ServiceStepsDocument } from '../documents/documents.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/service.ts'
import type { ServiceManager, ServiceProgram } from './definition.ts'
import { launchdService } from './launchd.ts'
import { carryOut, printSteps } from './steps.ts'
import { systemdService } from './systemd.ts'
import { windowsService } from './windows.ts'

/** `service`. */
export function addServiceCommands(program: Command): void {
  const service = program.command('service').description(text.description)
  const add = (name: 'install' | 'status' | 'uninstall', document: z.ZodType) => {
    const command = service.command(name).description(text[name].description)
    describeCommand(command, document)
    return command.option('--json', common.jsonOption)
  }
  add('install', ServiceStepsDocument).option('--print', text.printOption).action(install)
  add('status', ServiceDocument).action(status)
  add('uninstall', ServiceStepsDocument).option('--print', text.printOption).action(uninstall)
}

interface ChangeOptions {
  readonly print?: boolean
  readonly json?: boolean
}

async function install(options: ChangeOptions): Promise<void> {
  const manager = managerOf(process.platform)
  const lacks = [...manager.lacks()]
  const steps = [...manager.install()]
  if (options.print) {
    if (options.json) {
      printJson(ServiceStepsDocument, { done: false, lacks, steps })
      return
    }
    printSteps(steps)
    for (const reason of lacks) print(text.lacking(reason))
    return
  }
  if (lacks.length > 0) throw new Failure(text.lacks(lacks))
  await carryOut(steps, { quiet: options.json })
  if (options.json) {
    printJson(ServiceStepsDocument, { done: true, lacks, steps })
    return
  }
  print(text.install.done)
  await status({})
  print(text.install.firstAccount(manager.command, manager.dataFolder))
}

async function uninstall(options: ChangeOptions): Promise<void> {
  const manager = managerOf(process.platform)
  const steps = [...manager.uninstall()]
  const lacks = process.geteuid === undefined || process.geteuid() === 0 ? [] : [text.needsRoot]
  const done = options.print !== true
  if (done) {
    if (lacks.length > 0) throw new Failure(text.needsRoot)
    await carryOut(steps, { quiet: options.json })
  }
  if (options.json) printJson(ServiceStepsDocument, { done, lacks, steps })
  else if (done) print(text.uninstall.done(manager.dataFolder))
  else printSteps(steps)
}

async function status({ json }: Pick<ReadOptions, 'json'>): Promise<void> {
  const manager = managerOf(process.platform)
  const { dataFolder, log } = manager
  const { state, pid, detail } = await manager.status()
  if (json) printJson(ServiceDocument, { state, pid, detail: detail || null, dataFolder, log })
  else {
    const words = text.status
    print(words.line(words.state[state], pid))
    if (detail !== '') print(words.detail(detail))
    print(words.data(dataFolder))
    print(words.log(log))
  }
  if (state !== 'running') throw new Failure(text.status.notRunning(text.status.state[state]))
}

/** Returns the service manager of a system. Throws `Failure` where there is none that Tidegate knows. */
function managerOf(platform: string): ServiceManager {
  const program = thisProgram()
  const { SUDO_USER = '', ProgramData = 'C:\\ProgramData' } = process.env
  switch (platform) {
    case 'linux':
      return systemdService(program)
    case 'darwin':
      return launchdService(program, SUDO_USER)
    case 'win32':
      return windowsService(program, ProgramData)
    default:
      throw new Failure(text.unsupported(platform))
  }
}

/** Where this process was started from: the shell's link to it can be in a folder of the account. */
function thisProgram(): ServiceProgram {
  const [, entry = ''] = process.argv
  return { node: process.execPath, entry: realpathSync(entry) }
}
