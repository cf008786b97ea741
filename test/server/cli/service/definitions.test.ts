import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOMParser } from '@xmldom/xmldom'
import { parse } from 'plist'
import { expect, test } from 'vitest'
import { launchdPlist } from '../../../../src/server/cli/service/launchd.ts'
import { systemdUnit } from '../../../../src/server/cli/service/systemd-unit.ts'
import { windowsTask } from '../../../../src/server/cli/service/windows.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { needs } from '../../../support/tools.ts'

const CLI = join(import.meta.dirname, '../../../../src/server/cli.ts')
const program = { node: process.execPath, entry: CLI }

function unitFile(...args: Parameters<typeof systemdUnit>): string {
  const file = join(temporaryFolder(), 'tidegate.service')
  writeFileSync(file, systemdUnit(...args))
  return file
}

test.each([
  [{ lowPort: false, writable: [] }],
  [{ lowPort: true, writable: ['/srv/my copies', '/srv/100%'] }],
])(
  'systemd accepts the unit, and finds it well restricted: %j',
  needs('systemd-analyze'),
  (rights) => {
    const file = unitFile(program, rights)
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect(verified).toMatchObject({ status: 0, stdout: '', stderr: '' })
    // The exposure level times ten: 0 for a service that can do nothing, 100 for one that can do everything.
    const limit = ['security', '--offline=true', '--threshold=16', file]
    const rated = execFileSync('systemd-analyze', limit, { encoding: 'utf8' })
    expect(rated).toMatch(/Overall exposure level for tidegate\.service: \d/)
    process.stdout.write(`${rated.trim().split('\n').at(-1)}\n`)
  },
)

test(
  'systemd rejects a unit with a directive that it does not know',
  needs('systemd-analyze'),
  () => {
    const file = unitFile(program, { lowPort: false, writable: [] })
    writeFileSync(file, '[Service]\nExecStart=/bin/true\nProtectEverything=yes\n')
    const { stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect(stderr).toContain('ProtectEverything')
  },
)

test('paths with blanks, dollars and percent signs are one word of the unit', () => {
  const odd = { node: '/opt/a b/node', entry: '/opt/$HOME/100%/"cli".js' }
  expect(systemdUnit(odd, { lowPort: false, writable: [] })).toContain(
    'ExecStart="/opt/a b/node" "/opt/$$HOME/100%%/\\"cli\\".js" serve --data /var/lib/tidegate\n',
  )
})

test('launchd gets a property list with the command, the account and restarts', () => {
  const odd = { node: '/opt/R&D/node', entry: '/opt/<x>/cli.js' }
  const folder = '/Library/Application Support/Tidegate'
  expect(parse(launchdPlist(odd, 'ada'))).toEqual({
    Label: 'app.tidegate.server',
    ProgramArguments: [
      ...[odd.node, odd.entry, 'serve', '--data', folder],
      ...['--log-file', `${folder}/server.log`],
    ],
    UserName: 'ada',
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    ExitTimeOut: 60,
    Umask: 0o077,
    SoftResourceLimits: { NumberOfFiles: 65_536 },
    StandardErrorPath: '/dev/null',
  })
})

test('Windows gets a task that starts with the computer, without rights and time limit', () => {
  const odd = { node: 'C:\\Program Files\\R&D\\node.exe', entry: 'C:\\tidegate\\cli.js' }
  const task = new DOMParser().parseFromString(
    windowsTask(odd, 'C:\\ProgramData\\Tidegate'),
    'text/xml',
  )
  const textOf = (name: string) => task.getElementsByTagName(name).item(0)?.textContent
  expect(task.documentElement?.namespaceURI).toBe(
    'http://schemas.microsoft.com/windows/2004/02/mit/task',
  )
  expect(textOf('Command')).toBe(odd.node)
  expect(textOf('Arguments')).toBe(
    'C:\\tidegate\\cli.js serve --data C:\\ProgramData\\Tidegate --log-file C:\\ProgramData\\Tidegate\\server.log',
  )
  expect([textOf('UserId'), textOf('RunLevel'), textOf('ExecutionTimeLimit')]).toEqual([
    'S-1-5-19',
    'LeastPrivilege',
    'PT0S',
  ])
  expect(task.getElementsByTagName('BootTrigger')).toHaveLength(1)
})
