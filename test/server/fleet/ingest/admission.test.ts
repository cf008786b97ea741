import { expect, test } from 'vitest'
import { Admission } from '../../../../src/server/fleet/ingest/admission.ts'
import { Budgets } from '../../../../src/server/fleet/ingest/budgets.ts'

test('however many addresses there are, they add devices up to a limit only', () => {
  const usedUp: string[] = []
  const budgets = new Budgets({ clock: () => 0, onUsedUp: ({ name }) => usedUp.push(name) })
  const admission = new Admission(0, budgets, { mostDevices: 3 })
  const admitted = [0, 1, 2, 3, 4].map((devices) => admission.admits(`192.0.2.${devices}`, devices))
  expect(admitted).toEqual([true, true, true, false, false])
  expect(usedUp).toEqual(['new_devices'])
})
