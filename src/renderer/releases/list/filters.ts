import type { z } from 'zod'
import type { ReleaseListInput } from '../../../shared/console/releases/releases.ts'
import { ReleaseStatus } from '../../../shared/releases/release.ts'
import { readChoice, readText, writeParams } from '../../components/list/address-filters.ts'

/** What the list is narrowed to, as the address of the screen holds it. Empty means all. */
export interface Filters {
  readonly app: string
  readonly channel: string
  readonly status: ReleaseStatus | ''
  readonly search: string
  readonly page: number
}

const PER_PAGE = 25

/** Every release, from the first page on. */
export const NO_FILTERS: Filters = { app: '', channel: '', status: '', search: '', page: 1 }

/** Reads filters from the address; what makes no sense there counts as not given. */
export function readFilters(params: URLSearchParams): Filters {
  const page = readPage(params.get('page') ?? '')
  return {
    app: readText(params, 'app'),
    channel: readText(params, 'channel'),
    status: readChoice(params, 'status', ReleaseStatus, ''),
    search: readText(params, 'search', 200),
    page,
  }
}

/** Decimal digits alone: `Number` also reads `0x10` and `1e3`. */
function readPage(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/** Writes filters for the address. Defaults are left out. */
export function writeFilters(filters: Filters): URLSearchParams {
  return writeParams(filters, { page: 1 })
}

/** The question to the server for these filters. */
export function listInput(filters: Filters): z.input<typeof ReleaseListInput> {
  const { app, channel, status, search, page } = filters
  return {
    app: app || undefined,
    channel: channel || undefined,
    status: status || undefined,
    search: search.trim() || undefined,
    page,
    perPage: PER_PAGE,
  }
}

/** Returns whether anything is left out of the list. */
export function isNarrowed({ app, channel, status, search }: Filters): boolean {
  return [app, channel, status, search].some((part) => part !== '')
}
