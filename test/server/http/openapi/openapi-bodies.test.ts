import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openApiDocument } from '../../../../src/server/http/openapi/openapi.ts'
import { DecisionsBody, ReportBody } from '../../../../src/shared/devices/fleet.ts'
import { PublishBody, ServingBody } from '../../../../src/shared/releases/release.ts'
import { artifact, publishBody, SHA512_BASE64 } from '../../../support/builders/releases.ts'

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema(openApiDocument('0.0.0'), 'openapi')

type Body = Readonly<Record<string, unknown>>

/** Expects the server and its description to judge alike. */
function expectJudged(name: string, schema: z.ZodType, bodies: readonly Body[], valid: boolean) {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}Input`)
  expect(validate).toBeDefined()
  for (const body of bodies) {
    const text = JSON.stringify(body)
    expect.soft(schema.safeParse(body).success, `the server: ${text}`).toBe(valid)
    expect.soft(validate?.(body), `the description: ${text}`).toBe(valid)
  }
}

const withArtifact = (members: Body) => publishBody('1.0.0', { artifacts: [artifact(members)] })
const withTargets = (targets: Body) => publishBody('1.0.0', { targets })
const withExpression = (operator: string, values?: readonly unknown[]) =>
  withTargets({ matchExpressions: [{ key: 'gpu', operator, ...(values && { values }) }] })

describe('the body of a publish call is described as the server takes it', () => {
  test('accepted input', () => {
    const taken = [
      { app: 'editor', channel: 'stable', version: '1.0.0' },
      ...['v1.0.0', '1.0.0-rc.1+build.7', '0.0.0+0.a', '1.0.0--', '1.0.0-0a'].map((version) =>
        publishBody(version),
      ),
      withArtifact({ sha512: SHA512_BASE64, size: 0, signature: '' }),
      withArtifact({ url: 'HTTPS://downloads.example/a%20b?c=[d]' }),
      withArtifact({ platform: 'MacOS', arch: 'x86_64' }),
      withTargets({}),
      withTargets({ matchLabels: { ring: 'beta', 'site/eu': ['a', 'b'] } }),
      withExpression('In', ['a']),
      withExpression('VersionIn', ['>=1']),
      withExpression('Exists'),
      withExpression('DoesNotExist', []),
    ]
    expectJudged('PublishBody', PublishBody, taken, true)
  })

  test('rejected input', () => {
    const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
    const refused = [
      {},
      { ...place, app: '' },
      { ...place, channel: 'Stable' },
      { ...place, rollout: 10 },
      { ...place, rolloutPct: 101 },
      { ...place, rolloutPct: 0.5 },
      { ...place, notes: 'n'.repeat(65_537) },
      { ...place, notes: null },
      ...[
        '1.0',
        '01.0.0',
        'vv1.0.0',
        '1.0.0+01',
        '1.0.0-',
        '1.0.0 ',
        `1.0.0-${'a'.repeat(256)}`,
      ].map((version) => publishBody(version)),
      withArtifact({ sha512: 'ab'.repeat(63) }),
      withArtifact({ sha512: `${'g'.repeat(128)}` }),
      withArtifact({ url: 'ftp://downloads.example/a' }),
      withArtifact({ url: 'http:a' }),
      withArtifact({ url: 'https://downloads.example/a b' }),
      withArtifact({ url: `https://downloads.example/${'a'.repeat(2_048)}` }),
      withArtifact({ size: -1 }),
      withArtifact({ signature: 's'.repeat(8_193) }),
      withArtifact({ platform: '' }),
      withArtifact({ kernel: 'xnu' }),
      { ...place, artifacts: Array(65).fill(artifact()) },
      withTargets({ matchLabels: { '-ring': 'beta' } }),
      withTargets({ matchLabels: { ring: '' } }),
      withTargets({ matchLabels: { ring: [] } }),
      withTargets({ matchLabels: { ring: 'a'.repeat(257) } }),
      withTargets({ labels: {} }),
      withTargets({ matchExpressions: [{ operator: 'Exists' }] }),
      withExpression('in', ['a']),
      withExpression('In'),
      withExpression('In', []),
      withExpression('NotIn', ['']),
      withExpression('VersionIn', Array(257).fill('>=1')),
      withExpression('Exists', ['a']),
      withExpression('DoesNotExist', ['a']),
    ]
    expectJudged('PublishBody', PublishBody, refused, false)
  })
})

test('a serving change is described as one that has at least one part', () => {
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const taken = [
    { ...place, rolloutPct: 0 },
    { ...place, status: 'paused' },
    { ...place, targets: {}, rolloutPct: 5, status: 'published' },
  ]
  expectJudged('ServingBody', ServingBody, taken, true)
  const refused = [place, { ...place, status: 'stopped' }, { app: 'editor', rolloutPct: 1 }]
  expectJudged('ServingBody', ServingBody, refused, false)
})

test('the devices of a fleet call are described as the server takes them', () => {
  const device = { deviceId: 'one', version: '1.0.0', platform: 'linux', arch: 'x64' }
  const bodyOf = (...devices: unknown[]) => ({ app: 'editor', devices })
  const labels = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']))
  const taken = [
    bodyOf(device),
    bodyOf({ ...device, hostname: 'ignored', labels: { ring: '' } }),
    bodyOf({ ...device, labels: labels(64) }),
    { ...bodyOf(device, device), channel: 'beta', dryRun: true },
  ]
  expectJudged('DecisionsBody', DecisionsBody, taken, true)
  const refused = [
    bodyOf(),
    bodyOf(...Array(501).fill(device)),
    bodyOf({ ...device, deviceId: 'a b' }),
    bodyOf({ ...device, deviceId: '' }),
    bodyOf({ ...device, arch: undefined }),
    bodyOf({ ...device, labels: { ring: 7 } }),
    bodyOf({ ...device, labels: { '': 'a' } }),
    bodyOf({ ...device, labels: labels(65) }),
    { ...bodyOf(device), dryrun: true },
    { ...bodyOf(device), dryRun: 'yes' },
  ]
  // As it is sent: a member that is undefined is none.
  const sent = refused.map((body) => JSON.parse(JSON.stringify(body)))
  expectJudged('DecisionsBody', DecisionsBody, sent, false)
  expectJudged('ReportBody', ReportBody, [bodyOf({ deviceId: 'one', version: '1.0.0' })], true)
  expectJudged('ReportBody', ReportBody, [bodyOf({ deviceId: 'one' }), bodyOf()], false)
})
