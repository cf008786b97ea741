import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { promisify } from 'node:util'
import { Failure } from '../command/errors.ts'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { text } from '../strings/service.ts'
import {
  runStep,
  type ServiceManager,
  type ServiceProgram,
  type ServiceState,
  type ServiceStatus,
  tryStep,
} from './definition.ts'
import { commandLine } from './steps.ts'
import { ACCOUNT, STATE_FOLDER, systemdUnit, type UnitNeeds } from './systemd-unit.ts'

const READ = 0o004
const SEARCH = 0o001

/** Returns the first file or folder on the way to a file that other accounts cannot read; undefined if all can. */
function unreadableByOthers(file: string): string | undefined {
  if ((statSync(file).mode & READ) === 0) return file
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & SEARCH) === 0) return folder
  }
  return undefined
}

const run = promisify(execFile)

const SERVICE = 'tidegate.service'
const UNIT = `/etc/systemd/system/${SERVICE}`
const ACCOUNT_FILE = '/etc/sysusers.d/tidegate.conf'
const ACCOUNT_LINE = `u ${ACCOUNT} - "Tidegate update server" ${STATE_FOLDER}\n`
/** Ports below need a capability. */
const FIRST_FREE_PORT = 1_024
/** What `ProtectHome` and `PrivateTmp` hide from the service. */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)(\/|$)/

/** The service on Linux, run by systemd. */
export function systemdService(program: ServiceProgram): ServiceManager {
  return {
    dataFolder: STATE_FOLDER,
    log: text.systemd.log,
    command: commandLine(['sudo', '-u', ACCOUNT, program.node, program.entry]),
    lacks: () => lackedBy(program),
    install: () => [
      { kind: 'folder', folder: dirname(ACCOUNT_FILE) },
      { kind: 'write', file: ACCOUNT_FILE, content: ACCOUNT_LINE },
      runStep('systemd-sysusers', ACCOUNT_FILE),
      { kind: 'write', file: UNIT, content: systemdUnit(program, needsOfConfig()) },
      runStep('systemctl', 'daemon-reload'),
      runStep('systemctl', 'enable', SERVICE),
      runStep('systemctl', 'restart', SERVICE),
    ],
    uninstall: () => [
      tryStep('systemctl', 'disable', '--now', SERVICE),
      { kind: 'remove', file: UNIT },
      { kind: 'remove', file: ACCOUNT_FILE },
      runStep('systemctl', 'daemon-reload'),
      tryStep('systemctl', 'reset-failed', SERVICE),
    ],
    async status() {
      if (!isRunning()) throw new Failure(text.systemd.notRunning)
      const names = ['LoadState', 'ActiveState', 'MainPID', 'StatusText', 'Result']
      const show = ['show', SERVICE, `--property=${names.join(',')}`]
      const { stdout } = await run('systemctl', show)
      return readStatus(stdout)
    },
  }
}

function lackedBy({ node, entry }: ServiceProgram): readonly string[] {
  const words = text.systemd
  const lacks: string[] = []
  if (process.geteuid?.() !== 0) lacks.push(text.needsRoot)
  if (!isRunning()) lacks.push(words.notRunning)
  for (const file of [node, entry]) {
    if (HIDDEN.test(file)) {
      lacks.push(words.hidden(file))
      continue
    }
    const unreadable = unreadableByOthers(file)
    if (unreadable !== undefined) lacks.push(words.unreadable(unreadable))
  }
  const { file, problems } = readConfigFile(configFileIn(STATE_FOLDER))
  if (problems.length > 0) lacks.push(text.invalidConfig(file))
  return lacks
}

/** As sd_booted(3) finds out. */
function isRunning(): boolean {
  return existsSync('/run/systemd/system')
}

/** Reads the output of `systemctl show`. */
export function readStatus(output: string): ServiceStatus {
  const properties = new Map(
    output.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')] as const
    }),
  )
  const isMissing = properties.get('LoadState') === 'not-found'
  const active = STATES.get(properties.get('ActiveState')) ?? 'stopped'
  const state = isMissing ? 'not_installed' : active
  const pid = Number(properties.get('MainPID'))
  const result = properties.get('Result') ?? ''
  const detail = state === 'failed' ? result : (properties.get('StatusText') ?? '')
  return { state, pid: pid > 0 ? pid : null, detail }
}

const STATES = new Map<unknown, ServiceState>([
  ['active', 'running'],
  ['reloading', 'running'],
  ['activating', 'starting'],
  ['failed', 'failed'],
])

/** What the configuration file of the service needs from its unit. */
function needsOfConfig(): UnitNeeds {
  const { values } = readConfigFile(configFileIn(STATE_FOLDER))
  const port = Number(values.get('port'))
  const logFile = values.get('logFile')
  const folders = [values.get('backupFolder'), logFile && dirname(String(logFile))]
  return {
    lowPort: port > 0 && port < FIRST_FREE_PORT,
    writable: folders.filter((folder) => typeof folder === 'string').filter(isElsewhere),
  }
}

function isElsewhere(folder: string): boolean {
  return relative(STATE_FOLDER, folder).startsWith('..')
}
