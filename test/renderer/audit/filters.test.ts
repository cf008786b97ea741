import { describe, expect, it } from 'vitest'
import {
  filterInput,
  isNarrowed,
  readFilters,
  writeFilters,
} from '../../../src/renderer/audit/filters.ts'
import { AuditFilter } from '../../../src/shared/console/audit.ts'

describe('the filters of the log', () => {
  const filters = {
    app: 'editor',
    channel: 'beta',
    source: 'key',
    about: 'release',
    search: '1.4 & co',
    from: '2026-03-01',
    to: '2026-03-14',
  } as const

  it('are the same after a way through the address', () => {
    expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters)
    expect(writeFilters(readFilters(new URLSearchParams())).size).toBe(0)
  })

  it('ignore what makes no sense', () => {
    const read = readFilters(
      new URLSearchParams('source=moon&about=weather&from=2026-13-40&to=now'),
    )
    expect(isNarrowed(read)).toBe(false)
    expect(AuditFilter.safeParse(filterInput(read)).success).toBe(true)
  })

  it('take in the last day to its end', () => {
    const { from = '', to = '' } = filterInput({ ...filters, from: '2026-03-14' })
    expect(new Date(from)).toEqual(new Date(2026, 2, 14))
    expect(new Date(to)).toEqual(new Date(2026, 2, 15))
    expect(AuditFilter.parse(filterInput(filters))).toMatchObject({ actorKind: 'key' })
  })
})
