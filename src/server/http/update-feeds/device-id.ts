import { readDeviceId } from '../check/check-path.ts'
import type { IdCarriers } from './feed-format.ts'

/** Reads the ID from the header, else from the query, for clients that send no headers. */
export function headerOrQuery({ headers, query }: IdCarriers): string | null {
  return (
    readDeviceId(headers['x-service-device']) ??
    readDeviceId(query.get('device') ?? undefined, 'device')
  )
}
