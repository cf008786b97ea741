import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { lockedPackages } from '../../build/npm/production-packages.ts'
import { productionPackages } from '../../build/package/production.ts'
import { nativeFile, type Target } from '../../build/package/target.ts'
import manifest from '../../package.json' with { type: 'json' }
import { needs } from '../support/tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const Platform = z.object({ files: z.tuple([z.object({ filter: z.array(z.string()) })]) })
const configuration = z
  .object({
    appId: z.string(),
    productName: z.string(),
    toolsets: z.object({ appimage: z.string() }),
    files: z.array(z.string()),
    electronFuses: z.record(z.string(), z.boolean()),
    npmRebuild: z.literal(false),
    publish: z.null(),
    asar: z.object({ smartUnpack: z.literal(false) }),
    win: Platform,
    mac: Platform,
    linux: Platform.extend({ syncDesktopName: z.literal(true) }),
    nsis: z.object({ include: z.string() }),
  })
  .parse(parse(readFileSync(join(ROOT, 'build/electron-builder.yml'), 'utf8')))

const SECTIONS = { win32: 'win', darwin: 'mac', linux: 'linux' } as const
const TARGETS = (['win32', 'darwin', 'linux'] as const).flatMap((platform) =>
  (['x64', 'arm64'] as const).map((arch): Target => ({ platform, arch })),
)

/** Patterns that take a file out of a package for the target, as electron-builder reads them. */
function exclusions({ platform, arch }: Target): readonly string[] {
  const [{ filter }] = configuration[SECTIONS[platform]].files
  return [...configuration.files, ...filter]
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1).replaceAll(/\$\{arch\}/g, arch))
}

describe('the native file', () => {
  const folder = 'node_modules/better-sqlite3/prebuilds'
  const prebuilt = readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)

  test.each(TARGETS)('of $platform-$arch is the only one in its package', (target) => {
    const patterns = exclusions(target)
    const kept = prebuilt.filter((path) => !patterns.some((pattern) => matchesGlob(path, pattern)))
    expect(kept).toEqual([nativeFile(target)])
  })
})

test('the fuses are set as they are checked', needs('@electron/fuses'), async () => {
  const { wantedByName } = await import('../../build/package/fuses.ts')
  const { resetAdHocDarwinSignature: _, ...fuses } = configuration.electronFuses
  expect(fuses).toEqual(wantedByName())
})

test('one app ID and one product name, in the form that every system takes', () => {
  const { appId, productName } = configuration
  expect(manifest).toMatchObject({ productName, desktopName: `${appId}.desktop` })
  // Android, Flatpak and D-Bus names allow no hyphen; Windows allows 128 characters and no space.
  expect(appId).toMatch(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*){2,}$/)
  expect(appId).not.toMatch(/invalid|example|electron/)
})

test('an AppImage runs without libfuse2 and with its sandbox', () => {
  // The toolset that electron-builder takes by default, 0.0.0, has neither.
  expect(configuration.toolsets.appimage).toMatch(/^[1-9]/)
})

test('the Windows installer includes the script that stops the app', () => {
  const script = readFileSync(join(ROOT, configuration.nsis.include), 'utf8')
  expect(script).toContain('!macro customCheckAppRunning')
  expect(script).toContain('--quit')
})

test('production packages are the dependencies and theirs', () => {
  const packages = productionPackages(join(ROOT, 'package-lock.json'))
  expect([...packages]).toEqual(
    expect.arrayContaining(['better-sqlite3', 'express', 'body-parser']),
  )
  for (const other of ['react', 'electron', 'typescript', 'vite', '@aws-sdk/client-s3'])
    expect(packages).not.toContain(other)
})

test.each([
  [
    'the SDK for buckets',
    ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner'],
    /\{(@aws,[^}]*)\}/,
    20,
  ],
  ['the driver of PostgreSQL', ['pg'], /\{(pg,[^}]*)\}/, 10],
])('the app leaves out %s, and no more than what only that needs', (_, roots, list, least) => {
  const lock = join(ROOT, 'package-lock.json')
  const kept = productionPackages(lock)
  const left = lockedPackages(ROOT, roots)
  const [, names = ''] = list.exec(configuration.files.join('\n')) ?? []
  const isLeftOut = (name: string) => names.split(',').includes(name.split('/')[0] ?? '')
  const own = left
    .map(({ path }) => path.split('/node_modules/')[0]?.slice('node_modules/'.length) ?? '')
    .filter((name) => !kept.has(name))
  expect(own.length).toBeGreaterThan(least)
  expect(own.filter((name) => !isLeftOut(name))).toEqual([])
  expect([...kept].filter(isLeftOut)).toEqual([])
})
