import { describe, expect, it } from 'vitest'
import type { ArtifactDraft } from '../../../src/shared/artifacts/artifact.ts'
import { type DropTarget, readDropped } from '../../../src/shared/artifacts/dropped.ts'

const HASH = `${'A'.repeat(86)}==`
const file = (name: string, text: string) => new File([text], name)
const tauri = (version: string, url: string, ...names: string[]) =>
  file(
    'latest.json',
    JSON.stringify({
      version,
      platforms: Object.fromEntries(names.map((name) => [name, { url, signature: 'listed' }])),
    }),
  )
const builder = (version: string, name: string) =>
  file(
    'latest.yml',
    `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${HASH}\n    size: 9\n`,
  )

/** Drops the files one after the other. */
async function dropAll(files: readonly File[]): Promise<{ form: DropTarget; remarks: string[] }> {
  let form: DropTarget = {
    artifacts: [],
    signatures: new Map(),
    base: 'https://dl.example/',
  }
  const remarks: string[] = []
  for (const each of files) {
    const dropped = await readDropped([each], form)
    remarks.push(...dropped.remarks.map(({ code }) => code))
    form = { ...form, ...dropped }
  }
  return { form, remarks }
}

const plain = ({ id: _, ...row }: ArtifactDraft) => row
const byArch = (one: ArtifactDraft, other: ArtifactDraft) => one.arch.localeCompare(other.arch)

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item) =>
    orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}

describe('files dropped one after the other', () => {
  it('make the same row in every order', async () => {
    const files = [
      tauri('1.4.0', 'https://dl.example/1.4.0/Editor.AppImage', 'linux-x86_64'),
      file('Editor.AppImage', 'built'),
      file('Editor.AppImage.sig', 'signed'),
    ]
    for (const order of orders(files)) {
      const { form } = await dropAll(order)
      expect(form.artifacts.map(plain), order.map(({ name }) => name).join(', ')).toMatchObject([
        {
          platform: 'linux',
          arch: 'x86_64',
          url: 'https://dl.example/1.4.0/Editor.AppImage',
          size: '5',
          signature: 'signed',
          file: { name: 'Editor.AppImage', size: 5 },
          listed: { manifest: 'latest.json', version: '1.4.0' },
        },
      ])
    }
  })

  it('make the same rows of a universal build in either order', async () => {
    const url = 'https://dl.example/Editor_universal.app.tar.gz'
    const files = [
      tauri('1.4.0', url, 'darwin-x86_64', 'darwin-aarch64'),
      file('Editor_universal.app.tar.gz', 'built'),
    ]
    const [one, other] = await Promise.all(orders(files).map(dropAll))
    const rows = one?.form.artifacts.toSorted(byArch).map(plain)
    expect(rows?.map(({ arch, size }) => [arch, size])).toEqual([
      ['aarch64', '5'],
      ['x86_64', '5'],
    ])
    expect(other?.form.artifacts.toSorted(byArch).map(plain)).toEqual(rows)
  })

  it('make the same rows of one bundle that a manifest lists for two kinds of device', async () => {
    const url = 'https://dl.example/Editor_x64.msi'
    const files = [
      tauri('1.4.0', url, 'windows-x86_64', 'windows-x86_64-msi'),
      file('Editor_x64.msi', 'built'),
    ]
    const [one, other] = await Promise.all(orders(files).map(dropAll))
    const rows = one?.form.artifacts.map(plain)
    expect(rows?.map(({ kind, size }) => [kind, size])).toEqual([
      ['', '5'],
      ['msi', '5'],
    ])
    expect(other?.form.artifacts.map(plain)).toEqual(rows)
  })

  it('replace those of an earlier build for the same platform, architecture and kind', async () => {
    const { form, remarks } = await dropAll([
      builder('6.0.0', 'Editor-6.0.0-x64.exe'),
      builder('6.1.0', 'Editor-6.1.0-x64.exe'),
      file('Editor-6.2.0-x64.exe', 'built'),
      file('Editor-6.2.0-x64.msi', 'built'),
    ])
    expect(form.artifacts.map(({ url }) => url)).toEqual([
      'https://dl.example/Editor-6.2.0-x64.exe',
      'https://dl.example/Editor-6.2.0-x64.msi',
    ])
    expect(form.artifacts[0]).toMatchObject({ listed: null, sha512: '' })
    expect(remarks).toEqual(['replaced', 'replaced'])
  })

  it('are not completed by a manifest twice', async () => {
    const manifest = builder('6.0.0', 'Editor-6.0.0-x64.exe')
    const { form } = await dropAll([manifest, manifest])
    expect(form.artifacts).toHaveLength(1)
  })

  it('of one drop never replace each other: both are shown to choose from', async () => {
    const files = [file('Editor-1.0.0-x64-en.msi', 'en'), file('Editor-1.0.0-x64-de.msi', 'de')]
    const dropped = await readDropped(files, { artifacts: [], signatures: new Map(), base: '' })
    expect(dropped.artifacts).toHaveLength(2)
  })
})
