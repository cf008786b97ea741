/** Why Tauri's plugin cannot read a signature. */
export type SignatureFault =
  /** Base64 with line breaks or spaces in it. */
  | 'wrapped'
  /** The text that minisign writes, in place of its base64. */
  | 'not_encoded'
  | 'not_base64'
  /** Base64 of something else, such as of a public key, or of a signature without its trusted comment. */
  | 'not_minisign'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const TRUSTED = 'trusted comment: '
/** Bytes of a signature with its algorithm and the ID of its key. */
const SIGNATURE_LENGTH = 74
const GLOBAL_LENGTH = 64

/** What minisign writes below the untrusted comment. */
export interface MinisignParts {
  /** 2 bytes of algorithm, `Ed` or `ED`, 8 of the key's ID, and 64 of signature. */
  readonly signed: Uint8Array
  readonly trustedComment: string
  /** Of the signature and the trusted comment. */
  readonly global: Uint8Array
}

/**
 * Returns why Tauri's plugin refuses a signature for its form, undefined if it does not. The plugin decodes it as base64
 * that has its padding and no white space (`base64_to_string` in `updater.rs`), and reads what minisign writes from it.
 */
export function signatureFault(signature: string): SignatureFault | undefined {
  if (isBase64(signature))
    return minisignParts(signature) === undefined ? 'not_minisign' : undefined
  if (/^\s*untrusted comment:/.test(signature)) return 'not_encoded'
  return isBase64(signature.replaceAll(/\s/g, '')) ? 'wrapped' : 'not_base64'
}

/** Returns the minisign signature that is in a signature of Tauri; undefined if it is none. */
export function minisignParts(signature: string): MinisignParts | undefined {
  const [, first, comment, second] = minisignLines(signature) ?? []
  const [signed, global] = [first, second].map((line) =>
    line === undefined ? undefined : bytesOf(line),
  )
  if (signed?.length !== SIGNATURE_LENGTH || global?.length !== GLOBAL_LENGTH) return undefined
  const algorithm = String.fromCharCode(...signed.subarray(0, 2))
  const isKnown = algorithm === 'Ed' || algorithm === 'ED'
  if (!isKnown || comment?.startsWith(TRUSTED) !== true) return undefined
  return { signed, trustedComment: comment.slice(TRUSTED.length), global }
}

/** Undefined for what is no base64, or has no text in it. */
function minisignLines(signature: string): string[] | undefined {
  const bytes = bytesOf(signature)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/)
  } catch {
    return undefined
  }
}

function bytesOf(base64: string): Uint8Array | undefined {
  if (!isBase64(base64)) return undefined
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/**
 * Returns the version that a signature of Tauri is for, as its trusted comment has it, without a leading `v`; undefined if
 * there is none. Since 2.12, the plugin does not install a file that is signed for another one (`verify_signed_version`).
 */
export function signedVersionOf(signature: string): string | undefined {
  const comment = minisignLines(signature)?.[2]
  const field = comment
    ?.replace(/^trusted comment: /, '')
    .split('\t')
    .find((each) => each.startsWith('version:'))
  return field?.slice('version:'.length).replace(/^v+/, '')
}

/** Returns whether a text is base64 as encoders write it: padded, and without bits that mean nothing. */
export function isBase64(text: string): boolean {
  return text !== '' && BASE64.test(text) && btoa(atob(text)) === text
}
