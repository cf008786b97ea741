import { expect, test } from 'vitest'
import { accessGroups } from '../../../../src/shared/wording/operation/restored-access.ts'

const KEY = { name: 'ci', prefix: 'tg_12345' }

test('people and keys are named, with what a restore does about them', () => {
  const groups = accessGroups({
    people: [
      { name: 'mia', differences: ['roles', 'password', 'passkeys'] },
      { name: 'noah', differences: ['removed'] },
    ],
    keys: [{ ...KEY, difference: 'revoked' }],
  })
  expect(groups).toEqual([
    {
      heading: 'These people do not get back access that changed since the backup:',
      items: [
        'mia: gets the lower of the roles now and in the backup; password and passkeys as now',
        'noah: removed since the backup, stays disabled and cannot sign in',
      ],
    },
    { heading: expect.stringContaining('stay revoked'), items: ['ci (tg_12345…)'] },
  ])
})

test('without current data, the text says how to unlock people', () => {
  const groups = accessGroups({
    people: [{ name: 'mia', differences: ['unknown'] }],
    keys: [{ ...KEY, difference: 'unknown' }],
  })
  expect(groups).toMatchObject([
    { heading: expect.stringContaining('person enable'), items: ['mia'] },
    { heading: expect.stringContaining('are revoked'), items: ['ci (tg_12345…)'] },
  ])
  expect(accessGroups({ people: [], keys: [] })).toEqual([])
})
