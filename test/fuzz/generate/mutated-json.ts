import fc from 'fast-check'
import { hostileText, hostileValue } from './hostile-values.ts'
import { bytesOf } from './request.ts'

interface Change {
  readonly kind: 'replace' | 'remove' | 'rename' | 'add'
  /** The index of the place to mutate, counted through the entire value. */
  readonly at: number
  readonly name: string
  readonly value: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'rename', 'add'),
  at: fc.nat({ max: 200 }),
  name: hostileText,
  value: hostileValue,
})

/** How the bytes are damaged. */
const damage: fc.Arbitrary<(bytes: string) => string> = fc.oneof(
  fc.nat({ max: 400 }).map((at) => (bytes: string) => bytes.slice(0, at % (bytes.length + 1))),
  fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })).map(
    ([at, byte]) =>
      (bytes: string) =>
        spliced(bytes, at, String.fromCharCode(byte)),
  ),
  fc.nat({ max: 400 }).map((at) => (bytes: string) => spliced(bytes, at, '\xff\xfe')),
  fc.nat({ max: 400 }).map((at) => (bytes: string) => spliced(bytes, at, '\xed\xa0\x80')),
  fc.constant((bytes: string) => `\xef\xbb\xbf${bytes}`),
  fc.constant((bytes: string) => `${bytes}}`),
  fc.constant((bytes: string) => bytes.replace('{', '{"app":"other",')),
  fc.constant((bytes: string) => bytes.replace('{', '{"__proto__":{"app":"editor"},')),
)

/** Generates the JSON of values as bytes: valid, with mutated members, or damaged. */
export function bodiesOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const asJson = (value: unknown) => bytesOf(JSON.stringify(value))
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 5, arbitrary: values.map(asJson) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(values, changes)
        .map(([value, all]) => asJson(all.reduce(changed, value))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(values, damage).map(([value, harm]) => harm(asJson(value))),
    },
  )
}

function changed(value: unknown, { kind, at, name, value: hostile }: Change): unknown {
  const places = countPlaces(value)
  let left = at % places
  const walk = (node: unknown): unknown => {
    if (left-- === 0) return kind === 'replace' ? hostile : applied(node)
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return fromEntries(Object.entries(node).map(([key, member]) => [key, walk(member)]))
  }
  const applied = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return hostile
    if (Array.isArray(node)) return kind === 'remove' ? node.slice(1) : [...node, hostile]
    const entries = Object.entries(node)
    if (kind === 'add') return fromEntries([...entries, [name, hostile]])
    const [[first, member] = ['', null], ...rest] = entries
    return fromEntries(kind === 'remove' ? rest : [...rest, [`${first}${name}`, member]])
  }
  return walk(value)
}

/** Like `Object.fromEntries`, but `__proto__` becomes a member too, which JSON can contain. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): unknown {
  const made = {}
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, { value, enumerable: true, writable: true })
  }
  return made
}

function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countPlaces(member), 1)
}

function spliced(bytes: string, at: number, piece: string): string {
  const place = at % (bytes.length + 1)
  return bytes.slice(0, place) + piece + bytes.slice(place + 1)
}
