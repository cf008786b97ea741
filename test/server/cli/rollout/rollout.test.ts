import { expect, test } from 'vitest'
import { createServer } from '../../../../src/server/server.ts'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { type Ended, expectRefused, refusal, startCommand } from '../../../support/processes/cli.ts'
import { expectDescribed } from '../../../support/processes/json-schema.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { databaseOf } from '../../../support/servers/engine.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const PLACE = ['editor', 'stable', '1.4.0']

/** A pipeline with a key for the channels `stable` and `beta` of an app, where 1.4.0 is published on the first. */
async function start(members: Readonly<Record<string, unknown>> = {}) {
  const server = await startWithApp()
  const body = publishBody('1.4.0', { notes: 'Fast.', ...members })
  await server.call('POST', '/api/v1/releases', { body })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const begin = (...args: string[]) => startCommand(args, env)
  const run = (...args: string[]): Promise<Ended> => begin(...args).ended
  const serve = (change: object) =>
    server.call('PATCH', '/api/v1/releases', {
      body: { app: 'editor', channel: 'stable', version: '1.4.0', ...change },
    })
  return { server, begin, run, serve }
}

/** Lets devices check in with a version. */
async function checkIn(server: TestServer, version: string, devices: readonly string[]) {
  for (const device of devices) {
    const headers = { 'x-service-device': device }
    await server.call('GET', `/u/editor/stable/linux/x86_64/${version}`, { key: null, headers })
  }
  await server.telemetry.settled()
}

test('a release is served with one command for each step', async () => {
  const { server, run } = await start({ rolloutPct: 0 })
  const steps: readonly (readonly [args: readonly string[], after: object])[] = [
    [['ramp', ...PLACE, '25%'], { rolloutPct: 25, status: 'published' }],
    [['ramp', ...PLACE, '50'], { rolloutPct: 50 }],
    [['pause', ...PLACE], { status: 'paused' }],
    [['pause', ...PLACE], { status: 'paused' }],
    [['resume', ...PLACE], { status: 'published' }],
    [
      ['retarget', ...PLACE, '--targets', 'ring=beta'],
      { targets: { matchLabels: { ring: ['beta'] }, matchExpressions: [] } },
    ],
    [['rollback', ...PLACE], { status: 'rolled_back', rolloutPct: 50 }],
  ]
  for (const [args, after] of steps) {
    const ended = await run(...args, '--json')
    expect([args, ended.code, ended.stderr]).toEqual([args, 0, ''])
    const shown = JSON.parse(ended.stdout)
    expectDescribed(args, shown)
    expect(shown.release).toMatchObject(after)
  }
  const again = await run('resume', ...PLACE)
  expect(again).toMatchObject({ code: 3, stdout: '' })
  const table = await startCommand(['rollback', ...PLACE, '--data', server.folder]).ended
  expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\.4\.0 +rolled_back/) })
})

test('an offered release is not lowered, and a key needs the scope', async () => {
  const { server, run } = await start({
    artifacts: [artifact({ platform: 'linux', arch: 'x86_64' })],
  })
  await checkIn(server, '1.3.0', ['d-1'])
  const lowered = await run('ramp', ...PLACE, '5')
  expectRefused(lowered, 3, 'cannot be lowered')
  const local = await startCommand(['ramp', ...PLACE, '5', '--data', server.folder]).ended
  expect(refusal(local)).toContain('to withdraw the release, use "rollback"')
  const readKey = await server.mint({ scopes: ['read'] })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: readKey }
  expect((await startCommand(['pause', ...PLACE], env).ended).code).toBe(5)
})

test('a release that was rolled back is not ramped, not even to the rollout that it has', async () => {
  const { run } = await start({ rolloutPct: 40 })
  expect((await run('rollback', ...PLACE)).code).toBe(0)
  const ramped = await run('ramp', ...PLACE, '40')
  expect([ramped.code, ramped.stdout]).toEqual([3, ''])
  expect(refusal(ramped)).toContain('1.4.0 was rolled back')
  // Again, as a script that is run once more does it.
  expect((await run('rollback', ...PLACE)).code).toBe(0)
})

test('a release is promoted with its notes and files', async () => {
  const { server, run, serve } = await start({
    ...{ rolloutPct: 40, targets: { matchLabels: { ring: ['beta'] } } },
  })
  await startCommand(['channel', 'create', 'editor', 'beta', '--data', server.folder]).ended
  const args = ['promote', ...PLACE, '--to', 'beta', '--rollout', '10']
  const ended = await run(...args, '--json')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expectDescribed(['promote'], JSON.parse(ended.stdout))
  const { body } = await server.call('GET', '/api/v1/releases/editor/stable/1.4.0')
  expect(JSON.parse(ended.stdout)).toMatchObject({
    created: true,
    release: {
      ...{ channel: 'beta', rolloutPct: 10, notes: 'Fast.', artifacts: body.release.artifacts },
      targets: { matchLabels: {} },
    },
  })
  expect(await run(...args)).toMatchObject({ code: 3 })
  const same = await run(...args, '--if-exists', 'same-ok')
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('Nothing was changed.')])
  expect(await run('promote', ...PLACE, '--to', 'stable')).toMatchObject({ code: 2 })

  await serve({ status: 'paused' })
  const paused = await run(...args, '--if-exists', 'same-ok')
  expect([paused.code, refusal(paused)]).toEqual([
    3,
    'error: 1.4.0 is paused on stable; promote a release that is published there',
  ])
})

