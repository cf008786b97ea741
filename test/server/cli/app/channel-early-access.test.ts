import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli, done, shown } from '../../../support/processes/cli.ts'
import { auditOf } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const COMMAND = ['channel', 'early-access', 'editor', 'stable'] as const

test('the early access list is shown and changed', async () => {
  const server = await startWithApp()
  const { folder } = server
  const add = ['--add-device', 'one', '--add-device', 'two', '--add-label', 'ring=beta']
  expect(await done(folder, ...COMMAND, ...add)).toBe('Devices  one and two\nTargets  ring=beta\n')
  const change = ['--remove-device', 'one', '--add-device', 'two', '--remove-label', 'ring=beta']
  expect(await shown(folder, ...COMMAND, ...change)).toEqual({
    ...{ app: 'editor', channel: 'stable' },
    earlyAccess: { deviceIds: ['two'], targets: [] },
  })
  expect(await auditOf(server, 'channel.policy_changed')).toHaveLength(2)
  const policyLines = (manualChecks: string) => [
    'Update mode                optional',
    'Minimum supported version  0.0.0',
    'Rollback behavior          downgrade',
    'Requires approval          no',
    'Proving                    off',
    'Unchecked signatures       none',
    'Early access               1 device ID, 0 sets of targets',
    `Manual checks              ${manualChecks}`,
    'New devices count          no',
    'Preflight                  off',
    '',
  ]
  const policyCommand = ['channel', 'policy', 'editor', 'stable'] as const
  const before = await done(folder, ...policyCommand)
  expect(before.split('\n')).toEqual(policyLines('no'))
  const allowed = await done(folder, ...policyCommand, '--manual-checks', 'yes')
  expect(allowed.split('\n')).toEqual(policyLines('yes'))
  const policy = await shown(folder, 'channel', 'policy', 'editor', 'stable')
  expect(policy.policy).toMatchObject({ manualChecks: true, earlyAccess: { deviceIds: ['two'] } })
})

test('targets come from a file, and must have a condition', async () => {
  const server = await startWithApp()
  const file = join(server.folder, 'targets.json')
  const managed = { matchExpressions: [{ key: 'managed', operator: 'Exists' }] }
  writeFileSync(file, JSON.stringify([managed]))
  const list = await shown(server.folder, ...COMMAND, '--targets-file', file)
  expect(list.earlyAccess.targets).toEqual([{ matchLabels: {}, ...managed }])
  writeFileSync(file, JSON.stringify([{}]))
  const refused = await cli(server.folder, ...COMMAND, '--targets-file', file)
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('targets.0: must have a condition'),
  ])
})
