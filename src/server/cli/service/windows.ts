import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { text } from '../strings/service.ts'
import type { ServiceManager, ServiceProgram, ServiceStatus, Step } from './definition.ts'
import { commandLine } from './steps.ts'
import { LOCAL_SERVICE, windowsTask } from './windows-task.ts'

const run = promisify(execFile)

const TASK = 'Tidegate'
const SYSTEM = 'S-1-5-18'
const ADMINISTRATORS = 'S-1-5-32-544'

/**
 * The service on Windows: a task that starts with the computer, as LOCAL SERVICE. The service manager of Windows starts
 * only programs that speak its protocol, which Node.js does not.
 */
export class WindowsService implements ServiceManager {
  readonly dataFolder: string
  readonly log: string
  readonly command: string
  readonly #program: ServiceProgram

  /** `programData`: the value of `%ProgramData%`. */
  constructor(program: ServiceProgram, programData: string) {
    this.dataFolder = `${programData}\\Tidegate`
    this.log = text.windows.log(`${this.dataFolder}\\server.log`)
    this.#program = program
    this.command = commandLine([program.node, program.entry])
  }

  lacks(): readonly string[] {
    const { file, problems } = readConfigFile(configFileIn(this.dataFolder))
    const lacks = isAdministrator() ? [] : [text.windows.noAdministrator]
    return problems.length > 0 ? [...lacks, text.invalidConfig(file)] : lacks
  }

  install(): readonly Step[] {
    const { dataFolder } = this
    const file = `${dataFolder}\\service.xml`
    const only = [LOCAL_SERVICE, SYSTEM, ADMINISTRATORS].map((sid) => `*${sid}:(OI)(CI)F`)
    const restrict = [dataFolder, '/inheritance:r', '/grant:r', ...only]
    return [
      { kind: 'folder', folder: dataFolder },
      { kind: 'run', command: 'icacls', args: restrict },
      {
        kind: 'write',
        file,
        content: windowsTask(this.#program, dataFolder),
        encoding: 'utf16le',
      },
      { kind: 'run', command: 'schtasks', args: ['/End', '/TN', TASK], mayFail: true },
      { kind: 'run', command: 'schtasks', args: ['/Create', '/TN', TASK, '/XML', file, '/F'] },
      { kind: 'run', command: 'schtasks', args: ['/Run', '/TN', TASK] },
    ]
  }

  uninstall(): readonly Step[] {
    return [
      { kind: 'run', command: 'schtasks', args: ['/End', '/TN', TASK], mayFail: true },
      { kind: 'run', command: 'schtasks', args: ['/Delete', '/TN', TASK, '/F'] },
      { kind: 'remove', file: `${this.dataFolder}\\service.xml` },
    ]
  }

  async status(): Promise<ServiceStatus> {
    const ask = `Get-ScheduledTask -TaskName ${TASK} | Select-Object State,@{n='Last';e={($_ | Get-ScheduledTaskInfo).LastTaskResult}} | ConvertTo-Json`
    try {
      const { stdout } = await run('powershell.exe', ['-NoProfile', '-Command', ask])
      return readStatus(stdout)
    } catch {
      return { state: 'not_installed', pid: null, detail: '' }
    }
  }
}

/** Only administrators can ask who is connected. */
function isAdministrator(): boolean {
  return spawnSync('net', ['session'], { stdio: 'ignore' }).status === 0
}

/** `State` of MSFT_ScheduledTask: 3 is ready, 4 running. */
const Answer = z.object({ State: z.int(), Last: z.int() })
const RUNNING = 4
/** What a task has that never ran, or runs. */
const NO_FAILURE: ReadonlySet<number> = new Set([0, 0x41301, 0x41303])

/** Reads the task as PowerShell shows it. */
export function readStatus(output: string): ServiceStatus {
  const { State, Last } = Answer.parse(JSON.parse(output))
  if (State === RUNNING) return { state: 'running', pid: null, detail: '' }
  const hasFailed = !NO_FAILURE.has(Last)
  return {
    state: hasFailed ? 'failed' : 'stopped',
    pid: null,
    detail: hasFailed ? String(Last) : '',
  }
}
