/**
 * Returns whether electron-updater accepts the subject of a certificate for the name of a publisher
 * (`windowsExecutableCodeSignatureVerifier.ts`): a name with parts must have the same as the subject, any other is the CN.
 */
export function isAcceptedPublisher(name: string, subject: string): boolean {
  const [named, signer] = [partsOf(name), partsOf(subject)]
  if (named.size === 0) return name === signer.get('CN')
  return [...named].every(([key, value]) => signer.get(key) === value)
}

/** The parts of a distinguished name: `CN=Example, O="Example, Inc."`. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const [, key = '', quoted, plain = ''] of text.matchAll(PART)) {
    parts.set(key, quoted?.replaceAll('""', '"') ?? plain.trim())
  }
  return parts
}

const PART = /(?:^|[,;])\s*([A-Za-z][\w.]*|\d[\d.]*)=(?:"((?:[^"]|"")*)"|((?:\\.|[^,;])*))/g
