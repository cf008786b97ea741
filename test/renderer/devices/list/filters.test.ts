import fc from 'fast-check'
import { matchRoutes, resolvePath } from 'react-router'
import { expect, test } from 'vitest'
import {
  type Filters,
  isNarrowed,
  listInput,
  readFilters,
  withoutFilters,
  writeFilters,
} from '../../../../src/renderer/devices/list/filters.ts'
import { deviceIdOf, paths, patterns } from '../../../../src/renderer/paths.ts'
import { DeviceListInput } from '../../../../src/shared/console/devices.ts'

const filters: fc.Arbitrary<Filters> = fc.record({
  app: fc.constantFrom('editor', 'player'),
  channel: fc.constantFrom('', 'stable'),
  version: fc.constantFrom('', '1.0.0-rc.1+build.7'),
  platform: fc.constantFrom('', 'darwin'),
  arch: fc.constantFrom('', 'x86_64'),
  seen: fc.constantFrom('any', '24h', '7d', '30d'),
  search: fc.string({ maxLength: 20 }),
  release: fc.constantFrom('', 'stable/1.0.0-rc.1+build.7'),
  health: fc.constantFrom('offered', 'stuck', 'failed'),
  sort: fc.constantFrom('lastSeen', 'firstSeen', 'deviceId', 'version'),
  order: fc.constantFrom('asc', 'desc'),
  cursor: fc.constantFrom('', '12.a&b=c%'),
  direction: fc.constantFrom('next', 'previous'),
})

test('what the address says is what was chosen', () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      const address = new URLSearchParams(writeFilters(chosen).toString())
      expect(readFilters(address)).toEqual(chosen)
      expect(DeviceListInput.safeParse(listInput(chosen.app, chosen)).success).toBe(true)
    }),
  )
})

test('what makes no sense in the address counts as not given', () => {
  const odd = new URLSearchParams({ version: 'one', sort: 'size', order: 'up', seen: 'once' })
  expect(readFilters(odd)).toEqual(readFilters(new URLSearchParams()))
})

test('without filters the same app is listed whole, in the same order', () => {
  fc.assert(
    fc.property(filters, (chosen) => {
      const whole = withoutFilters(chosen)
      expect(isNarrowed(whole)).toBe(false)
      const { app, sort, order } = chosen
      expect(whole).toMatchObject({ app, sort, order, cursor: '' })
    }),
  )
})

/** Ids that mean something to an address or to the router. */
const AWKWARD = ['.', '..', '%2E', 'a/b?c#d', 'a%2Fb', '%2f', '%252F', '%25', '/%2F%']

test('the page of any device has an address that leads back to its id', () => {
  const id = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 128,
  })
  fc.assert(
    fc.property(fc.oneof(id, fc.constantFrom(...AWKWARD)), (deviceId) => {
      // As a link reads it, which takes dots for ways up.
      const there = resolvePath(paths.device('editor', deviceId), '/')
      const [match] = matchRoutes([{ path: patterns.device }], there) ?? []
      expect(match?.params.app).toBe('editor')
      expect(deviceIdOf(match?.params.deviceId ?? '')).toBe(deviceId)
    }),
  )
})

test('a list is linked by what it is narrowed to', () => {
  expect(paths.devices()).toBe('/devices')
  expect(paths.devices({ app: 'editor', search: 'ring=a b' })).toBe(
    '/devices?app=editor&search=ring%3Da+b',
  )
})
