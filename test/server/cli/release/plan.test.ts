import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { cli, done, expectRefused, shown, startCommand } from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { publish } from '../../../support/servers/calls.ts'
import { PLACE, startPlanned } from '../../../support/servers/planned.ts'

const RELEASE = ['editor', 'stable', '1.0.0'] as const
const PLAN = ['release', 'plan'] as const

test('a plan is set from a preset, shown, suspended, resumed and removed', async () => {
  const { server, time } = await startPlanned()
  const { folder } = server
  time.now = Date.now()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  expect(await done(folder, ...PLAN, 'show', ...RELEASE)).toBe(
    '1.0.0 on editor/stable has no plan.\n',
  )
  const set = await done(folder, ...PLAN, 'set', ...RELEASE, 'one-day', '--time-zone', 'Asia/Tokyo')
  expect(set.split('\n')).toEqual([
    'Plan of 1.0.0 on editor/stable: running, 1 step of 4 applied.',
    expect.stringMatching(/^Step 2 waits for: soak time, \S+Z at the earliest\.$/),
    'STEP  DEVICES  SOAK      GATE  STATE',
    '1     5%       6 hours   -     applied',
    '2     25%      8 hours   -     pending',
    '3     50%      10 hours  -     pending',
    '4     100%     24 hours  -     pending',
    '',
  ])
  const { plan } = await shown(folder, ...PLAN, 'suspend', ...RELEASE)
  expect(plan).toMatchObject({ status: 'suspended', plan: { timeZone: 'Asia/Tokyo' } })
  expect(await done(folder, ...PLAN, 'show', ...RELEASE)).toContain(
    'Somebody suspended the plan.\n',
  )
  expect((await shown(folder, ...PLAN, 'resume', ...RELEASE)).plan).toMatchObject({ step: 1 })
  expect(await done(folder, ...PLAN, 'remove', ...RELEASE)).toBe(
    'Removed the plan of 1.0.0 on editor/stable.\n',
  )
})

test('an API key does the same over the network', async () => {
  const { server } = await startPlanned()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const run = async (...args: string[]) => {
    const command = [...PLAN, ...args]
    const { code, stdout, stderr } = await startCommand([...command, '--json'], env).ended
    if (code !== 0) throw new Error(stderr)
    expectDescribed(command, JSON.parse(stdout))
    return JSON.parse(stdout).plan
  }
  expect(await run('set', ...RELEASE, 'one-day')).toMatchObject({ status: 'running', step: 1 })
  expect(await run('suspend', ...RELEASE)).toMatchObject({ status: 'suspended' })
  expect(await run('show', ...RELEASE)).toMatchObject({ reason: 'requested' })
  expect(await run('resume', ...RELEASE)).toMatchObject({ status: 'running' })
  expect(await run('remove', ...RELEASE)).toMatchObject({ step: 1 })
  expect(await run('show', ...RELEASE)).toBeNull()
})

test('releases and drafts are published with a plan from a file', async () => {
  const { server } = await startPlanned()
  const file = join(server.folder, 'plan.json')
  const steps = [
    { rolloutPct: 10, soakHours: 1, gate: { minAdoptedPct: 50, maxFailedPct: 2, minSample: 5 } },
    { rolloutPct: 100, soakHours: 0.5 },
  ]
  writeFileSync(file, JSON.stringify({ steps }))
  const artifact = `platform=linux,arch=x86_64,url=https://downloads.example/1,sha512=${'ab'.repeat(64)}`
  const content = ['--artifact', artifact] as const
  const { release } = await shown(server.folder, 'publish', ...RELEASE, ...content, '--plan', file)
  expect(release).toMatchObject({ rolloutPct: 10 })
  expect(await done(server.folder, ...PLAN, 'show', ...RELEASE)).toContain(
    '1     10%      1 hour     adopted ≥ 50%, failed ≤ 2.0%, sample ≥ 5  applied\n2     100%     0.5 hours',
  )
  const draft = ['editor', 'stable', '1.1.0'] as const
  await server.updates.putDraft(PRINCIPAL, { ...PLACE, version: '1.1.0' })
  const published = await shown(server.folder, 'draft', 'publish', ...draft, '--plan', 'one-day')
  expect(published.release).toMatchObject({ rolloutPct: 5 })
  const both = await cli(
    server.folder,
    'publish',
    ...RELEASE,
    ...content,
    '--plan',
    file,
    '--rollout',
    '5',
  )
  expectRefused(both, 2, '--rollout and --plan cannot be used together')
  writeFileSync(file, JSON.stringify({ steps: [{ rolloutPct: 10 }] }))
  const wrong = await cli(server.folder, ...PLAN, 'set', ...RELEASE, file)
  expectRefused(wrong, 2, 'steps.0.soakHours is required')
})

test('freezes of an app are added, listed and removed', async () => {
  const { server } = await startPlanned()
  const run = (...args: string[]) => done(server.folder, 'app', 'freeze', 'editor', ...args)
  expect(await run()).toBe('No freezes. Add one with --add.\n')
  const winter = ['--add', '2026-12-19..2027-01-03', '--name', 'Holidays'] as const
  const zone = ['--time-zone', 'Europe/Berlin'] as const
  await run('--add', '2027-05-01', ...zone)
  expect(await run(...winter, ...zone)).toBe(
    [
      'DAYS                    TIME ZONE      NAME',
      '2026-12-19..2027-01-03  Europe/Berlin  Holidays',
      '2027-05-01              Europe/Berlin  -\n',
    ].join('\n'),
  )
  const { freezes } = await shown(
    server.folder,
    'app',
    'freeze',
    'editor',
    '--remove',
    '2027-05-01',
  )
  expect(freezes).toHaveLength(1)
  const unknown = await cli(server.folder, 'app', 'freeze', 'editor', '--remove', '2027-05-01')
  expectRefused(unknown, 2, '--remove 2027-05-01: the app has no such freeze')
  const wrong = await cli(
    server.folder,
    'app',
    'freeze',
    'editor',
    '--add',
    '2027-05-02..2027-05-01',
  )
  expect(wrong.code).toBe(2)
})
