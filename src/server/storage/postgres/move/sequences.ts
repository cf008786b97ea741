import type { GivenOut } from '../../move/side.ts'

interface Sequence {
  readonly name: keyof GivenOut
  /** An expression for its name. */
  readonly sequence: string
}

const identity = (name: keyof GivenOut, column: string): Sequence => {
  return { name, sequence: `pg_get_serial_sequence('${name}', '${column}')` }
}

/** The sequences that give out numbers. Those of devices and check-ins count blocks of them. */
export const IDENTITIES: readonly Sequence[] = [
  identity('apps', 'key'),
  identity('channels', 'key'),
  identity('api_keys', 'id'),
  identity('audit', 'id'),
  identity('profiles', 'id'),
  identity('offered_releases', 'number'),
  identity('set_aside', 'id'),
  { name: 'devices', sequence: "'device_blocks'" },
  { name: 'check_ins', sequence: "'check_in_blocks'" },
]

/** Returns an expression for the last number that was given out, 0 for none. */
export function lastValue(sequence: string): string {
  return `coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`
}
