import { randomUUID } from 'node:crypto'
import { OCTETS } from './file-headers.ts'
import type { ByteRange } from './ranges.ts'
import { lengthOf, type Segment } from './read-pieces.ts'

/** What is sent of a file, and the headers that say so. */
export interface FileBody {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly segments: readonly Segment[]
  /** Bytes of all segments. */
  readonly length: number
}

/** All of a file with that many bytes. */
export function wholeBody(size: number): FileBody {
  return bodyOf(200, {}, [{ start: 0, length: size }])
}

/** Parts of a file with that many bytes: one by itself, several as `multipart/byteranges` (RFC 9110 section 14.6). */
export function partialBody(parts: readonly ByteRange[], size: number): FileBody {
  const [first, ...more] = parts.map((part) => ({
    content: { start: part.start, length: part.end - part.start + 1 },
    range: `bytes ${part.start}-${part.end}/${size}`,
  }))
  if (first === undefined) throw new Error('a partial body without parts')
  if (more.length === 0) return bodyOf(206, { 'Content-Range': first.range }, [first.content])
  const boundary = randomUUID()
  const segments = [first, ...more].flatMap(({ content, range }, at): Segment[] => {
    const head = `--${boundary}\r\nContent-Type: ${OCTETS}\r\nContent-Range: ${range}\r\n\r\n`
    return [{ bytes: Buffer.from(at === 0 ? head : `\r\n${head}`) }, content]
  })
  const end = { bytes: Buffer.from(`\r\n--${boundary}--\r\n`) }
  const type = `multipart/byteranges; boundary=${boundary}`
  return bodyOf(206, { 'Content-Type': type }, [...segments, end])
}

function bodyOf(
  status: FileBody['status'],
  headers: FileBody['headers'],
  segments: readonly Segment[],
): FileBody {
  const length = segments.reduce((total, each) => total + lengthOf(each), 0)
  return { status, headers: { ...headers, 'Content-Length': String(length) }, segments, length }
}
