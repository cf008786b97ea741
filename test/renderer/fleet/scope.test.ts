import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readScope, writeScope } from '../../../src/renderer/fleet/scope.ts'
import { FleetRange } from '../../../src/shared/console/fleet.ts'

test('the address holds what the screen looks at', () => {
  const scope = fc.record({
    app: fc.constantFrom('', 'editor'),
    channel: fc.constantFrom('', 'beta'),
    range: fc.constantFrom(...FleetRange.options),
  })
  fc.assert(
    fc.property(scope, (given) => {
      expect(readScope(writeScope(given))).toEqual(given)
    }),
  )
  expect(readScope(new URLSearchParams('range=century'))).toMatchObject({ range: '7d' })
})
