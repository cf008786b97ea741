import { access, open } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { Patches } from '../../hosting/patches/patches.ts'
import { HttpError } from '../answer/errors.ts'
import { text } from '../strings.ts'
import { type Download, etagOfFile } from './file-headers.ts'

/** The headers on which it depends whether a patch is sent. */
export const PATCH_VARY = 'Accept-Encoding, Available-Dictionary'
/** The coding of a patch (RFC 9842, 5). */
const CODING = 'dcz'
/** A SHA-256 as a byte sequence (RFC 9651, 3.3.5). */
const AVAILABLE = /^\s*:(?<hash>[0-9A-Za-z+/]{43}=):\s*$/

/** Returns the patch of the file that the client has (RFC 9842); undefined for none, or if it cannot apply it. Makes nothing. */
export async function patchFor(
  patches: Patches,
  file: StoredFile,
  name: string,
  headers: IncomingHttpHeaders,
): Promise<Download | undefined> {
  const { hash } = AVAILABLE.exec(String(headers['available-dictionary'] ?? ''))?.groups ?? {}
  if (hash === undefined || headers.range !== undefined) return undefined
  if (!accepts(headers['accept-encoding'] ?? '')) return undefined
  const patch = patches.find(file, Buffer.from(hash, 'base64').toString('hex'))
  if (patch === undefined) return undefined
  const { path, size, baseHash } = patch
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  return {
    ...{ name, size, coding: CODING, kind: 'patch', saved: file.size - size },
    etag: `${etagOfFile(file).slice(0, -1)}-${baseHash.slice(0, 32)}"`,
    // Caches that do not know the header that it depends on would send it to others.
    maxAge: 0,
    open: () =>
      open(path).catch(() => {
        throw new HttpError(404, text.files.unknown)
      }),
  }
}

function accepts(encodings: string): boolean {
  return encodings.split(',').some((each) => {
    const [coding = '', ...parameters] = each.toLowerCase().split(';')
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter))
    return coding.trim() === CODING && !isRefused
  })
}
