import { expect, test } from 'vitest'
import { notAppliedNames, SETTING_LABELS } from '../../../src/renderer/settings/issue-strings.ts'
import { DEFAULT_SETTINGS } from '../../../src/shared/console/settings.ts'

const failure = { code: 'other', detail: 'odd' } as const
const at = '2026-01-02T03:04:05.000Z'

test('the settings that were not applied are named', () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    address: { host: '0.0.0.0', port: DEFAULT_SETTINGS.address.port },
    security: { ...DEFAULT_SETTINGS.security, trustProxy: ['loopback'] },
    data: { ...DEFAULT_SETTINGS.data, keepCheckInDays: 1 },
  }
  const notApplied = { sections: ['address' as const, 'security' as const], settings, failure, at }
  expect(notAppliedNames(DEFAULT_SETTINGS, notApplied)).toEqual(['Listen on', 'Trusted proxies'])
})

test('every setting has a label', () => {
  const paths = Object.entries(DEFAULT_SETTINGS).flatMap(([section, settings]) =>
    Object.keys(settings).map((name) => `${section}.${name}`),
  )
  expect(Object.keys(SETTING_LABELS).sort()).toEqual(paths.sort())
})
