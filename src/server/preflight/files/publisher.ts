/**
 * Returns whether electron-updater accepts the subject of a certificate for one of the names of publishers
 * (`windowsExecutableCodeSignatureVerifier.ts`): a name with parts must have the same as the subject, any other is the CN.
 */
export function isAcceptedPublisher(names: readonly string[], subject: string): boolean {
  const signer = partsOfName(subject)
  return names.some((name) => {
    const named = [...partsOfName(name)]
    if (named.length === 0) return name === signer.get('CN')
    return named.every(([key, value]) => signer.get(key) === value)
  })
}

/** Returns the parts of a distinguished name as electron-updater reads it: the last of each key, without quotes. */
export function partsOfName(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  const name = text.trim()
  const token = /"([^"]*)"?|\\([\s\S]{0,2})|[\s\S]/g
  let key: string | undefined
  let read = ''
  // Spaces count between other characters only.
  let spaces = ''
  const add = (more: string) => {
    read += spaces + more
    spaces = ''
  }
  for (let found = token.exec(name); found !== null; found = token.exec(name)) {
    const [all, quoted, escaped] = found
    if (quoted !== undefined) add(quoted)
    else if (escaped !== undefined) {
      const code = Number.parseInt(escaped, 16)
      const isHex = !Number.isNaN(code)
      // It does not see the end then, nor the last part.
      if (escaped.length < (isHex ? 2 : 1)) return parts
      if (!isHex) token.lastIndex = found.index + 2
      add(isHex ? String.fromCharCode(code) : escaped.charAt(0))
    } else if (all === '=' && key === undefined) [key, read, spaces] = [read, '', '']
    else if (/[,;+]/.test(all)) {
      if (key !== undefined) parts.set(key, read)
      ;[key, read, spaces] = [undefined, '', '']
    } else if (all !== ' ') add(all)
    else if (read !== '') spaces += all
  }
  return key === undefined ? parts : parts.set(key, read)
}
