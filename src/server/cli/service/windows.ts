import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { text } from '../strings/service.ts'
import {
  inXml,
  runStep,
  type ServiceManager,
  type ServiceProgram,
  type ServiceStatus,
  tryStep,
} from './definition.ts'
import { commandLine } from './steps.ts'

const run = promisify(execFile)

const TASK = 'Tidegate'
/** The account NT AUTHORITY\LOCAL SERVICE, whatever its name in the language of the system. */
const LOCAL_SERVICE = 'S-1-5-19'
const SYSTEM = 'S-1-5-18'
const ADMINISTRATORS = 'S-1-5-32-544'

/** The service on Windows: a task, as its service manager needs a protocol that Node.js lacks. `programData`: `%ProgramData%`. */
export function windowsService(program: ServiceProgram, programData: string): ServiceManager {
  const dataFolder = `${programData}\\Tidegate`
  const file = `${dataFolder}\\service.xml`
  const only = [LOCAL_SERVICE, SYSTEM, ADMINISTRATORS].map((sid) => `*${sid}:(OI)(CI)F`)
  return {
    dataFolder,
    log: text.windows.log(`${dataFolder}\\server.log`),
    command: commandLine([program.node, program.entry]),
    lacks() {
      const config = readConfigFile(configFileIn(dataFolder))
      const lacks = isAdministrator() ? [] : [text.windows.noAdministrator]
      return config.problems.length > 0 ? [...lacks, text.invalidConfig(config.file)] : lacks
    },
    install: () => [
      { kind: 'folder', folder: dataFolder },
      runStep('icacls', dataFolder, '/inheritance:r', '/grant:r', ...only),
      { kind: 'write', file, content: windowsTask(program, dataFolder), encoding: 'utf16le' },
      tryStep('schtasks', '/End', '/TN', TASK),
      runStep('schtasks', '/Create', '/TN', TASK, '/XML', file, '/F'),
      runStep('schtasks', '/Run', '/TN', TASK),
    ],
    uninstall: () => [
      tryStep('schtasks', '/End', '/TN', TASK),
      runStep('schtasks', '/Delete', '/TN', TASK, '/F'),
      { kind: 'remove', file },
    ],
    status: readTask,
  }
}

async function readTask(): Promise<ServiceStatus> {
  const ask = `Get-ScheduledTask -TaskName ${TASK} | Select-Object State,@{n='Last';e={($_ | Get-ScheduledTaskInfo).LastTaskResult}} | ConvertTo-Json`
  try {
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-Command', ask])
    return readStatus(stdout)
  } catch {
    return { state: 'not_installed', pid: null, detail: '' }
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

/** Returns the task of the service, in the format of the Task Scheduler. The encoding is that of the file. */
export function windowsTask({ node, entry }: ServiceProgram, dataFolder: string): string {
  const log = `${dataFolder}\\server.log`
  const args = [entry, 'serve', '--data', dataFolder, '--log-file', log].map(quoted).join(' ')
  return `<?xml version="1.0"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Tidegate update server</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Account">
      <UserId>${LOCAL_SERVICE}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Account">
    <Exec>
      <Command>${inXml(node)}</Command>
      <Arguments>${inXml(args)}</Arguments>
      <WorkingDirectory>${inXml(dataFolder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`
}

function quoted(word: string): string {
  return /[\s"]/.test(word) ? `"${word}"` : word
}
