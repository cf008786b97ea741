import { ActionGroup, type AuditFilter } from '../../shared/console/audit.ts'
import { ActorKind } from '../../shared/events/audit.ts'
import { readChoice, readText, writeParams } from '../components/list/address-filters.ts'
import { startOfDay } from '../components/text/time.ts'

/** What the log is narrowed to, as the address of the screen holds it. Empty means all. */
export interface Filters {
  readonly app: string
  readonly channel: string
  readonly source: ActorKind | ''
  readonly about: ActionGroup | ''
  readonly search: string
  /** First and last day, in the chosen time zone: `2026-03-14`. */
  readonly from: string
  readonly to: string
}

/** Every entry. */
export const NO_FILTERS: Filters = {
  app: '',
  channel: '',
  source: '',
  about: '',
  search: '',
  from: '',
  to: '',
}

/** Reads filters from the address; what makes no sense there counts as not given. */
export function readFilters(params: URLSearchParams): Filters {
  return {
    app: readText(params, 'app'),
    channel: readText(params, 'channel'),
    source: readChoice(params, 'source', ActorKind, ''),
    about: readChoice(params, 'about', ActionGroup, ''),
    search: readText(params, 'search', 200),
    from: readDay(readText(params, 'from')),
    to: readDay(readText(params, 'to')),
  }
}

/** Writes filters for the address. Empty ones are left out. */
export function writeFilters(filters: Filters): URLSearchParams {
  return writeParams(filters)
}

/** The question to the server for these filters. */
export function filterInput(filters: Filters): AuditFilter {
  const { app, channel, source, about, search, from, to } = filters
  return {
    app: app || undefined,
    channel: channel || undefined,
    actorKind: source || undefined,
    actionGroup: about || undefined,
    search: search.trim() || undefined,
    from: from === '' ? undefined : startOfDay(from, 0).toISOString(),
    // The last day counts to its end.
    to: to === '' ? undefined : startOfDay(to, 1).toISOString(),
  }
}

/** Tells whether anything is left out. */
export function isNarrowed(filters: Filters): boolean {
  return Object.values(filters).some((part) => part !== '')
}

function readDay(text: string): string {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return ''
  return Number.isNaN(Date.parse(text)) ? '' : text
}
