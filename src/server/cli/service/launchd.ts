import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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

/** The name of the service for launchd. */
const LABEL = 'app.tidegate.server'

/** The data folder of the service. */
const STATE_FOLDER = '/Library/Application Support/Tidegate'

const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`
const TARGET = `system/${LABEL}`

/** The service on macOS, run by launchd as the account that installs it with sudo. `caller`: who called sudo; '' for nobody. */
export function launchdService(program: ServiceProgram, caller: string): ServiceManager {
  const known = caller === 'root' ? '' : caller
  const account = known || text.launchd.yourAccount
  return {
    dataFolder: STATE_FOLDER,
    log: text.launchd.log(`${STATE_FOLDER}/server.log`),
    command: commandLine([program.node, program.entry]),
    lacks() {
      const lacks: string[] = []
      if (process.geteuid?.() !== 0) lacks.push(text.needsRoot)
      else if (known === '') lacks.push(text.launchd.noAccount)
      const { file, problems } = readConfigFile(configFileIn(STATE_FOLDER))
      if (problems.length > 0) lacks.push(text.invalidConfig(file))
      return lacks
    },
    install: () => [
      runStep('install', '-d', '-m', '700', '-o', account, STATE_FOLDER),
      tryStep('launchctl', 'bootout', TARGET),
      { kind: 'write', file: PLIST, content: launchdPlist(program, account) },
      runStep('plutil', '-lint', PLIST),
      runStep('launchctl', 'enable', TARGET),
      runStep('launchctl', 'bootstrap', 'system', PLIST),
    ],
    uninstall: () => [tryStep('launchctl', 'bootout', TARGET), { kind: 'remove', file: PLIST }],
    async status() {
      try {
        const { stdout } = await run('launchctl', ['print', TARGET])
        return readStatus(stdout)
      } catch {
        // It knows only what was loaded.
        return { state: 'not_installed', pid: null, detail: '' }
      }
    },
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
