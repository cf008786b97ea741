import { expect, test } from 'vitest'
import { paths, readPlace } from '../../src/renderer/paths.ts'

test('the path of a release survives build metadata', () => {
  const place = { app: 'editor', channel: 'stable', version: '1.0.0+build.1' }
  expect(paths.release(place)).toBe('/releases/editor/stable/1.0.0%2Bbuild.1')
})

test('the path of a comparison survives build metadata on both sides', () => {
  const place = { app: 'editor', channel: 'stable', version: '1.0.0+build.1' }
  const path = paths.compare(place, { channel: 'beta', version: '1.1.0-rc.1+build.2' })
  const { pathname, searchParams } = new URL(path, 'http://console')
  expect(pathname).toBe('/releases/editor/stable/1.0.0%2Bbuild.1/compare')
  expect(readPlace(searchParams.get('with'))).toEqual({
    ...{ channel: 'beta', version: '1.1.0-rc.1+build.2' },
  })
})

test.each(['', 'beta', '/1.0.0', 'beta/', 'Beta/1.0.0', 'beta/one', null])(
  'no release is read from %j',
  (written) => {
    expect(readPlace(written)).toBeUndefined()
  },
)
