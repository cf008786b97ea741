import { expect, test } from 'vitest'
import { readStatus as readLaunchd } from '../../../../src/server/cli/service/launchd.ts'
import { readStatus as readSystemd } from '../../../../src/server/cli/service/systemd.ts'
import { readStatus as readWindows } from '../../../../src/server/cli/service/windows.ts'

test.each([
  [
    'LoadState=loaded\nActiveState=active\nMainPID=7\nStatusText=Listening on http://h/?a=b\nResult=success\n',
    { state: 'running', pid: 7, detail: 'Listening on http://h/?a=b' },
  ],
  [
    'LoadState=loaded\nActiveState=failed\nMainPID=0\nStatusText=\nResult=watchdog\n',
    { state: 'failed', pid: null, detail: 'watchdog' },
  ],
  [
    'LoadState=loaded\nActiveState=activating\nMainPID=7\nStatusText=\nResult=success\n',
    { state: 'starting', pid: 7, detail: '' },
  ],
  ['LoadState=not-found\nActiveState=inactive\nMainPID=0\n', { state: 'not_installed' }],
])('the status is read from systemctl', (output, status) => {
  expect(readSystemd(output)).toMatchObject(status)
})

test.each([
  ['system/x = {\n\tstate = running\n\n\tpid = 512\n}\n', { state: 'running', pid: 512 }],
  [
    'system/x = {\n\tstate = not running\n\tlast exit code = 2\n}\n',
    { state: 'failed', detail: '2' },
  ],
  [
    'system/x = {\n\tstate = not running\n\tlast exit code = (never exited)\n}\n',
    { state: 'stopped', pid: null },
  ],
])('the status is read from launchctl', (output, status) => {
  expect(readLaunchd(output)).toMatchObject(status)
})

test.each([
  ['{"State": 4, "Last": 267009}', { state: 'running' }],
  ['{"State": 3, "Last": 0}', { state: 'stopped', detail: '' }],
  ['{"State": 3, "Last": 2}', { state: 'failed', detail: '2' }],
])('the status is read from PowerShell', (output, status) => {
  expect(readWindows(output)).toMatchObject(status)
})
