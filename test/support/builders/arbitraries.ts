import fc from 'fast-check'
import type { DeviceFacts } from '../../../src/server/rules/decision/device.ts'
import { parseVersion } from '../../../src/server/rules/decision/version.ts'
import type { EarlyAccess } from '../../../src/shared/releases/channel.ts'
import { isEveryDevice, type Targets } from '../../../src/shared/releases/targets.ts'

const number = fc.oneof(
  fc.nat({ max: 11 }),
  fc.maxSafeInteger().map((value) => Math.abs(value)),
)
const word = fc.stringMatching(/^[0-9]{0,2}[A-Za-z-][0-9A-Za-z-]{0,2}$/)
const identifier = fc.oneof(number.map(String), word)
const identifiers = fc.array(identifier, { maxLength: 3 })

const canonical = (core: fc.Arbitrary<[number, number, number]>) =>
  fc.tuple(core, identifiers, identifiers).map((parts) => textOf(...parts))

/** Canonical versions of every form. */
export const versionText = canonical(fc.tuple(number, number, number))

/** Canonical versions with the same core: pre-release and build metadata decide. */
export const versionOfOneCore = canonical(fc.constant([1, 0, 0]))

/** Versions so close to each other that many pairs are equal or differ in one part. */
export const closeVersion = fc
  .tuple(
    fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.nat({ max: 1 })),
    fc.array(fc.constantFrom('1', '2', '10', 'rc'), { maxLength: 2 }),
    fc.array(fc.constantFrom('1', '9', '10', 'a'), { maxLength: 2 }),
  )
  .map(([core, prerelease, build]) => textOf(core, prerelease, build))

function textOf(core: readonly number[], prerelease: string[], build: string[]): string {
  const suffix = prerelease.length > 0 ? `-${prerelease.join('.')}` : ''
  return core.join('.') + suffix + (build.length > 0 ? `+${build.join('.')}` : '')
}

export const rangeText = fc
  .tuple(
    fc.constantFrom('^', '~', '>=', '<', '<=', '>', '=', ''),
    closeVersion,
    fc.constantFrom('', ' <2.0.0', ' || 1.x', ' || ~2.1 || >2', ' || >=1.1.0-rc <1.2.0'),
  )
  .map(([operator, version, rest]) => `${operator}${version}${rest}`)

const labelKey = fc.constantFrom('ring', 'region', 'schema')
const labelValue = fc.constantFrom('beta', 'stable', 'eu', '1.0.0', 'v1.2.0-rc.1')
const platform = fc.constantFrom('darwin', 'macos', 'windows', 'win32', 'linux')
const arch = fc.constantFrom('x86_64', 'x64', 'amd64', 'aarch64', 'arm64', 'riscv64')

export const device: fc.Arbitrary<DeviceFacts> = fc.record({
  deviceId: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e')),
  version: closeVersion.map(parseVersion),
  platform,
  arch,
  bundle: fc.constantFrom('', 'app', 'deb', 'nsis', 'zip', 'portable'),
  labels: fc.dictionary(labelKey, labelValue),
  manual: fc.boolean(),
})

const plainKey = fc.oneof(
  { weight: 3, arbitrary: labelKey },
  fc.constantFrom('device.id', 'device.version', 'device.platform', 'device.arch'),
)
const plainValue = fc.oneof(labelValue, platform, arch, closeVersion, fc.constantFrom('a', 'b'))
const plainValues = fc.array(plainValue, { minLength: 1, maxLength: 3 })

const matchExpression = fc.oneof(
  fc.record({
    key: plainKey,
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: plainValues,
  }),
  fc.record({
    key: plainKey,
    operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const),
  }),
  fc.record({
    key: fc.constantFrom('device.version', 'schema'),
    operator: fc.constant('VersionIn' as const),
    values: fc.array(rangeText, { minLength: 1, maxLength: 2 }),
  }),
)

const matchLabels = fc.dictionary(labelKey, fc.oneof(plainValue, plainValues), { maxKeys: 2 })

export const targets: fc.Arbitrary<Targets> = fc.record({
  matchLabels,
  matchExpressions: fc.array(matchExpression, { maxLength: 2 }),
})

/** Early access lists that some devices of `device` are on. */
export const earlyAccess: fc.Arbitrary<EarlyAccess> = fc.record({
  deviceIds: fc.subarray(['a', 'b', 'c']),
  targets: fc.array(
    targets.filter((each) => !isEveryDevice(each)),
    { maxLength: 2 },
  ),
})

export const artifactTokens = fc.tuple(
  platform,
  fc.oneof(arch, fc.constantFrom('any', 'universal')),
  fc.constantFrom('', '', 'app', 'deb', 'nsis', 'zip'),
)
