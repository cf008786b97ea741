import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askFeed } from '../../../src/server/http/update-feeds/feed-answers.ts'
import type { ClientAnswer } from '../../../src/server/preflight/groups.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { releaseOf, targetsOf } from '../../support/builders/decision-facts.ts'
import { TAURI_SIGNATURE } from '../../support/builders/minisign.ts'
import { needs } from '../../support/tools.ts'
import { changed, electronFeed, type Feed, KINDS, type Members, velopackFeed } from './feeds.ts'
import { judge } from './judged.ts'

const VALUES = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.constantFrom('', 'x', '1.0.0', '1.1.0', '1.1.1', 'v1.1.0', '1.1.0-beta', '01.1.0'),
  fc.constantFrom<unknown>(0, 1, 1.1, true, [], {}),
)

/** What preflight and an updater make of something that was changed, and the version that the updater should have then. */
interface Outcome {
  readonly isNamed: boolean
  readonly installed: string
  readonly expected: string
}

/** Compares what both make of mutations. Fails for one that the updater refuses or misreads and preflight passes. */
async function compare<T>(
  mutations: fc.Arbitrary<T>,
  runs: number,
  judge: (of: T) => Promise<Outcome>,
) {
  const tally = { refused: 0, harmless: 0, harmlessNamed: 0 }
  const property = fc.asyncProperty(mutations, async (mutation) => {
    const { isNamed, installed, expected } = await judge(mutation)
    if (installed !== expected) {
      tally.refused += 1
      expect(isNamed, `${JSON.stringify(mutation)}: ${installed}`).toBe(true)
    } else {
      tally.harmless += 1
      if (isNamed) tally.harmlessNamed += 1
    }
  })
  await fc.assert(property, { numRuns: runs, seed: 1 })
  const share = Math.round((tally.harmlessNamed / tally.harmless) * 100)
  return {
    ...tally,
    share,
    report: `${JSON.stringify(tally)}: ${share}% of harmless ones are named`,
  }
}

/** Feeds that differ from the good one in one member. */
function mutate(feed: Feed, paths: readonly (string | number)[][], runs: number) {
  const mutations = fc.record({ path: fc.constantFrom(...paths), value: VALUES })
  return compare(mutations, runs, async ({ path, value }) => {
    const mutated = changed(feed.good, path, value)
    const isNamed = feed.read(mutated).length > 0
    return { isNamed, installed: await feed.install(mutated), expected: '1.1.0' }
  })
}

test('no mutation of one member passes that electron-updater refuses or misreads', async ({
  annotate,
}) => {
  const feed = await electronFeed('nsis')
  const file = ['url', 'sha512', 'size'].map((name) => ['files', 0, name])
  const top = ['version', 'files', 'path', 'sha512', 'releaseDate', 'stagingPercentage'].map(
    (name) => [name],
  )
  const tally = await mutate(feed, [...top, ...file, ['files', 0]], 150)
  await annotate(tally.report)
  expect(tally.refused).toBeGreaterThan(30)
  expect(tally.share).toBeLessThan(20)
})

test(
  'no mutation of one member passes that Velopack refuses or misreads',
  needs('velopack'),
  async ({ annotate }) => {
    const feed = await velopackFeed()
    expect([feed.read(feed.good), await feed.install(feed.good)]).toEqual([[], '1.1.0'])
    expect(feed.read(feed.good, '1.1.0').map(({ code }) => code)).toEqual(['version_not_above'])
    expect(await feed.install(feed.good, '1.1.0')).toBe('no update')
    const members = ['Version', 'Type', 'FileName', 'SHA1', 'Size', 'PackageId', 'NotesMarkdown']
    const paths = [['Assets'], ['Assets', 0], ...members.map((name) => ['Assets', 0, name])]
    const tally = await mutate(feed, paths, 120)
    await annotate(tally.report)
    expect(tally.refused).toBeGreaterThan(20)
    // The installed version verifies neither size nor checksum, as later ones do.
    expect(tally.share).toBeLessThan(50)
  },
)

/** What one field of a release, or of its only file, is in its place. */
function fieldsOf(feed: Feed, file: string): fc.Arbitrary<Members> {
  const names = [file.replace('1.1.0', '1.1.0-arm64'), file.replace('1.1.0', '1.0.0'), 'Editor.msi']
  const others: Members = {
    platform: ['windows', 'win32', 'darwin', 'linux'],
    arch: ['x64', 'x86_64', 'arm64', 'any'],
    kind: ['', 'nsis', 'zip', 'appimage', 'deb'],
    url: [...names, 'Editor-1.1.0.zip', 'Editor.exe', 'Editor.AppImage'].map(feed.serve),
    sha512: ['ab'.repeat(64)],
    size: [0, 3, 4],
    signature: [TAURI_SIGNATURE, `${'A'.repeat(86)}==`],
    minimumSystemVersion: ['1.0.0', '10', '99.0.0'],
    version: ['1.0.0', '1.0.0+2', '1.1.0-beta.1', '1.1.0+1', '2.0.0', '0.9.0'],
    targets: [{ matchLabels: { ring: 'beta' } }, { matchLabels: {} }],
  }
  return fc.oneof(
    ...Object.entries(others).map(([name, values]) =>
      fc.constantFrom(...(values as unknown[])).map((value) => ({ [name]: value })),
    ),
  )
}

test.for(['nsis', 'mac', 'appimage'] as const)(
  'no mutation of one field of a release passes that electron-updater refuses (%s)',
  async (kind, { annotate }) => {
    const feed = await electronFeed(kind)
    const { platform, file } = KINDS[kind]
    const [{ sha512 = '', url = '' } = {}] = feed.good.files as { sha512: string; url: string }[]
    const sum = Buffer.from(sha512, 'base64').toString('hex')
    const good = { platform, arch: 'x64', url, sha512: sum, size: 3 }
    const before = releaseOf('1.0.0', { artifacts: [Artifact.parse(good)] })
    const { share, refused, report } = await compare(
      fieldsOf(feed, file),
      80,
      async ({ version = '1.1.0', targets = {}, ...field }) => {
        const artifact = Artifact.parse({ ...good, ...field })
        const named = { artifacts: [artifact], targets: targetsOf(targets) }
        const release = releaseOf(String(version), named)
        const asked: ClientAnswer[] = []
        // What a proof finds of the file.
        const isProven = artifact.sha512 === sum && [0, 3].includes(artifact.size)
        const failures = new Map(isProven ? [] : [[artifact.sha512, 'sha512_differs']])
        const { verdict, reaching, findings } = judge(
          [before, release],
          [{ version: '1.0.0', platform }],
          {},
          {
            files: { facts: new Map(), failures },
            ask: (...of) => {
              const answer = askFeed(...of)
              asked.push(answer)
              return answer
            },
          },
        )
        const codes = findings.map(({ code }) => code)
        if (!isProven) expect(codes).toContain('file_failed')
        const answer = asked[0]
        const isNamed = verdict !== 'pass' || reaching === 0
        const isAnswered = answer?.status === 200
        const installed = isAnswered ? await feed.install(answer.body) : 'no answer'
        return { isNamed, installed, expected: String(version) }
      },
    )
    await annotate(report)
    expect(refused).toBeGreaterThan(15)
    expect(share).toBeLessThan(20)
  },
)
