import type { IncomingMessage } from 'node:http'

/** The bytes of an artifact, wherever they come from. */
export interface FileBody {
  /** Bytes, as announced before they arrive; undefined if they are not. */
  readonly length: number | undefined
  readonly pieces: AsyncIterable<Buffer>
  /** After the last piece: whether nothing was cut off. */
  isComplete(): boolean
  destroy(): void
}

/** The body of a response, unread. */
export function bodyOf(response: IncomingMessage): FileBody {
  const length = Number(response.headers['content-length'] ?? Number.NaN)
  return {
    length: Number.isSafeInteger(length) ? length : undefined,
    pieces: response,
    isComplete: () => response.complete,
    destroy: () => response.destroy(),
  }
}
