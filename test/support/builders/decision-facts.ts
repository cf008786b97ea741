import type { CompiledChannel, ReleaseFacts } from '../../../src/server/rules/decision/channel.ts'
import { compileChannel } from '../../../src/server/rules/decision/compile.ts'
import type { DeviceFacts } from '../../../src/server/rules/decision/device.ts'
import { parseVersion } from '../../../src/server/rules/decision/version.ts'
import type { ChannelPolicy } from '../../../src/shared/releases/channel.ts'
import { DEFAULT_POLICY } from '../../../src/shared/releases/channel.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { Targets } from '../../../src/shared/releases/targets.ts'

/** An artifact by the public schema, so that tokens are stored as they would be. */
export function artifactFor(platform: string, arch: string, kind = ''): Artifact {
  const name = [platform, arch, kind].filter((part) => part !== '').join('-')
  const url = `https://files.example/${name}.zip`
  return Artifact.parse({ platform, arch, kind, url, sha512: 'ab'.repeat(64) })
}

/** Targets by the public schema. */
export function targetsOf(input: unknown): Targets {
  return Targets.parse(input)
}

/** A published release for every device on macOS, with the given changes. */
export function releaseOf(version: string, change: Partial<ReleaseFacts> = {}): ReleaseFacts {
  return {
    id: `release-${version}`,
    version,
    notes: `Notes of ${version}`,
    status: 'published',
    rolloutPct: 100,
    openPct: null,
    targets: targetsOf({}),
    createdAt: '2026-03-14T09:26:53.589Z',
    artifacts: [artifactFor('darwin', 'universal')],
    ...change,
  }
}

/** A compiled channel with the default policy, or with the given one. */
export function channelOf(
  releases: readonly ReleaseFacts[],
  policy: Partial<ChannelPolicy> = {},
): CompiledChannel {
  return compileChannel({ ...DEFAULT_POLICY, ...policy }, releases)
}

/** A macOS device with an id, with the given changes. */
export function deviceOn(version: string, change: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    deviceId: 'device-1',
    version: parseVersion(version),
    platform: 'darwin',
    arch: 'aarch64',
    bundle: '',
    labels: {},
    manual: false,
    ...change,
  }
}
