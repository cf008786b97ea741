import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { launchdService } from '../../../../src/server/cli/service/launchd.ts'
import { carryOut, printSteps } from '../../../../src/server/cli/service/steps.ts'
import { windowsService } from '../../../../src/server/cli/service/windows.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

function captured(): string[] {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line).trimEnd())
    return true
  })
  return lines
}

test('steps are done in order until one fails, which is named', async () => {
  const lines = captured()
  const folder = join(temporaryFolder(), 'a/b')
  const file = join(folder, 'task.xml')
  await carryOut([
    { kind: 'folder', folder },
    { kind: 'write', file, content: '<x/>', encoding: 'utf16le' },
    { kind: 'run', command: 'false', args: [], mayFail: true },
    { kind: 'run', command: 'cp', args: [file, `${file}.copy`] },
  ])
  expect(readFileSync(`${file}.copy`)).toEqual(Buffer.from('\uFEFF<x/>', 'utf16le'))
  const failing = carryOut([
    { kind: 'run', command: 'ls', args: ['/nowhere at all'] },
    { kind: 'remove', file },
  ])
  await expect(failing).rejects.toThrow(/^"Run ls "\/nowhere at all"" failed: ls: /)
  expect(existsSync(file)).toBe(true)
  vi.restoreAllMocks()
  expect(lines).toContain(`Write ${file}`)
})

test('the plans for macOS and Windows show their commands and files', () => {
  const lines = captured()
  const program = { node: '/opt/tidegate/node', entry: '/opt/tidegate/cli.js' }
  printSteps(launchdService(program, 'ada').install())
  printSteps(windowsService(program, 'C:\\ProgramData').install())
  vi.restoreAllMocks()
  const plan = lines.filter((line) => !line.startsWith(' '))
  expect(plan).toEqual([
    'Run install -d -m 700 -o ada "/Library/Application Support/Tidegate"',
    'Run launchctl bootout system/app.tidegate.server',
    'Write /Library/LaunchDaemons/app.tidegate.server.plist',
    'Run plutil -lint /Library/LaunchDaemons/app.tidegate.server.plist',
    'Run launchctl enable system/app.tidegate.server',
    'Run launchctl bootstrap system /Library/LaunchDaemons/app.tidegate.server.plist',
    'Create C:\\ProgramData\\Tidegate',
    'Run icacls C:\\ProgramData\\Tidegate /inheritance:r /grant:r *S-1-5-19:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F',
    'Write C:\\ProgramData\\Tidegate\\service.xml',
    'Run schtasks /End /TN Tidegate',
    'Run schtasks /Create /TN Tidegate /XML C:\\ProgramData\\Tidegate\\service.xml /F',
    'Run schtasks /Run /TN Tidegate',
  ])
})
