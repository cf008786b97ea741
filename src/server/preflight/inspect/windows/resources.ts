import { type Budget, damaged } from '../budget.ts'
import { partOf, type Source } from '../source.ts'
import { offsetOf, type Pe } from './pe.ts'

const SUBDIRECTORY = 0x8000_0000

/** Returns the first resource of a type, and of a name if one is given; undefined if there is none. */
export async function findResource(
  pe: Pe,
  type: number | string,
  name: number | undefined,
  budget: Budget,
): Promise<Source | undefined> {
  const { source, resources } = pe
  if (resources === undefined) return undefined
  const { offset: root } = resources

  /** Three levels: type, name and language. */
  async function child(at: number, wanted: number | string | undefined) {
    const header = await source.read(root + at, 16)
    const count = header.readUInt16LE(12) + header.readUInt16LE(14)
    budget.spend('entries', count)
    const entries = await source.read(root + at + 16, count * 8)
    for (let index = 0; index < count; index += 1) {
      const id = entries.readUInt32LE(index * 8)
      if (wanted === undefined || (await keyOf(id)) === wanted) {
        return entries.readUInt32LE(index * 8 + 4)
      }
    }
    return undefined
  }

  async function keyOf(id: number): Promise<number | string> {
    if (id < SUBDIRECTORY) return id
    const at = root + id - SUBDIRECTORY
    const length = (await source.read(at, 2)).readUInt16LE()
    return (await source.read(at + 2, length * 2)).toString('utf16le')
  }

  let at = 0
  for (const wanted of [type, name]) {
    const found = await child(at, wanted)
    if (found === undefined) return undefined
    if (found < SUBDIRECTORY) throw damaged()
    at = found - SUBDIRECTORY
  }
  const leaf = await child(at, undefined)
  if (leaf === undefined || leaf >= SUBDIRECTORY) throw damaged()
  const entry = await source.read(root + leaf, 8)
  const start = offsetOf(pe.sections, entry.readUInt32LE(0))
  if (start === undefined) throw damaged()
  return partOf(source, start, entry.readUInt32LE(4))
}
