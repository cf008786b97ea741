import { HostedFileHash, HostedFileName } from '../../../shared/files/hosted-file.ts'
import { idOf, type StoredFile } from '../file-index.ts'

/** Characters that a key keeps: letters, digits and marks of any script, and what no S3-compatible server treats specially. */
const UNCHANGED = /^[\p{L}\p{M}\p{N}._-]$/u
/** Bytes of a name in a key: MinIO keeps each part of a key as a folder, whose name can have 255. */
const MAX_NAME = 200

/** Returns the key of a file: its hash, then its name, which a list of the bucket thus has, too. */
export function objectKey(prefix: string, { sha512, name }: Pick<StoredFile, 'sha512' | 'name'>) {
  return `${prefix}${sha512}/${encodeName(name)}`
}

/** Returns the file that a key stands for; undefined if it is none of the server's. */
export function readObjectKey(
  prefix: string,
  key: string,
): Pick<StoredFile, 'sha512' | 'name'> | undefined {
  if (!key.startsWith(prefix)) return undefined
  const [sha512 = '', encoded, ...more] = key.slice(prefix.length).split('/')
  if (encoded === undefined || more.length > 0) return undefined
  if (!HostedFileHash.safeParse(sha512).success) return undefined
  return { sha512, name: decodeName(encoded) ?? idOf({ sha512 }) }
}

/** Other characters become `=` and two hex digits for each of their bytes. A name that is too long loses its end. */
function encodeName(name: string): string {
  let encoded = ''
  for (const char of name) {
    const piece = UNCHANGED.test(char) ? char : Buffer.from(char).toString('hex').toUpperCase()
    const next = piece === char ? encoded + char : encoded + piece.replace(/../g, '=$&')
    if (Buffer.byteLength(next) > MAX_NAME) return encoded
    encoded = next
  }
  return encoded
}

function decodeName(encoded: string): string | undefined {
  try {
    return HostedFileName.safeParse(decodeURIComponent(encoded.replaceAll('=', '%'))).data
  } catch {
    return undefined
  }
}
