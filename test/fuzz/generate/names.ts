import type { FuzzedServer } from '../server/fuzzed-server.ts'
import type { Names } from './api-requests.ts'

const DEVICES = Array.from({ length: 30 }, (_, number) => `device-${number}`)
const VERSIONS = [0, 1, 2].flatMap((major) =>
  [0, 1, 2, 3].flatMap((minor) => [
    `${major}.${minor}.0`,
    `${major}.${minor}.1-rc.${minor}`,
    `v${major}.${minor}.2+build.${minor}`,
  ]),
)
const LABEL_KEYS = ['ring', 'ring', 'site', 'site', 'constructor', 'device.version', '__proto__']
const BETA = { key: 'ring', operator: 'In', values: ['beta', 'early'] }
const TARGETS = [
  {},
  { matchLabels: { ring: 'beta' } },
  { matchLabels: { ring: ['beta', 'early'] } },
  { matchExpressions: [BETA] },
  { matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: ['>=1.0.0'] }] },
]
const PLAN = {
  steps: [
    { rolloutPct: 10, soakHours: 1 },
    { rolloutPct: 100, soakHours: 0 },
  ],
}

/** Names that exist on the server or may be created, so that most requests reach its rules. */
export function namesOf({ apps, keys }: FuzzedServer['facts']): Names {
  const app = apps.flatMap(({ id, ref }) => [ref, ref, ref, id]).concat('nobody')
  const channel = ['stable', 'stable', 'stable', 'stable', 'beta', 'beta', 'none']
  const platform = ['linux', 'linux', 'darwin', 'macos', 'windows', 'WIN32', 'freebsd']
  const arch = ['x86_64', 'x86_64', 'amd64', 'aarch64', 'universal', 'any']
  const pools = {
    app,
    appRef: app,
    channel,
    version: VERSIONS,
    before: VERSIONS,
    platform,
    arch,
    deviceId: DEVICES,
    'X-Service-Device': DEVICES,
    targets: TARGETS,
    rolloutPct: [0, 1, 10, 25, 50, 75, 99, 100],
    // Mostly left out: a release with a plan takes no rollout besides.
    plan: [PLAN, undefined, undefined, undefined],
    // Of any text, both are refused, and so would be most releases.
    extra: [{ updater: 'electron', file: { note: 'one' } }, undefined, undefined],
    documents: [[], undefined],
    url: ['https://downloads.example/editor.tar.gz', 'http://[::1]:8080/a%20b?c=d#e'],
    sha512: ['ab'.repeat(64), Buffer.alloc(64, 7).toString('base64')],
    key: LABEL_KEYS,
    labelKey: LABEL_KEYS,
    page: [1, 2, 3],
    per_page: [1, 20, 100],
    limit: [1, 100],
  }
  const { all, ...others } = keys
  return {
    pools,
    keys: [...new Array<string>(12).fill(all), ...Object.values(others), 'tg_nonsense', null],
  }
}
