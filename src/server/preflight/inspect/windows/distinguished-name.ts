import type { Name } from '@peculiar/asn1-x509'

/** The short names that Windows gives to attributes; others are written as `OID.1.2.3`. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'SERIALNUMBER'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'S'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'T'],
  ['2.5.4.42', 'G'],
  ['1.2.840.113549.1.9.1', 'E'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
])

/** Returns a name as .NET writes the subject of a certificate, which electron-updater reads: the last part first. */
export function windowsName(name: Name): string {
  const parts = [...name].toReversed().map((relative) => {
    const attributes = [...relative].map(({ type, value }) => {
      return `${NAMES.get(type) ?? `OID.${type}`}=${quoted(value.toString())}`
    })
    return attributes.join(' + ')
  })
  return parts.join(', ')
}

function quoted(value: string): string {
  const isPlain = value === value.trim() && value !== '' && !/[,+="\n<>#;]/.test(value)
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`
}
