import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { askFeed } from '../../../src/server/http/update-feeds/feed-answers.ts'
import type { AskFeed } from '../../../src/server/preflight/groups.ts'
import type { Judgement } from '../../../src/server/preflight/judge.ts'
import type { ReleaseFacts } from '../../../src/server/rules/decision/channel.ts'
import { readBuilderManifest } from '../../../src/shared/artifacts/documents/builder-manifest.ts'
import { readTauriManifest } from '../../../src/shared/artifacts/documents/tauri-manifest.ts'
import { ANY_ARCH, canonicalArch } from '../../../src/shared/devices/aliases.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { releaseOf, targetsOf } from '../../support/builders/decision-facts.ts'
import { asTauri, minisignPair, TAURI_SIGNATURE } from '../../support/builders/minisign.ts'
import { isAccepted, signedManifest, signingKey } from '../../support/updaters/signed-manifest.ts'
import { judge, type Running } from './judged.ts'

const ED = `${'A'.repeat(86)}==`
const SHA1 = 'AB'.repeat(20)

type Members = Record<string, unknown>

function file(platform: string, arch: string, name: string, members: Members = {}): Artifact {
  const url = `https://a.example/${name}`
  return Artifact.parse({ platform, arch, url, sha512: 'ab'.repeat(64), ...members })
}

const exe = (version: string, members: Members = {}) =>
  file('windows', 'x64', `Editor-${version}.exe`, members)
const setup = (version: string, members: Members = {}) =>
  exe(version, { kind: 'nsis', signature: TAURI_SIGNATURE, ...members })
const nupkg = (version: string, name = `Editor-${version}-full.nupkg`) =>
  file('windows', 'x64', name, { kind: 'nupkg', signature: `${SHA1} ${name} 42` })
const dmg = (version: string, signature = ED) =>
  file('darwin', 'any', `Editor-${version}.dmg`, { kind: 'dmg', signature })

const release = (version: string, artifacts: Artifact[], change: Partial<ReleaseFacts> = {}) =>
  releaseOf(version, { artifacts, ...change })

const found = ({ findings }: Judgement) =>
  findings.map(({ code, devices, client }) => `${code} ${devices} ${client}`)

const from = (range: string) =>
  targetsOf({
    matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: [range] }],
  })

test('follows stepping stones, and names the devices that cannot pass one', () => {
  const stone = release('1.5.0', [exe('1.5.0')])
  const aim = release('2.0.0', [exe('2.0.0')], { targets: from('>=1.5.0') })
  const first = release('1.0.0', [exe('1.0.0')])
  const fleet = [
    { version: '1.0.0', count: 3 },
    { version: '1.5.0' },
    { version: '2.0.0', count: 2 },
  ]
  expect(judge([first, stone, aim], fleet)).toMatchObject({
    ...{ verdict: 'pass', devices: 6, reaching: 4, beyond: 2, refusing: 0 },
  })
  const paused = { ...stone, status: 'paused' } as const
  const stopped = judge([first, paused, aim], fleet)
  expect(found(stopped)).toEqual(['dead_end 3 electron_updater'])
  expect(stopped).toMatchObject({ verdict: 'fail', reaching: 1, refusing: 3 })
  const unsigned = release('1.5.0', [setup('1.5.0', { signature: '' })])
  const tauri = [release('1.0.0', [setup('1.0.0')]), unsigned]
  const last = release('2.0.0', [setup('2.0.0')], { targets: from('>=1.5.0') })
  expect(found(judge([...tauri, last], [{ version: '1.0.0' }]))).toEqual([
    'dead_end 1 tauri',
    'unsigned 1 tauri',
  ])
})

