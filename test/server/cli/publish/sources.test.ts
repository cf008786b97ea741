import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFileOption } from '../../../../src/server/cli/publish/publish-options.ts'
import { readSources } from '../../../../src/server/cli/publish/sources.ts'
import { writeBuild } from '../../../support/builders/builds.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'

const urlBase = 'https://downloads.example/1.4.0/'

/** Reads `--file` options about the files of a build. */
async function kindsOf(...files: readonly (readonly [target: string, name: string])[]) {
  const folder = temporaryFolder()
  writeBuild(folder, Object.fromEntries(files.map(([, name]) => [name, name])))
  const file = files.map(([target, name]) => readFileOption(`${target}=${join(folder, name)}`))
  const { rows } = await readSources({ file, urlBase })
  return rows.map(({ kind, file: of }) => [kind, of?.name])
}

test.each([
  [
    ['linux/x64', 'one.deb'],
    ['linux/x86_64', 'two.deb'],
  ],
  [
    ['linux/x64', 'one.bin'],
    ['linux/x64', 'two.bin'],
  ],
  [
    ['linux/x64/deb', 'one.deb'],
    ['linux/x64/deb', 'one.deb'],
  ],
] as const)('two files for the same devices and kind are refused: %j', async (one, two) => {
  const names = `${one[1]} and ${two[1]}`
  const reason = new RegExp(`^--file names two files for .*: ${names};`)
  await expect(kindsOf(one, two)).rejects.toThrow(reason)
})

test('files of different kinds for the same devices do not replace each other', async () => {
  const app = ['linux/x64', 'editor.AppImage'] as const
  const other = ['linux/x64', 'editor.bin'] as const
  expect(await kindsOf(app, other)).toEqual([
    ['appimage', 'editor.AppImage'],
    ['', 'editor.bin'],
  ])
  expect(await kindsOf(other, app)).toEqual([
    ['', 'editor.bin'],
    ['appimage', 'editor.AppImage'],
  ])
})