test('wait ends once enough of the devices that are in use run the release', async () => {
  const { server, begin, run } = await start({ rolloutPct: 50 })
  const nobody = await run('wait', ...PLACE, '--adopted', '1%', '--timeout', '1s')
  expect([nobody.code, nobody.stdout]).toEqual([1, ''])
  expect(nobody.stderr).toContain(
    '1.4.0: no devices were seen in the last 7 days; waiting for 1%\n',
  )

  await checkIn(server, '1.3.0', ['d-1', 'd-2'])
  const waiting = begin('wait', ...PLACE, '--adopted', '66%', '--every', '1s', '--json')
  await eventually(() => {
    const { stderr } = waiting.output
    expect(stderr).toContain(
      '1.4.0: on 0 of 2 devices seen in the last 7 days (0%); waiting for 66%\n',
    )
    expect(stderr).toContain('warning: the rollout is 50%, so 66% of the devices')
  })
  await checkIn(server, '1.4.0', ['d-2', 'd-3'])
  const ended = await waiting.ended
  expect(ended.code).toBe(0)
  expectDescribed(['wait'], JSON.parse(ended.stdout))
  const { adoption } = JSON.parse(ended.stdout)
  expect(adoption).toEqual({
    ...{ app: 'editor', channel: 'stable', version: '1.4.0', status: 'published' },
    ...{ rolloutPct: 50, devices: 3, adopted: 2, share: 2 / 3 },
  })
  const { body } = await server.call('GET', '/api/v1/releases/editor/stable/1.4.0/adoption')
  expect(body).toEqual({ adoption })
  const local = ['wait', ...PLACE, '--adopted', '66', '--data', server.folder]
  expect(await startCommand(local).ended).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: '1.4.0: on 2 of 3 devices seen in the last 7 days (67%).\n',
  })
  const late = await run('wait', ...PLACE, '--adopted', '67', '--timeout', '1s')
  expect(late.code).toBe(1)
  expect(late.stderr).toContain('error: 67% was not reached in 1 second')
})

test.each(['paused', 'rolled_back'])('wait ends with 3 when the release is %s', async (status) => {
  const { begin, serve } = await start()
  const waiting = begin('wait', ...PLACE, '--adopted', '80', '--every', '1s')
  await eventually(() => expect(waiting.output.stderr).toContain('waiting for 80%'))
  await serve({ status })
  const { code, stderr } = await waiting.ended
  const words = status.replace('_', ' ')
  expect([code, stderr]).toEqual([3, expect.stringContaining(`error: 1.4.0 was ${words}, so`)])
})

test('wait goes on while the server restarts, but not without a first answer', async () => {
  const port = await freePort()
  const server = await startWithApp({ port })
  await server.call('POST', '/api/v1/releases', { body: publishBody('1.4.0') })
  const env = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const waiting = startCommand(['wait', ...PLACE, '--adopted', '80', '--every', '1s'], env)
  await eventually(() => expect(waiting.output.stderr).toContain('waiting for 80%'))
  await server.stop()
  await eventually(() => expect(waiting.output.stderr).toContain('; trying again\n'))
  const first = await startCommand(['wait', ...PLACE, '--adopted', '80'], env).ended
  expectRefused(first, 4, 'nothing listens')
  const database = await databaseOf(server.folder)
  const again = await createServer({ dataFolder: server.folder, database, port }).start()
  try {
    await fetch(`${again.address}/u/editor/stable/linux/x86_64/1.4.0`, {
      headers: { 'x-service-device': 'd-1' },
    })
    expect(await waiting.ended).toMatchObject({ code: 0 })
  } finally {
    await again.stop()
  }
})

test.each([
  [['ramp', ...PLACE, '101'], 'must be a whole number from 0 to 100'],
  [['ramp', ...PLACE], "missing required argument 'pct'"],
  [['promote', ...PLACE], "required option '--to <channel>' not specified"],
  [['retarget', ...PLACE], 'specify --targets or --targets-file'],
  [['wait', ...PLACE], "required option '--adopted <pct>' not specified"],
  [['wait', ...PLACE, '--adopted', '0'], 'must be 1 to 100'],
  [['wait', ...PLACE, '--adopted', '80', '--timeout', '2'], 'such as 90s, 30m, 2h or 1d'],
  [['wait', ...PLACE, '--adopted', '80', '--timeout', '31d'], '1 second to 30 days'],
])('%j is wrong usage', async (args, message) => {
  const ended = await startCommand(args).ended
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(refusal(ended)).toContain(message)
})
