import { describe, expect, it } from 'vitest'
import { entryInWords } from '../../../src/renderer/audit/strings.ts'
import { newArtifact } from '../../../src/renderer/releases/artifacts/draft.ts'
import { readDropped } from '../../../src/renderer/releases/artifacts/dropped.ts'
import { mergeRows, withBase } from '../../../src/renderer/releases/artifacts/rows.ts'
import {
  listInput,
  readFilters,
  writeFilters,
} from '../../../src/renderer/releases/list/filters.ts'
import { emptyDraft, readPublish } from '../../../src/renderer/releases/publish/draft.ts'
import { publishInWords, verdictInWords } from '../../../src/renderer/releases/publish/strings.ts'
import { previewInWords } from '../../../src/renderer/releases/serving/strings.ts'
import type { Preview, VersionVerdict } from '../../../src/shared/console/releases.ts'
import { EVERY_DEVICE } from '../../../src/shared/targets.ts'

const PREVIEW: Preview = {
  devices: 1000,
  gaining: 412,
  losing: 0,
  movingDown: 0,
  unknown: 0,
  stranded: 0,
  downTo: [],
  byVersion: [],
  byPlatform: [],
  byLabel: [],
}

describe('a preview in words', () => {
  it('counts who gains and who loses', () => {
    expect(previewInWords(PREVIEW, '2.1.0', 0)).toEqual([
      'Of 1,000 known devices, 412 devices gain it, 0 lose it.',
    ])
  })

  it('counts who is sent back, and who has nothing to go back to', () => {
    const preview = { ...PREVIEW, gaining: 0, losing: 30, movingDown: 41, stranded: 3 }
    const one = { ...preview, downTo: [{ version: '2.0.3', devices: 41 }] }
    expect(previewInWords(one, '2.1.0', 120)[1]).toBe(
      '41 of 120 devices on 2.1.0 will be sent back to 2.0.3; 3 have nothing to go back to.',
    )
    const two = {
      ...preview,
      downTo: [
        { version: '2.0.3', devices: 40 },
        { version: '2.0.2', devices: 1 },
      ],
    }
    expect(previewInWords(two, '2.1.0', 120)[1]).toBe(
      '41 of 120 devices on 2.1.0 will be sent back, 40 to 2.0.3 and 1 to 2.0.2; 3 have nothing to go back to.',
    )
    expect(previewInWords({ ...preview, movingDown: 0, stranded: 1 }, '2.1.0', 1)[1]).toBe(
      '1 of 1 device on 2.1.0 has nothing to go back to.',
    )
  })

  it('says so where no device is known', () => {
    expect(previewInWords({ ...PREVIEW, devices: 0 }, '2.1.0', 0)).toHaveLength(1)
  })
})

describe('publishing in words', () => {
  const artifact = {
    platform: 'darwin',
    arch: 'aarch64',
    url: 'https://dl.example/a',
    sha512: 'a'.repeat(128),
    size: 0,
    signature: '',
  }
  const body = {
    app: 'editor',
    channel: 'stable',
    version: '1.4.0',
    notes: '',
    rolloutPct: 25,
    targets: EVERY_DEVICE,
    artifacts: [artifact],
  }

  it('names the share of devices and the place', () => {
    expect(publishInWords(body)[0]).toBe(
      '1.4.0 will be offered to 25 % of devices on editor/stable.',
    )
    expect(publishInWords({ ...body, rolloutPct: 0 })[0]).toMatch(/offered to no device yet/)
    expect(publishInWords({ ...body, artifacts: [] })[0]).toMatch(/it has no artifacts/)
  })

  it('says what its version would meet', () => {
    const place = 'editor/stable'
    const words = (verdict: VersionVerdict) => verdictInWords(verdict, place)
    expect(words({ state: 'free', highest: null })).toBe('This version is free.')
    expect(words({ state: 'free', highest: '1.0.0' })).toBe(
      'This version is free. The newest here is 1.0.0.',
    )
    expect(words({ state: 'invalid', reason: 'must be a version' })).toBe(
      'The version must be a version.',
    )
    expect(words({ state: 'duplicate', version: '1.0.0', status: 'rolled_back' })).toBe(
      '1.0.0 is on editor/stable already (rolled back).',
    )
    expect(words({ state: 'lower', version: '1.0.0', highest: '2.0.0' })).toMatch(
      /^1\.0\.0 is lower than 2\.0\.0, the newest version of the channel\./,
    )
  })

  it('is refused with a sentence beside every field', () => {
    const empty = newArtifact()
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4', artifacts: [empty] }
    expect(readPublish(draft)).toEqual({
      ok: false,
      issues: {
        version: 'Must be a semantic version such as 1.4.0 or 2.0.0-rc.1.',
        targets: false,
        artifacts: new Map([
          [
            empty.id,
            {
              platform: 'Is required.',
              arch: 'Is required.',
              url: 'Is required.',
              sha512: 'Is required.',
            },
          ],
        ]),
      },
    })
  })

  it('counts notes in bytes of UTF-8', () => {
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4.0' }
    expect(readPublish({ ...draft, notes: '🚀'.repeat(16_384) }).ok).toBe(true)
    expect(readPublish({ ...draft, notes: '🚀'.repeat(16_385) })).toMatchObject({
      ok: false,
      issues: { notes: 'Must be at most 64 KiB.' },
    })
  })

  it('reads a complete draft as the body of a call', () => {
    const row = newArtifact({ ...artifact, size: '12' })
    const draft = { ...emptyDraft('editor', 'stable'), version: '1.4.0', artifacts: [row] }
    expect(readPublish(draft)).toEqual({
      ok: true,
      body: { ...body, rolloutPct: 100, artifacts: [{ ...artifact, size: 12 }] },
    })
    const twins = { ...draft, artifacts: [row, newArtifact({ ...row })] }
    expect(readPublish(twins).ok).toBe(false)
  })
})