test('counts devices that are not targeted, and versions that no device runs', () => {
  const ring = targetsOf({ matchLabels: { ring: 'beta' } })
  const releases = [
    release('1.0.0', [exe('1.0.0')]),
    release('1.1.0', [exe('1.1.0')], { targets: ring }),
  ]
  const judged = judge(releases, [
    { version: '1.0.0', labels: { ring: 'beta', unread: 'x' }, count: 2 },
    { version: '1.0.0', labels: { ring: 'stable' } },
    { version: '0.9.0', platform: 'freebsd', labels: { ring: 'beta' } },
    { version: '*', labels: { ring: 'beta' } },
  ])
  expect(judged).toMatchObject({
    ...{ verdict: 'pass', devices: 5, reaching: 2, notTargeted: 2, unknown: 1, groups: 3 },
  })
  const nobody = judge([release('1.0.0', [exe('1.0.0')]), release('1.1.0', [dmg('1.1.0')])], [])
  expect(nobody).toMatchObject({ devices: 0, groups: 0, releasedVersions: 1, verdict: 'warn' })
  expect(nobody.findings).toMatchObject([
    { code: 'no_file', devices: 0, versions: [{ version: '1.0.0', devices: 0 }] },
  ])
  const old = { createdAt: '2024-03-01T00:00:00Z' }
  const long = judge([release('1.0.0', [exe('1.0.0')], old), release('1.1.0', [dmg('1.1.0')])], [])
  expect(long).toMatchObject({ releasedVersions: 0, verdict: 'pass' })
})

const otherVersion = asTauri(
  minisignPair().sign(Buffer.from('a file'), { comment: 'timestamp:1\tfile:a\tversion:1.0.9' }),
)

test.each<[code: string, before: ReleaseFacts, broken: ReleaseFacts, running?: Running]>([
  [
    'no_file 1 tauri',
    release('1.0.0', [setup('1.0.0')]),
    release('1.1.0', [file('windows', 'x64', 'Editor.msi', { kind: 'msi' })]),
  ],
  [
    'unsigned 1 tauri',
    release('1.0.0', [setup('1.0.0')]),
    release('1.1.0', [setup('1.1.0', { signature: '' })]),
  ],
  [
    'signature_form 1 tauri',
    release('1.0.0', [setup('1.0.0')]),
    release('1.1.0', [setup('1.1.0', { signature: ED })]),
  ],
  [
    'signed_for_other_version 1 tauri',
    release('1.0.0', [setup('1.0.0')]),
    release('1.1.0', [setup('1.1.0', { signature: otherVersion })]),
  ],
  [
    'version_not_above 1 electron_updater',
    release('1.0.0+1', [exe('1.0.0')]),
    release('1.0.0+2', [exe('1.0.0')]),
  ],
  [
    'version_not_above 1 sparkle',
    release('1.0.0+260', [dmg('a')]),
    release('1.1.0', [dmg('b')]),
    { version: '1.0.0+260', platform: 'darwin', arch: 'arm64' },
  ],
  [
    'version_not_above 1 squirrel_windows',
    release('1.0.0-beta.9', [nupkg('1.0.0-beta9')]),
    release('1.0.0-beta.10', [nupkg('1.0.0-beta10')]),
  ],
  [
    'version_unreadable 1 squirrel_windows',
    release('1.0.0', [nupkg('1.0.0')]),
    release('1.1.0-beta.1', [nupkg('1.1.0-beta.1')]),
  ],
  [
    'feed_unreadable 1 squirrel_windows',
    release('1.0.0', [nupkg('1.0.0')]),
    release('1.1.0', [nupkg('1.1.0', 'Editor.nupkg')]),
  ],
  [
    'unsigned 1 sparkle',
    release('1.0.0', [dmg('a')]),
    release('1.1.0', [dmg('b', '')]),
    { version: '1.0.0', platform: 'darwin', arch: 'arm64' },
  ],
  [
    'floor_ignored 1 electron_updater',
    release('1.0.0', [exe('1.0.0')]),
    release('1.1.0', [exe('1.1.0', { minimumSystemVersion: '10.0' })]),
  ],
])('%s', (expected, before, broken, running) => {
  const version = before.version
  expect(found(judge([before, broken], [running ?? { version }]))).toContain(expected)
})

