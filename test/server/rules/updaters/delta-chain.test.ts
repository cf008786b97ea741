import { expect, test } from 'vitest'
import { deltasTo } from '../../../../src/server/rules/updaters/delta-chain.ts'
import { Artifact } from '../../../../src/shared/releases/release.ts'
import { channelOf, releaseOf } from '../../../support/builders/decision-facts.ts'

const sha1 = (version: string) => Buffer.from(version.padEnd(20, '_')).toString('hex')

function packageOf(version: string, base?: string, platform = 'windows'): Artifact {
  const type = base === undefined ? 'full' : 'delta'
  const name = `Editor-${version}-${type}.nupkg`
  const line = `${sha1(base === undefined ? version : `d${version}`)} ${name} 7`
  const built = base === undefined ? '' : ` ${sha1(base)} Editor-${base}-full.nupkg 7`
  return Artifact.parse({
    ...{ platform, arch: 'x86_64', kind: base === undefined ? 'nupkg' : 'delta' },
    ...{ url: `https://a.example/${name}`, sha512: 'ab'.repeat(64), signature: `${line}${built}` },
  })
}

/** The versions of the deltas that lead from one release to another; each release is given with what its delta is built from. */
function chain(releases: Readonly<Record<string, string>>, from: string, to: string): string[] {
  const channel = channelOf(
    Object.entries(releases).map(([version, base]) =>
      releaseOf(version, {
        artifacts: [packageOf(version), ...(base === '' ? [] : [packageOf(version, base)])],
      }),
    ),
  )
  const release = channel.published.find(({ version }) => version.text === to)
  if (release === undefined) throw new Error(`${to} is not published`)
  const deltas = deltasTo(channel, from, release, packageOf(to))
  return deltas.map(({ release: { version } }) => version.text)
}

test('deltas lead over the packages that they were built from, not over all releases', () => {
  const releases = { '1.0.0': '', '1.1.0': '1.0.0', '1.2.0': '1.0.0', '1.3.0': '1.2.0' }
  expect(chain(releases, '1.0.0', '1.3.0')).toEqual(['1.2.0', '1.3.0'])
  expect(chain(releases, '1.1.0', '1.3.0')).toEqual([])
  expect(chain(releases, '1.2.0', '1.3.0')).toEqual(['1.3.0'])
  expect(chain(releases, '0.9.0', '1.3.0')).toEqual([])
})

test('more than ten deltas are none', () => {
  const versions = Array.from({ length: 12 }, (_, minor) => `1.${minor}.0`)
  const releases = Object.fromEntries(versions.map((each, at) => [each, versions[at - 1] ?? '']))
  expect(chain(releases, '1.1.0', '1.11.0')).toHaveLength(10)
  expect(chain(releases, '1.0.0', '1.11.0')).toEqual([])
})

test('deltas that lead in a circle, or to a lower version, are none', () => {
  expect(chain({ '1.0.0': '1.1.0', '1.1.0': '1.0.0' }, '0.9.0', '1.1.0')).toEqual([])
  expect(chain({ '1.0.0': '1.1.0', '1.1.0': '' }, '1.1.0', '1.0.0')).toEqual([])
  expect(chain({ '1.0.0': '1.0.0' }, '0.9.0', '1.0.0')).toEqual([])
})

test('a delta for another platform leads nowhere', () => {
  const artifacts = [packageOf('1.1.0'), packageOf('1.1.0', '1.0.0', 'linux')]
  const releases = [
    releaseOf('1.0.0', { artifacts: [packageOf('1.0.0')] }),
    releaseOf('1.1.0', { artifacts }),
  ]
  const channel = channelOf(releases)
  const [, to] = channel.published
  if (to === undefined) throw new Error('nothing is published')
  expect(deltasTo(channel, '1.0.0', to, packageOf('1.1.0'))).toEqual([])
  const [full] = [packageOf('1.1.0', undefined, 'linux')]
  expect(deltasTo(channel, '1.0.0', to, full)).toHaveLength(1)
})
