/** Encodes everything that structured clone supports as text. */
export interface Codec {
  encode(value: unknown): string
  decode(text: string): unknown
}

/**
 * Creates the codec of the double's IPC. Runs in Node and, as source text, in the page's isolated
 * world: it must not refer to anything outside itself.
 */
export function createCodec(): Codec {
  const toBase64 = (bytes: Uint8Array) => {
    // As many at a time as a call takes arguments.
    const parts: string[] = []
    for (let at = 0; at < bytes.length; at += 16_384) {
      parts.push(String.fromCharCode(...bytes.subarray(at, at + 16_384)))
    }
    return btoa(parts.join(''))
  }
  const fromBase64 = (text: string) => {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  }

  const pack = (value: unknown): unknown => {
    if (value === undefined) return ['undefined']
    if (typeof value === 'bigint') return ['bigint', String(value)]
    if (typeof value === 'number' && !Number.isFinite(value)) return ['number', String(value)]
    if (value === null || typeof value !== 'object') return value
    if (value instanceof Date) return ['date', value.getTime()]
    if (value instanceof Error) return ['error', value.name, value.message]
    if (value instanceof Map) return ['map', [...value].map((entry) => entry.map(pack))]
    if (value instanceof Set) return ['set', [...value].map(pack)]
    if (value instanceof ArrayBuffer) return ['bytes', toBase64(new Uint8Array(value))]
    if (ArrayBuffer.isView(value)) {
      return ['bytes', toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))]
    }
    if (Array.isArray(value)) return ['array', value.map(pack)]
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pack(member)]))
  }

  const unpack = (packed: ReturnType<typeof JSON.parse>): unknown => {
    if (packed === null || typeof packed !== 'object') return packed
    if (!Array.isArray(packed)) {
      return Object.fromEntries(Object.entries(packed).map(([key, item]) => [key, unpack(item)]))
    }
    const [kind, first, second] = packed
    switch (kind) {
      case 'bigint':
        return BigInt(first)
      case 'number':
        return Number(first)
      case 'date':
        return new Date(first)
      case 'error':
        return Object.assign(new Error(second), { name: first })
      case 'map':
        return new Map(first.map((entry: unknown[]) => entry.map(unpack)))
      case 'set':
        return new Set(first.map(unpack))
      case 'bytes':
        return fromBase64(first)
      case 'array':
        return first.map(unpack)
      default:
        return undefined
    }
  }

  return {
    // Throws for everything that Electron's IPC rejects: functions, promises, symbols.
    encode: (value) => JSON.stringify(pack(structuredClone(value))),
    decode: (text) => unpack(JSON.parse(text)),
  }
}
