/** The parts of a reply's head with which a client finds its end. */
export interface ReplyHead {
  readonly status: number
  /** Bytes from the start of the reply to the start of its body. */
  readonly headBytes: number
  readonly bodyBytes: number
}

const CR = 13
const DASH = 45
const COLON = 58
const ZERO = 48
const lower = (byte: number | undefined) => (byte ?? 0) | 32
const LETTER_C = 99
const LETTER_L = 108
const LETTER_T = 116

/**
 * Reads status and content length from the first `length` bytes of an HTTP/1.1 reply.
 * Undefined when the head is not complete yet.
 * @throws Error when the reply's length is not announced by Content-Length.
 */
export function parseReplyHead(bytes: Uint8Array, length: number): ReplyHead | undefined {
  let bodyBytes = -1
  for (let i = 12; i + 3 < length; i += 1) {
    if (bytes[i] !== CR) continue
    const line = i + 2
    if (bytes[line] === CR) return headOf(bytes, line + 2, bodyBytes)
    if (isContentLength(bytes, line)) bodyBytes = digitsAt(bytes, line + 15, length)
    else if (isTransferEncoding(bytes, line)) throw new Error('a reply in chunks: not supported')
  }
  return undefined
}

function headOf(bytes: Uint8Array, headBytes: number, announced: number): ReplyHead {
  const digit = (at: number) => (bytes[at] ?? ZERO) - ZERO
  const status = digit(9) * 100 + digit(10) * 10 + digit(11)
  if (status === 204 || status === 304) return { status, headBytes, bodyBytes: 0 }
  if (announced < 0) throw new Error(`a reply ${status} without Content-Length: not supported`)
  return { status, headBytes, bodyBytes: announced }
}

// "content-length:" and "transfer-encoding:" are recognized by first letter, dash, the letter after it, and colon.
function isContentLength(bytes: Uint8Array, at: number): boolean {
  return (
    lower(bytes[at]) === LETTER_C &&
    bytes[at + 7] === DASH &&
    lower(bytes[at + 8]) === LETTER_L &&
    bytes[at + 14] === COLON
  )
}

function isTransferEncoding(bytes: Uint8Array, at: number): boolean {
  return lower(bytes[at]) === LETTER_T && bytes[at + 8] === DASH && bytes[at + 17] === COLON
}

function digitsAt(bytes: Uint8Array, start: number, length: number): number {
  let value = 0
  for (let i = start; i < length; i += 1) {
    const byte = bytes[i] ?? 0
    if (byte === 32) continue
    if (byte < ZERO || byte > ZERO + 9) break
    value = value * 10 + byte - ZERO
  }
  return value
}
