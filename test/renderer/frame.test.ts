import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refFromName } from '../../src/renderer/apps/ref-from-name.ts'
import { Refresher } from '../../src/renderer/bridge/refresher.ts'
import { formatShare } from '../../src/renderer/components/format.ts'
import { versionHue } from '../../src/renderer/components/version-hue.ts'
import { paths } from '../../src/renderer/paths.ts'
import { AppRef } from '../../src/shared/names.ts'

describe('the reference that a name suggests', () => {
  test('keeps what can be typed', () => {
    expect(refFromName("Müller's Editor 2")).toBe('mullers-editor-2')
    expect(refFromName('  — ')).toBe('')
  })

  test('is a reference, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (name) => {
        const ref = refFromName(name)
        expect(ref === '' || AppRef.safeParse(ref).success).toBe(true)
      }),
    )
  })
})

test('a version has an angle on the colour wheel, and neighbours are apart', () => {
  fc.assert(
    fc.property(fc.string(), (version) => {
      expect(versionHue(version)).toBeGreaterThanOrEqual(0)
      expect(versionHue(version)).toBeLessThan(360)
    }),
  )
  const hues = ['2.0.3', '2.1.0', '2.2.0', '2.3.0'].map(versionHue)
  expect(new Set(hues).size).toBe(hues.length)
})

test('a share is not rounded to none or all', () => {
  expect([null, 0, 0.001, 0.5, 0.999, 1].map(formatShare)).toEqual([
    '–',
    '0 %',
    '< 1 %',
    '50 %',
    '> 99 %',
    '100 %',
  ])
})

test('the path of a release survives build metadata', () => {
  const place = { app: 'editor', channel: 'stable', version: '1.0.0+build.1' }
  expect(paths.release(place)).toBe('/releases/editor/stable/1.0.0%2Bbuild.1')
})

test('what is asked for during a refresh is one more refresh after it', async () => {
  const ends: (() => void)[] = []
  const started: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()]
  const refresher = new Refresher(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    started[ends.length - 1]?.resolve()
    return promise
  }, 0)

  refresher.request()
  await started[0]?.promise
  refresher.request()
  refresher.request()
  expect(ends).toHaveLength(1)

  ends[0]?.()
  await started[1]?.promise
  expect(ends).toHaveLength(2)
  ends[1]?.()
})
