import { describe, expect, it } from 'vitest'
import { targetsInWords } from '../../../../src/renderer/releases/targets/strings.ts'
import type { Targets } from '../../../../src/shared/targets.ts'

const TARGETS: Targets = {
  matchLabels: { ring: ['beta', 'internal'], site: 'berlin' },
  matchExpressions: [
    { key: 'gpu', operator: 'NotIn', values: ['intel'] },
    { key: 'pilot', operator: 'Exists' },
    { key: 'device.version', operator: 'VersionIn', values: ['>=1.4.0 <2.0.0'] },
  ],
}

describe('targets in words', () => {
  it('name every condition', () => {
    expect(targetsInWords(TARGETS)).toBe(
      'Devices whose label ring is beta or internal, whose label site is berlin, ' +
        'whose label gpu is not intel, or not set, whose label pilot is set, ' +
        'and whose version is in the range “>=1.4.0 <2.0.0”',
    )
  })

  it('say that no condition means all devices', () => {
    expect(targetsInWords({ matchLabels: {}, matchExpressions: [] })).toBe('All devices')
  })
})
