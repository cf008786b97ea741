import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { configFileIn, readConfigFile } from '../settings/file.ts'
import { text } from '../strings/service.ts'
import {
  inXml,
  type ServiceManager,
  type ServiceProgram,
  type ServiceStatus,
  type Step,
} from './definition.ts'
import { commandLine } from './steps.ts'

const run = promisify(execFile)

/** The name of the service for launchd. */
const LABEL = 'app.tidegate.server'

/** The data folder of the service. */
const STATE_FOLDER = '/Library/Application Support/Tidegate'

const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`
const TARGET = `system/${LABEL}`

/**
 * The service on macOS, run by launchd from the start of the computer. It runs as the account that installs it with
 * sudo: macOS has no command that makes an account for a service.
 */
export class LaunchdService implements ServiceManager {
  readonly dataFolder = STATE_FOLDER
  readonly log = text.launchd.log(`${STATE_FOLDER}/server.log`)
  readonly command: string
  readonly #program: ServiceProgram
  readonly #account: string

  /** `account`: who called sudo; empty for nobody. */
  constructor(program: ServiceProgram, account: string) {
    this.#program = program
    this.command = commandLine([program.node, program.entry])
    this.#account = account === 'root' ? '' : account
  }

  lacks(): readonly string[] {
    const lacks: string[] = []
    if (process.geteuid?.() !== 0) lacks.push(text.needsRoot)
    else if (this.#account === '') lacks.push(text.launchd.noAccount)
    const { file, problems } = readConfigFile(configFileIn(STATE_FOLDER))
    if (problems.length > 0) lacks.push(text.invalidConfig(file))
    return lacks
  }

  install(): readonly Step[] {
    const account = this.#account || text.launchd.yourAccount
    const content = launchdPlist(this.#program, account)
    const owner = ['-d', '-m', '700', '-o', account, STATE_FOLDER]
    return [
      { kind: 'run', command: 'install', args: owner },
      { kind: 'run', command: 'launchctl', args: ['bootout', TARGET], mayFail: true },
      { kind: 'write', file: PLIST, content },
      { kind: 'run', command: 'plutil', args: ['-lint', PLIST] },
      { kind: 'run', command: 'launchctl', args: ['enable', TARGET] },
      { kind: 'run', command: 'launchctl', args: ['bootstrap', 'system', PLIST] },
    ]
  }

  uninstall(): readonly Step[] {
    return [
      { kind: 'run', command: 'launchctl', args: ['bootout', TARGET], mayFail: true },
      { kind: 'remove', file: PLIST },
    ]
  }

  async status(): Promise<ServiceStatus> {
    try {
      const { stdout } = await run('launchctl', ['print', TARGET])
      return readStatus(stdout)
    } catch {
      // It knows only what was loaded.
      return { state: 'not_installed', pid: null, detail: '' }
    }
  }
}

/** Reads the output of `launchctl print`. */
export function readStatus(output: string): ServiceStatus {
  const property = (name: string) => new RegExp(`^\\s*${name} = (.+)$`, 'm').exec(output)?.[1]
  const pid = Number(property('pid') ?? 0)
  const code = property('last exit code') ?? ''
  if (property('state') === 'running') return { state: 'running', pid, detail: '' }
  const hasFailed = /^[1-9]/.test(code)
  return { state: hasFailed ? 'failed' : 'stopped', pid: null, detail: hasFailed ? code : '' }
}

/** Returns the property list of the service, which launchd.plist(5) describes. */
export function launchdPlist(program: ServiceProgram, account: string): string {
  // Rotated by the server: launchd would let the file grow.
  const log = ['--log-file', `${STATE_FOLDER}/server.log`]
  const words = [program.node, program.entry, 'serve', '--data', STATE_FOLDER, ...log]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${inXml(word)}</string>`).join('\n')}
  </array>
  <key>UserName</key>
  <string>${inXml(account)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
  <key>StandardErrorPath</key>
  <string>/dev/null</string>
</dict>
</plist>
`
}
