import { describe, expect, test } from 'vitest'
import type { ArchiveFile } from '../../build/package/archive.ts'
import { contentProblems, REQUIRED } from '../../build/package/content.ts'
import { danglingReferences } from '../../build/package/references.ts'
import { nativeFile, type Target } from '../../build/package/target.ts'

const target: Target = { platform: 'linux', arch: 'x64' }
const wanted = {
  workers: ['out/main/a-worker.js'],
  production: new Set(['better-sqlite3', '@trpc/server', 'node-addon-api']),
  target,
}

function file(path: string, unpacked = false): ArchiveFile {
  return { path, size: 1, unpacked, sha256: undefined }
}

const good = [
  ...[...REQUIRED, ...wanted.workers].map((path) => file(path)),
  file('node_modules/@trpc/server/dist/index.mjs'),
  file('node_modules/better-sqlite3/lib/index.js'),
  file(nativeFile(target), true),
]

describe('the content of a package', () => {
  test('of a good one has no problem', () => {
    expect(contentProblems(good, wanted)).toEqual([])
  })

  test.each([
    'src/main/index.ts',
    'build/icons/icon.png',
    'out/main/index.js.map',
    'node_modules/react/index.js',
    'node_modules/better-sqlite3/src/addon.cpp',
    'node_modules/better-sqlite3/test/open.js',
    'node_modules/better-sqlite3/prebuilds/linuxmusl-x64.node',
    'node_modules/node-addon-api/index.js',
  ])('has no place for %s', (path) => {
    expect(contentProblems([...good, file(path)], wanted)).toHaveLength(1)
  })

  test.each([...REQUIRED, 'node_modules/@trpc/server/dist/index.mjs', nativeFile(target)])(
    'is not complete without %s',
    (path) => {
      const rest = good.filter((candidate) => candidate.path !== path)
      expect(contentProblems(rest, wanted)).toHaveLength(1)
    },
  )

  test('has the native file outside of the archive, and nothing else', () => {
    const packed = good.map(({ path }) => file(path))
    expect(contentProblems(packed, wanted)).toHaveLength(1)
    const loose = good.map(({ path }) =>
      file(path, path === nativeFile(target) || /lib/.test(path)),
    )
    expect(contentProblems(loose, wanted)).toHaveLength(1)
  })
})

test('a script names no file beside itself that is not there', () => {
  const code =
    "new Worker(new URL('./worker.js', import.meta.url)); new URL(`../a.html`, import.meta.url)"
  expect(
    danglingReferences('out/main/server-process.js', code, new Set(['out/main/worker.js'])),
  ).toEqual(['out/main/server-process.js names out/a.html, which is not there'])
})
