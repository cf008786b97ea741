import { hash } from 'node:crypto'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { notSent, type Reply } from '../answer/reply.ts'

/** Up to this many bytes, a body is sent as text, in one piece with the head, which is faster. */
const MAX_TEXT = 16_384

interface Body {
  readonly variant: string
  readonly reply: Reply
}

/** The feeds of releases, each made once. A release of a view is a release as one choice of files has it. */
export class FeedBodies {
  readonly #type: string
  readonly #bodies = new WeakMap<ServedRelease, Body>()

  /** `type`: the media type. */
  constructor(type: string) {
    this.#type = type
  }

  /** The response for a release; `make` is called if it is new, or was made for another `variant`. */
  reply(release: ServedRelease, make: () => string, variant = ''): Reply {
    let body = this.#bodies.get(release)
    if (body?.variant !== variant) {
      const bytes = Buffer.from(make())
      const reply =
        bytes.length <= MAX_TEXT
          ? { ...feedReply(this.#type, bytes.toString(), bytes.length), sent: notSent() }
          : feedReply(this.#type, [bytes], bytes.length)
      body = { variant, reply }
      this.#bodies.set(release, body)
    }
    return body.reply
  }
}

const documents = new WeakMap<SignedDocument, Reply>()

/** The response for a signed document of a release: its bytes, unchanged. */
export function documentReply(type: string, document: SignedDocument): Reply {
  let reply = documents.get(document)
  if (reply === undefined) {
    const bytes = Buffer.from(document.content, 'base64')
    const { headers, status } = feedReply(type, [bytes], bytes.length)
    const ETag = `"${hash('sha256', bytes, 'base64url')}"`
    reply = { status, headers: { ...headers, ETag }, body: [bytes] }
    documents.set(document, reply)
  }
  return reply
}

/** A 200 with a feed of that many bytes in UTF-8. */
export function feedReply(
  type: string,
  body: string | readonly Uint8Array[],
  bytes = typeof body === 'string' ? Buffer.byteLength(body) : 0,
): Reply {
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': bytes,
  }
  return { status: 200, headers, body }
}