test('follows signed manifests, and names a release without one, which the apps refuse', () => {
  const key = signingKey()
  const built = (version: string, isSigned: boolean) => {
    const { url, sha512, ...rest } = exe(version)
    const sum = Buffer.from(sha512, 'hex').toString('base64')
    const manifest = { version, files: [{ url, sha512: sum, size: 42 }], path: url, sha512: sum }
    const content = Buffer.from(signedManifest(manifest, key)).toString('base64')
    const document = { updater: 'electron', name: 'latest.yml', content, checked: true } as const
    const artifacts = [{ url, sha512, ...rest }]
    return release(version, artifacts, isSigned ? { documents: [document] } : {})
  }
  const judged = (...signed: boolean[]) => {
    const releases = signed.map((isSigned, minor) => built(`1.${minor}.0`, isSigned))
    const bodies: string[] = []
    const ask: AskFeed = (...of) => {
      const answer = askFeed(...of)
      bodies.push(answer.body)
      return answer
    }
    const codes = found(judge(releases, [{ version: '1.0.0' }], {}, { ask }))
    return { codes, isAccepted: isAccepted(bodies[0] ?? '', key) }
  }
  expect(judged(true, true)).toEqual({ codes: [], isAccepted: true })
  expect(judged(true, false)).toEqual({ codes: ['unsigned 1 electron_updater'], isAccepted: false })
  expect(judged(false, false).codes).toEqual([])
})

test('warns of what a rollback would leave behind', () => {
  const sparkle = [release('1.0.0', [dmg('a')]), release('1.1.0', [dmg('b')])]
  const mac = { version: '1.0.0', platform: 'darwin', arch: 'arm64', count: 2 }
  expect(found(judge(sparkle, [mac]))).toEqual(['no_way_back 2 sparkle'])
  expect(judge(sparkle, [mac], { rollback: 'roll-forward' }).findings).toEqual([])
  const paused = release('1.0.0', [exe('1.0.0')], { status: 'paused' })
  const other = release('0.9.0', [dmg('a')])
  const judged = judge([other, paused, release('1.1.0', [exe('1.1.0')])], [{ version: '1.0.0' }])
  expect(judged.findings).toMatchObject([
    { code: 'no_way_back', devices: 1, found: 'release' },
    { code: 'no_file', severity: 'warn', devices: 0, platform: 'darwin' },
  ])
})

test('fails a release below the minimum supported version', () => {
  const releases = [release('1.0.0', [exe('1.0.0')]), release('1.1.0', [exe('1.1.0')])]
  const judged = judge(releases, [{ version: '1.0.0', count: 2 }], {
    minimumSupportedVersion: '1.2.0',
  })
  expect(found(judged)).toEqual(['below_minimum 2 electron_updater'])
})

/** A release as a manifest that a build tool wrote has it, and as devices run the one before. */
function imported(path: string): ReleaseFacts[] {
  const text = readFileSync(path, 'utf8')
  const name = basename(path)
  const result = name.endsWith('.json')
    ? readTauriManifest(name, text)
    : readBuilderManifest(name, text, 'https://a.example')
  if (!result.ok) throw new Error(`${path}: ${result.fault}`)
  const artifacts = result.release.artifacts.map(({ platform, arch, kind, details, ...row }) => {
    const { url, signature } = row
    const sha512 = row.sha512 || 'ab'.repeat(64)
    return Artifact.parse({
      platform,
      arch: arch || 'x64',
      kind,
      url,
      sha512,
      signature,
      ...details,
    })
  })
  return [release('0.0.1', artifacts), release(result.release.version.replace(/^v/, ''), artifacts)]
}

test.each(globSync('test/support/manifests/**/*.{yml,json}'))('%s', (path) => {
  const releases = imported(path)
  const systems = new Map(
    releases.flatMap(({ artifacts }) =>
      artifacts.map(({ platform, arch }) => {
        const known = canonicalArch(arch) === ANY_ARCH ? 'arm64' : arch
        return [`${platform} ${known}`, { platform, arch: known, version: '0.0.1' }] as const
      }),
    ),
  )
  const judged = judge(releases, [...systems.values()])
  // The build tool signed it before the version was raised.
  if (path.includes('signed-version')) {
    expect(found(judged)).toEqual(['signed_for_other_version 1 tauri'])
    return
  }
  const { verdict, findings, reaching } = judged
  expect({ verdict, reaching, findings }).toMatchObject({ verdict: 'pass', reaching: systems.size })
})
