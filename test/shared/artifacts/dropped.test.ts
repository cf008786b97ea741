import { describe, expect, it } from 'vitest'
import { newArtifact } from '../../../src/shared/artifacts/artifact.ts'
import { readDropped } from '../../../src/shared/artifacts/dropped.ts'
import { mergeRows, withBase } from '../../../src/shared/artifacts/rows.ts'
import { artifactWarnings } from '../../../src/shared/artifacts/warnings.ts'
import { remarkSentence } from '../../../src/shared/wording/artifacts.ts'

const EMPTY = { artifacts: [], signatures: new Map<string, string>(), base: '' }

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
    const { version, artifacts, hashing, remarks } = await readDropped(files, EMPTY)
    expect(version).toBe('1.4.0')
    expect(artifacts).toMatchObject([
      { platform: 'darwin', arch: 'aarch64', size: '5', signature: 'new' },
    ])
    expect(hashing).toEqual([{ id: artifacts[0]?.id, file: build }])
    expect(remarks.map(remarkSentence)).toEqual(['No artifact in latest.json has a SHA-512.'])
  })

  it('say which manifests disagree, and keep the file of the first', async () => {
    const listed = (name: string, letter: string) =>
      file(
        name,
        `version: 1.4.0\nfiles:\n  - url: Editor.zip\n    sha512: ${letter.repeat(86)}==\n`,
      )
    const files = [listed('latest-mac.yml', 'A'), listed('beta-mac.yml', 'B')]
    const { artifacts, remarks } = await readDropped(files, EMPTY)
    expect(artifacts).toMatchObject([{ listed: { manifest: 'latest-mac.yml' } }])
    expect(remarks.map(remarkSentence)).toContain(
      'latest-mac.yml and beta-mac.yml name Editor.zip with different SHA-512. The file of beta-mac.yml was skipped.',
    )
  })

  it('keep the bytes of a manifest that its publisher signed', async () => {
    const text = `\uFEFFversion: 1.4.0\r\nstagingPercentage: 10\nfiles:\n  - url: Editor-x64.exe\n    sha512: ${'A'.repeat(86)}==\nsignature: c2ln\n`
    const { documents, remarks, version } = await readDropped([file('latest.yml', text)], EMPTY)
    const content = Buffer.from(text).toString('base64')
    expect(version).toBe('1.4.0')
    expect(documents).toEqual([
      { updater: 'electron', name: 'latest.yml', content, checked: false },
    ])
    expect(remarks.map(remarkSentence)).toEqual([
      'latest.yml has a signature, so it is kept with the release and served unchanged.',
      'latest.yml is served unchanged, with its limit of 10%: of the devices that are offered the release, the updater updates 10%.',
      'No artifact in latest.yml has a URL.',
    ])
  })

  it('say what is no manifest, what is not served, and what no device is offered', async () => {
    const yaml = `version: 1.4.0\nstagingPercentage: 10\npath: Editor-x64.dmg\nsha512: ${'A'.repeat(86)}==\n`
    const files = [file('RELEASES', 'x'), file('latest-mac.yml', yaml), file('e-full.nupkg', 'x')]
    const { artifacts, remarks } = await readDropped(files, { ...EMPTY, base: 'https://a.example' })
    expect(remarks).toMatchObject([
      { code: 'unreadable', file: 'RELEASES', fault: 'not_packages' },
      { code: 'staged', manifest: 'latest-mac.yml', percentage: 10 },
    ])
    expect(artifactWarnings(artifacts, '1.4.0')).toMatchObject([
      { code: 'package_unverifiable', file: 'e-full.nupkg' },
      { code: 'nothing_installable', manifest: 'latest-mac.yml', needs: ['.zip'] },
    ])
  })

  it('become rows whose addresses follow the base address until they are edited', async () => {
    const files = [file('Editor Setup.exe', 'x'), file('editor_arm64.deb', 'y')]
    const { artifacts } = await readDropped(files, {
      ...EMPTY,
      base: 'https://old.example',
    })
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
      EMPTY,
    )
    expect(artifacts).toEqual([])
    expect(remarks.map(({ code }) => code)).toEqual([
      'unreadable',
      'not_downloaded',
      'signature_waits',
    ])
  })

  it('keep a list of packages, unless it is too large, and say that it limits the devices', async () => {
    const line = (version: string) => `${'a'.repeat(40)} Editor-${version}-full.nupkg 7`
    const list = `${line('1.0.0')}\n${line('1.1.0')} # 10%`
    const kept = await readDropped([file('RELEASES', list)], EMPTY)
    expect(kept).toMatchObject({ version: '1.1.0', documents: [{ updater: 'squirrel' }] })
    expect(kept.remarks.map(remarkSentence)).toContain(
      'RELEASES is served unchanged, with its limit of 10%: of the devices that are offered the release, the updater updates 10%.',
    )
    const many = Array.from({ length: 1_000 }, (_, patch) => line(`1.0.${patch}`)).join('\n')
    const large = await readDropped([file('RELEASES', many)], EMPTY)
    expect(large).toMatchObject({ version: '1.0.999', documents: [] })
    expect(large.remarks.map(({ code }) => code)).toContain('list_too_large')
  })
})
