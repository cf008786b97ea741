import { expect, test } from 'vitest'
import { paths } from '../../src/renderer/paths.ts'

test('the path of a release survives build metadata', () => {
  const place = { app: 'editor', channel: 'stable', version: '1.0.0+build.1' }
  expect(paths.release(place)).toBe('/releases/editor/stable/1.0.0%2Bbuild.1')
})
