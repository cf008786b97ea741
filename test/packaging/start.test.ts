import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findElectronBinary } from '../../build/electron-binary.ts'
import { buildIsStale, planStart } from '../../build/start-plan.ts'

describe('what npm start opens', () => {
  const binary = '/opt/electron'
  test.each([
    { platform: 'linux', env: { DISPLAY: ':0' }, kind: 'console' },
    { platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' }, kind: 'console' },
    { platform: 'linux', env: { DISPLAY: '' }, kind: 'headless' },
    { platform: 'linux', env: {}, kind: 'headless' },
    { platform: 'darwin', env: {}, kind: 'console' },
    { platform: 'win32', env: {}, kind: 'console' },
  ] as const)('$kind on $platform with $env', ({ platform, env, kind }) => {
    expect(planStart({ platform, binary, env }).kind).toBe(kind)
    expect(planStart({ platform, binary: undefined, env }).kind).toBe('headless')
  })

  test('the reason names all that is missing, in one line', () => {
    const plan = planStart({ platform: 'linux', binary: undefined, env: {} })
    if (plan.kind !== 'headless') throw new Error('expected the server alone')
    expect(plan.reason).toMatch(/Electron binary.*display/)
    expect(plan.reason).not.toContain('\n')
  })
})

test('the build is made if it is missing or a source is newer', () => {
  expect(buildIsStale(undefined, [])).toBe(true)
  expect(buildIsStale(10, [9, 11])).toBe(true)
  expect(buildIsStale(10, [9, 10])).toBe(false)
})

describe('the Electron binary', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-start-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (name: string, content = '') => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const find = (platform: NodeJS.Platform, override?: string) =>
    findElectronBinary({ packageFolder: folder, platform, override })

  test('is missing before it is downloaded, or if its folder was removed', () => {
    expect(find('linux')).toBeUndefined()
    put('path.txt', 'electron')
    expect(find('linux')).toBeUndefined()
  })

  test('is found in the folder of the installer', () => {
    put('path.txt', 'electron')
    put('dist/electron')
    expect(find('linux')).toBe(join(folder, 'dist/electron'))
  })

  test.each([
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ] as const)('is taken from another folder on %s', (platform, name) => {
    put(`other/${name}`)
    expect(find(platform, join(folder, 'other'))).toBe(join(folder, 'other', name))
  })
})