describe('dropped files', () => {
  const file = (name: string, text: string) => new File([text], name)
  const manifest = file(
    'latest.json',
    JSON.stringify({
      version: '1.4.0',
      platforms: {
        'darwin-aarch64': { signature: 'old', url: 'https://dl.example/Editor.app.tar.gz' },
      },
    }),
  )

  it('complete the rows of a manifest, whatever their order', async () => {
    const build = file('Editor.app.tar.gz', 'built')
    const files = [file('Editor.app.tar.gz.sig', ' new\n'), build, manifest]
    const { version, artifacts, hashing, remarks } = await readDropped(files, [], '')
    expect(version).toBe('1.4.0')
    expect(artifacts).toMatchObject([
      { platform: 'darwin', arch: 'aarch64', size: '5', signature: 'new' },
    ])
    expect(hashing).toEqual([{ id: artifacts[0]?.id, file: build }])
    expect(remarks).toEqual(['latest.json: The SHA-512 is missing in every artifact.'])
  })

  it('become rows whose addresses follow the base address until they are edited', async () => {
    const files = [file('Editor Setup.exe', 'x'), file('editor_arm64.deb', 'y')]
    const { artifacts } = await readDropped(files, [], 'https://old.example')
    const [first, second] = artifacts
    const edited = artifacts.map((row) => (row === second ? { ...row, url: 'https://own' } : row))
    expect(first?.url).toBe('https://old.example/Editor%20Setup.exe')
    expect(
      withBase(edited, 'https://old.example', 'https://new.example/a').map(({ url }) => url),
    ).toEqual(['https://new.example/a/Editor%20Setup.exe', 'https://own'])
  })

  it('do not undo what was edited while they were read', () => {
    const [one, two, three] = [newArtifact(), newArtifact(), newArtifact()]
    const hashed = { ...one, sha512: 'abc' }
    const signed = { ...two, signature: 'sig' }
    expect(mergeRows([hashed, two], [one, two], [one, signed, three])).toEqual([
      hashed,
      signed,
      three,
    ])
  })

  it('that are no manifest or belong to nothing are named', async () => {
    const { artifacts, remarks } = await readDropped(
      [file('a.sig', 's'), file('b.yml', '-'), file('c.exe.blockmap', '')],
      [],
      '',
    )
    expect(artifacts).toEqual([])
    expect(remarks).toHaveLength(3)
  })
})

describe('the filters of the list', () => {
  it('are the same after a way through the address', () => {
    const filters = {
      app: 'editor',
      channel: 'beta',
      status: 'paused' as const,
      search: '1.4 & co',
      page: 3,
    }
    expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters)
  })

  it('ignore what makes no sense', () => {
    const filters = readFilters(new URLSearchParams('status=lost&page=-1'))
    expect(filters).toEqual({ app: '', channel: '', status: '', search: '', page: 1 })
    expect(listInput(filters)).toMatchObject({ page: 1, app: undefined })
  })
})

describe('the history in words', () => {
  const entry = {
    id: 1,
    at: '2026-03-14T09:26:53.589Z',
    actor: { kind: 'console' as const, name: 'ada' },
    action: 'release.serving_changed',
  }

  it.each([
    [{ status: 'published' }, { status: 'paused' }, 'Paused.'],
    [{ rolloutPct: 10 }, { rolloutPct: 25 }, 'Rollout raised from 10 % to 25 %.'],
    [
      { status: 'paused', rolloutPct: 10 },
      { status: 'published', rolloutPct: 5 },
      'Resumed and rollout lowered from 10 % to 5 %.',
    ],
    [{ targets: EVERY_DEVICE }, { targets: EVERY_DEVICE }, 'Targets changed: Every device.'],
  ])('%j to %j', (before, after, words) => {
    expect(entryInWords({ ...entry, before, after })).toBe(words)
  })

  it('names an action that it does not know', () => {
    expect(entryInWords({ ...entry, action: 'release.new_thing' })).toBe('New thing.')
  })
})
