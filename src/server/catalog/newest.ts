import type { ReleaseRecord } from './store.ts'

type Dated = Pick<ReleaseRecord, 'createdAt' | 'id'>

/** Orders releases newest `createdAt` first; equal times by id, highest first. */
export function newestFirst(one: Dated, other: Dated): number {
  return compareText(other.createdAt, one.createdAt) || compareText(other.id, one.id)
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
