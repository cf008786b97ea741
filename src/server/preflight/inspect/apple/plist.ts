import { unescaped } from '../../../../shared/artifacts/documents/xml.ts'
import { damaged } from '../budget.ts'

const MAGIC = 'bplist'
const MAX_KEYS = 10_000
/** Bytes of a text that says something: texts can overlap each other, so that a small file has many long ones. */
const MAX_TEXT = 8_192

/** Returns the texts in the dictionary of a property list, as XML or binary. Throws `Unread`. */
export function plistTexts(bytes: Buffer): ReadonlyMap<string, string> {
  const isBinary = bytes.toString('latin1', 0, 6) === MAGIC
  return isBinary ? binaryTexts(bytes) : xmlTexts(bytes.toString())
}

const TOKEN = /<!--[\s\S]*?-->|<(\/?)(dict|array|key|string)(\s*\/)?>([^<]*)/g

/** Only texts directly in the first dictionary count: those deeper have keys of their own. */
function xmlTexts(text: string): Map<string, string> {
  const texts = new Map<string, string>()
  let depth = 0
  let key: string | undefined
  // Each one that does not end would be searched to the end of the text.
  if (text.lastIndexOf('<!--') > text.lastIndexOf('-->')) throw damaged()
  for (const [, closes, tag, isEmpty, content = ''] of text.matchAll(TOKEN)) {
    if (tag === 'dict' || tag === 'array') {
      if (isEmpty !== undefined) continue
      depth += closes === '' ? 1 : -1
      if (depth === 0) return texts
    } else if (depth === 1 && closes === '') {
      if (tag === 'string' && key !== undefined && !texts.has(key))
        texts.set(key, unescaped(content.trim()))
      key = tag === 'key' ? unescaped(content.trim()) : undefined
    }
  }
  throw damaged()
}

/** CFBinaryPList.c: objects, a table of where they are, and a trailer. */
function binaryTexts(bytes: Buffer): Map<string, string> {
  const trailer = bytes.subarray(-32)
  const offsetSize = trailer.readUInt8(6)
  const referenceSize = trailer.readUInt8(7)
  const [top = 0, table = 0] = [16, 24].map((at) => Number(trailer.readBigUInt64BE(at)))
  if (![offsetSize, referenceSize].every((size) => size >= 1 && size <= 6)) throw damaged()
  const offsetOf = (object: number) => bytes.readUIntBE(table + object * offsetSize, offsetSize)

  const dictionary = headOf(bytes, offsetOf(top))
  if (dictionary.type !== 0xd || dictionary.count > MAX_KEYS) throw damaged()
  const texts = new Map<string, string>()
  for (let index = 0; index < dictionary.count; index += 1) {
    const [key, value] = [index, index + dictionary.count].map((place) => {
      const at = dictionary.start + place * referenceSize
      return textAt(bytes, offsetOf(bytes.readUIntBE(at, referenceSize)))
    })
    if (key !== undefined && value !== undefined) texts.set(key, value)
  }
  return texts
}

/** Counts from 15 on are in a number of their own. */
function headOf(bytes: Buffer, at: number) {
  const marker = bytes.readUInt8(at)
  const type = marker >> 4
  const short = marker & 0x0f
  if (short !== 0x0f) return { type, count: short, start: at + 1 }
  const size = 2 ** (bytes.readUInt8(at + 1) & 0x0f)
  if (size > 4) throw damaged()
  return { type, count: bytes.readUIntBE(at + 2, size), start: at + 2 + size }
}

function textAt(bytes: Buffer, at: number): string | undefined {
  const { type, count, start } = headOf(bytes, at)
  if (count > MAX_TEXT) return undefined
  if (type === 5) return bytes.toString('latin1', start, start + count)
  if (type !== 6) return undefined
  const units = Buffer.from(bytes.subarray(start, start + count * 2))
  return units.length % 2 === 0 ? units.swap16().toString('utf16le') : undefined
}
