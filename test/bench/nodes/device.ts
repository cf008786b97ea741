/** Versions and platforms that devices run, each on each: 30 profiles. */
export const VERSIONS = Array.from({ length: 10 }, (_, at) => `1.${at}.0`)
export const PLATFORMS = ['linux', 'darwin', 'windows']

/** The id of the device with this index: its order among the ids is random, as that of a UUID. `ID_IN_SQL` is the same. */
export function idOf(index: number): string {
  const scattered = (Math.imul(index, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')
  return `${scattered}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
}

/** The id of the device with the index `i`. */
export const ID_IN_SQL = `lpad(to_hex((i::bigint * 2654435761) % 4294967296), 8, '0')
  || '-0000-4000-8000-' || lpad(to_hex(i), 12, '0')`

/** The profile of a device with this index, from 0 to 29. Its id in the database is one more. */
export function profileOf(index: number): number {
  return index % (VERSIONS.length * PLATFORMS.length)
}
