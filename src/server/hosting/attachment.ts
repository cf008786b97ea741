/** Returns the `Content-Disposition` of a file that is only to be saved (RFC 6266). */
export function attachment(name: string): string {
  return `attachment; filename*=UTF-8''${encodeParameter(name)}`
}

/** As an `ext-value` of RFC 8187 has it. */
function encodeParameter(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => {
    return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
