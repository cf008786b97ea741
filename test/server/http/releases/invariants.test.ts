import { describe, expect, test } from 'vitest'
import {
  auditOf,
  check,
  expectError,
  publish,
  serve,
  shown,
} from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const EXPRESSION = { key: 'site', operator: 'In', values: ['north', 'south'] }
const TARGETS = {
  matchLabels: { ring: ['beta', 'internal'], team: 'core' },
  matchExpressions: [EXPRESSION],
}
const withLabels = (matchLabels: unknown) => ({ targets: { ...TARGETS, matchLabels } })
const withExpressions = (...matchExpressions: unknown[]) => ({
  targets: { ...TARGETS, matchExpressions },
})

const NARROWED = withLabels({ ring: 'beta', team: 'core' })
const REWRITTEN = withExpressions({ ...EXPRESSION, values: ['north', 'south', 'east'] })

/** Release 1.0.0 at 50 percent with those targets, offered to a device or not. */
async function startWithRelease({ offered }: { offered: boolean }): Promise<TestServer> {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 50, targets: TARGETS })
  if (offered) {
    const query = '?l.ring=beta&l.team=core&l.site=north'
    for (let device = 0; (await shown(server, '1.0.0')).offered === false; device++) {
      await check(server, '0.9.0', { device: `device-${device}`, query })
    }
  }
  expect(await shown(server, '1.0.0')).toMatchObject({ offered, rolloutPct: 50, targets: TARGETS })
  return server
}

describe('before a release was offered', () => {
  test('its rollout, labels and expressions change in every direction', async () => {
    const server = await startWithRelease({ offered: false })
    for (const change of [{ rolloutPct: 10 }, { rolloutPct: 90 }, { rolloutPct: 0 }]) {
      expect((await serve(server, '1.0.0', change)).body.release).toMatchObject(change)
    }
    for (const change of [NARROWED, REWRITTEN]) {
      expect((await serve(server, '1.0.0', change)).body.release).toMatchObject(change)
    }
  })
})

describe('once a release was offered', () => {
  test('its rollout only grows', async () => {
    const server = await startWithRelease({ offered: true })
    for (const rolloutPct of [49, 0]) {
      expect(expectError(await serve(server, '1.0.0', { rolloutPct }), 422)).toBe(
        `rolloutPct: cannot be lowered from 50% to ${rolloutPct}% because the release has already been offered to devices`,
      )
    }
    expect((await serve(server, '1.0.0', { rolloutPct: 51 })).body.release.rolloutPct).toBe(51)
    expect((await serve(server, '1.0.0', { rolloutPct: 50 })).status).toBe(422)
    await serve(server, '1.0.0', { status: 'paused' })
    expect((await serve(server, '1.0.0', { rolloutPct: 50 })).status).toBe(422)
    expect((await serve(server, '1.0.0', { rolloutPct: 100 })).body.release.rolloutPct).toBe(100)
  })

  test('its targets only broaden', async () => {
    const server = await startWithRelease({ offered: true })
    const refusal = async (change: object) =>
      expectError(await serve(server, '1.0.0', { ...change }), 422)
    expect(await refusal(NARROWED)).toMatch(/^targets\.matchLabels\.ring: cannot /)
    expect(await refusal(REWRITTEN)).toMatch(/^targets\.matchExpressions\.0: cannot be changed/)
    const reordered = withExpressions({ ...EXPRESSION, values: ['south', 'north'] }, EXPRESSION)
    expect((await serve(server, '1.0.0', reordered)).body.release.targets).toEqual(TARGETS)
    const wider = withLabels({})
    expect((await serve(server, '1.0.0', wider)).body.release).toMatchObject(wider)
    expect(await refusal(NARROWED)).toMatch(/^targets\.matchLabels\./)
  })
})

test('the parts are checked in the order targets, rollout, status; the first that fails decides and nothing is applied', async () => {
  const server = await startWithRelease({ offered: true })
  const release = await shown(server, '1.0.0')
  const wider = withLabels({})
  const down = { rolloutPct: 10 }
  const up = { rolloutPct: 80 }
  const pause = { status: 'paused' }
  const rows = [
    [{ ...NARROWED, ...down, ...pause }, /^targets\./],
    [{ ...pause, ...down, ...NARROWED }, /^targets\./],
    [{ ...NARROWED, ...up, ...pause }, /^targets\./],
    [{ ...NARROWED, ...pause }, /^targets\./],
    [{ ...NARROWED, ...up }, /^targets\./],
    [{ ...wider, ...down, ...pause }, /^rolloutPct: /],
    [{ ...wider, ...down }, /^rolloutPct: /],
    [{ ...down, ...pause }, /^rolloutPct: /],
    [{ ...down, status: 'rolled_back' }, /^rolloutPct: /],
  ] as const
  for (const [change, message] of rows) {
    expect(expectError(await serve(server, '1.0.0', change), 422)).toMatch(message)
    expect(await shown(server, '1.0.0')).toEqual(release)
  }
  expect(await auditOf(server, 'release.serving_changed')).toEqual([])

  await serve(server, '1.0.0', { status: 'rolled_back' })
  for (const change of [NARROWED, wider, down, up, pause, { ...NARROWED, ...down, ...pause }]) {
    expectError(await serve(server, '1.0.0', { ...change }), 409)
  }
  expect(await shown(server, '1.0.0')).toEqual({ ...release, status: 'rolled_back' })
})
