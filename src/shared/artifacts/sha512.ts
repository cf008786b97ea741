/** Returns a SHA-512 in lower-case hex, whether it is in hex or base64; empty if it is neither, or unknown. */
export function sha512InHex(hash: string): string {
  const text = hash.trim()
  if (text === '' || /^[0-9a-f]{128}$/i.test(text)) return text.toLowerCase()
  try {
    return Array.from(atob(text), (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join(
      '',
    )
  } catch {
    return ''
  }
}
