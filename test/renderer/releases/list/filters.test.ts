import { describe, expect, it } from 'vitest'
import {
  listInput,
  readFilters,
  writeFilters,
} from '../../../../src/renderer/releases/list/filters.ts'

describe('the filters of the list', () => {
  it('are the same after a way through the address', () => {
    const filters = {
      app: 'editor',
      channel: 'beta',
      status: 'paused' as const,
      search: '1.4 & co',
      page: 3,
    }
    expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters)
  })

  it('ignore what makes no sense', () => {
    const filters = readFilters(new URLSearchParams('status=lost&page=-1'))
    expect(filters).toEqual({ app: '', channel: '', status: '', search: '', page: 1 })
    expect(listInput(filters)).toMatchObject({ page: 1, app: undefined })
  })
})
