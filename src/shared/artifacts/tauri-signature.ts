/** Why Tauri's plugin cannot read a signature. */
export type SignatureFault =
  /** Base64 with line breaks or spaces in it. */
  | 'wrapped'
  /** The text that minisign writes, in place of its base64. */
  | 'not_encoded'
  | 'not_base64'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Returns why Tauri's plugin refuses a signature for its form, undefined if it does not. The plugin decodes it as base64
 * that has its padding and no white space (`base64_to_string` in `updater.rs`).
 */
export function signatureFault(signature: string): SignatureFault | undefined {
  if (isBase64(signature)) return undefined
  if (/^\s*untrusted comment:/.test(signature)) return 'not_encoded'
  return isBase64(signature.replaceAll(/\s/g, '')) ? 'wrapped' : 'not_base64'
}

/** Returns the lines of the minisign signature that is in a signature of Tauri; undefined if there is no text in it. */
export function minisignLines(signature: string): string[] | undefined {
  if (!isBase64(signature)) return undefined
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/)
  } catch {
    return undefined
  }
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
